import { type Condition, PAGE, TICKET } from './condition.ts';

const SHARE = 'Half of the attempts of the last hour, and at least 5: single failures are retried.';

/** The background work, and the parties outside that it needs. */
export const ofWork = {
  workers: {
    meaning: 'Due work gets done.',
    seen: 'database',
    threshold: 'A job that has been due for a minute: a worker claims due work within seconds.',
    remedy: 'Start the workers, which run the jobs.',
    alert: { ...PAGE, name: 'ScreeningWorkLate', expression: 'max(screening_oldest_due_seconds) > 60' },
  },
  'set-aside': {
    meaning: 'No work has been set aside.',
    seen: 'database',
    threshold:
      'Any: 5 workers died with it, the last 3 of them right after they had started it, minutes apart. No sixth gets it, and after 7 days it has failed.',
    remedy:
      'If the workers were killed (memory, a supervisor), mend that; otherwise find out what is special about it. Then release it:',
    alert: { ...TICKET, forMinutes: 0 },
  },
  invites: {
    meaning: 'Invitations go out.',
    seen: 'database',
    threshold: 'An invitation that waits because its mail cannot be sent. A warning for one that was given up.',
    remedy: 'Fix what the mail server reports. To send them all afterwards:',
    alert: { ...TICKET, name: 'ScreeningMailsWait', expression: 'max(screening_mails_waiting) > 0' },
  },
  'sign-ins': {
    meaning: 'The provider of national identities lets people finish.',
    seen: 'database',
    threshold: 'An open flow that the provider keeps from ending.',
    remedy: 'Ask the provider, or correct the registration of this service there. The links of the people stay valid:',
    alert: { ...TICKET, name: 'ScreeningEidHindered', expression: 'max(screening_eid_flows_hindered) > 0' },
  },
  webhooks: {
    meaning: 'No webhook is paused.',
    seen: 'database',
    threshold: 'Any paused webhook: its deliveries are held.',
    remedy: 'Ask its landlord to mend the endpoint, then resume it:',
    alert: {
      ...TICKET,
      forMinutes: 60,
      name: 'ScreeningWebhooksPaused',
      expression: 'max(screening_webhooks_paused) > 0',
    },
  },
  'failing-webhooks': {
    meaning: 'Every webhook in use has answered a delivery with success lately.',
    seen: 'database',
    threshold:
      '10 minutes of nothing but failures, until one delivery succeeds: retries grow rare, the failure does not.',
    remedy: 'Tell its landlord. The failing webhooks, with their API keys:',
    alert: { ...TICKET, forMinutes: 0 },
  },
  'failing-deliveries': {
    meaning: 'Deliveries succeed.',
    seen: 'database',
    threshold: SHARE,
    remedy:
      'If many endpoints fail, check outbound traffic. If it is this machine, "job failed" in the log says why. The failed ones:',
    alert: { ...TICKET, forMinutes: 0, name: 'ScreeningDeliveriesFail' },
  },
  'failing-mails': {
    meaning: 'The mail server takes the mails.',
    seen: 'database',
    threshold: SHARE,
    remedy: 'Fix what the mail server reports. To send them all afterwards:',
    alert: { ...TICKET, forMinutes: 0 },
  },
  'failing-analyses': {
    meaning: 'Analyses of documents succeed.',
    seen: 'database',
    threshold: SHARE,
    remedy: 'Look for "job failed" in the log. The failed ones:',
    alert: { ...TICKET, forMinutes: 0 },
  },
  'failing-kyc': {
    meaning: 'The provider of identity verifications (KYC) answers.',
    seen: 'database',
    threshold: SHARE,
    remedy: 'Ask the provider. Verifications resume when it answers. Their state:',
    alert: { ...TICKET, forMinutes: 0 },
  },
  'failing-eid': {
    meaning: 'The provider of national identities answers.',
    seen: 'database',
    threshold: SHARE,
    remedy: 'Ask the provider. Flows resume when it answers. Their state:',
    alert: { ...TICKET, forMinutes: 0 },
  },
  'failing-banks': {
    meaning: 'The provider of bank data answers.',
    seen: 'database',
    threshold: SHARE,
    remedy: 'Ask the provider. Connections resume when it answers.',
    alert: { ...TICKET, forMinutes: 0 },
  },
  deliveries: {
    meaning: 'No delivery was given up within a day.',
    seen: 'database',
    threshold: 'A warning for any: the endpoint failed for all retries.',
    remedy: 'Send them again once the endpoint works:',
    alert: TICKET,
  },
  limits: {
    meaning: 'No API key has reached a daily limit.',
    seen: 'database',
    threshold: 'A warning for any: what it asks for waits or is refused until the next day.',
    remedy: 'Ask their landlord. If the use is legitimate, raise DAILY_MAILS_PER_KEY or DAILY_VERIFICATIONS_PER_KEY.',
    alert: TICKET,
  },
  erasures: {
    meaning: 'Requests for erasure are answered in time.',
    seen: 'database',
    threshold: 'One that is due, by law. A warning for any open one.',
    remedy: 'Answer them:',
    alert: TICKET,
  },
  'upload-pieces': {
    meaning: 'Pieces of abandoned uploads are removed.',
    seen: 'database',
    threshold: 'A piece of more than 26 hours: retention removes them after a day, every hour.',
    remedy: 'Start the workers, which remove them. If they run, look for "retention" in the log.',
    alert: TICKET,
  },
  contacts: {
    meaning: 'Every landlord in live use names a contact.',
    seen: 'database',
    threshold: 'A warning for any without an e-mail address or phone number: applicants have no one to ask.',
    remedy: 'Ask the landlord, then set one:',
    alert: TICKET,
  },
  'expiring-keys': {
    meaning: 'No API key in use expires soon.',
    seen: 'database',
    threshold: 'A warning 7 days before: its integration ends then.',
    remedy: 'Ask its landlord, then extend or replace it:',
    alert: TICKET,
  },
  documents: {
    meaning: 'The store of documents keeps, returns and removes bytes.',
    seen: 'provider',
    threshold: 'A failure, or no answer within 5 seconds.',
    remedy: 'Check DATA_DIR, or DOCUMENT_STORE and its keys.',
    alert: { ...PAGE, forMinutes: 5 },
  },
  scanner: {
    meaning: 'The virus scanner answers, with signatures of this week.',
    seen: 'provider',
    threshold:
      'No answer within 5 seconds: no document is accepted. Or signatures of more than 7 days, although new ones come daily; a warning from 3 days on.',
    remedy: 'Start clamd, or correct VIRUS_SCANNER. If its signatures are old, look for why freshclam does not run.',
    alert: { ...PAGE, forMinutes: 5 },
  },
  mail: {
    meaning: 'The mail server takes our mail.',
    seen: 'provider',
    threshold:
      'It refuses the login, all mails of the last hour, or half of them and at least 5; a warning for most of fewer. A greeting alone proves nothing.',
    remedy: 'Correct SMTP_URL and its user, or ask who runs the server.',
    alert: TICKET,
  },
  kyc: {
    meaning: 'The provider of identity verifications (KYC) takes our key.',
    seen: 'provider',
    threshold: 'A refusal, or no answer within 5 seconds.',
    remedy: 'Correct KYC_PROVIDER and its settings, or ask the provider.',
    alert: TICKET,
  },
  eid: {
    meaning: 'The provider of national identities can be asked.',
    seen: 'provider',
    threshold: 'A refusal, or no answer within 5 seconds.',
    remedy: 'Correct EID_ISSUER, or ask the provider.',
    alert: TICKET,
  },
  bank: {
    meaning: 'The provider of bank data takes our key, if there is one.',
    seen: 'provider',
    threshold: 'A refusal, or no answer within 5 seconds.',
    remedy: 'Correct ENABLE_BANKING_APP_ID and its key, or activate the application.',
    alert: TICKET,
  },
} as const satisfies Record<string, Condition>;
