import { pageByPage } from '../../core/page-by-page.ts';
import { deskTextsOf } from '../../core/texts/desk-texts.ts';
import { deskLanguages } from '../../core/texts/languages.ts';
import { isoAfter, MINUTE_MS } from '../../core/time.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import {
  type AlertedMember,
  type AlertedWebhook,
  type AlertKind,
  countAlertMails,
  membersOwedAlerts,
  noteAlertMail,
  tidyAlerts,
  webhooksToTell,
} from '../../db/webhooks/webhook-alerts.ts';
import { type Mail, MailRefused } from '../../providers/mail/port.ts';
import { nameInMail, officeMail } from '../access/office-mail.ts';
import type { Runtime } from '../runtime.ts';

type Mailing = Pick<Runtime, 'db' | 'providers' | 'publicUrl' | 'dailyMails' | 'now' | 'log'>;

/** Shorter failures are what retries are for. */
const FAILING_MS = 10 * MINUTE_MS;
const MAX_MEMBERS_PER_PASS = 50;
/** As many as an API key may have by default. */
const MAX_WEBHOOKS_PER_MAIL = 1000;
const MAX_LISTED = 10;

/**
 * Mails the members who look after a webhook once it has failed for ten minutes, and once it has recovered, once each way:
 * 1. One mail to a member is about all their webhooks that changed. A member gets at most the daily mails of one address; later ones wait, and an
 *    endpoint that has recovered by then is not mentioned.
 * 2. The mail is remembered after it is sent: a crash in between sends it again, with the same Message-ID.
 * 3. A refused address counts as told. Other failures are retried in the next pass; each pass continues behind the last member of the
 *    one before, so members whose mail is postponed do not hold up the others.
 */
export function sendWebhookMails(runtime: Mailing): () => Promise<void> {
  const pages = () => pageByPage<AlertedMember>(MAX_MEMBERS_PER_PASS, ({ id }) => id);
  const next: Record<AlertKind, ReturnType<typeof pages>> = { failing: pages(), recovered: pages() };
  return async () => {
    const { db, now, log } = runtime;
    await inTransaction(db, (trx) => tidyAlerts(trx, now()));
    for (const kind of ['recovered', 'failing'] as const) {
      const before = isoAfter(now(), -FAILING_MS);
      const members = await next[kind]((page) => membersOwedAlerts(db, kind, { before, ...page }, now()));
      for (const member of members)
        await tell(runtime, kind, member, before).catch((err: unknown) =>
          log.warn({ err, member: member.id }, 'member not mailed about webhooks: tried again'),
        );
    }
  };
}

async function tell(runtime: Mailing, kind: AlertKind, member: AlertedMember, before: string): Promise<void> {
  const { db, dailyMails, now, providers, log } = runtime;
  if ((await countAlertMails(db, member.id, now())) >= dailyMails.perAddress) return;
  const wanted = { memberId: member.id, before, limit: MAX_WEBHOOKS_PER_MAIL };
  const webhooks = await webhooksToTell(db, kind, wanted, now());
  if (webhooks.length === 0) return;
  try {
    await providers.mail.send(mailAbout(runtime, kind, member, webhooks));
    log.info({ member: member.id, kind, webhooks: webhooks.length }, 'member mailed about webhooks');
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    log.warn({ member: member.id, reason: error.reason }, 'mail about webhooks refused');
  }
  const ids = webhooks.map(({ id }) => id);
  await inTransaction(db, (trx) => noteAlertMail(trx, kind, member.id, ids, now()));
}

/** Names API keys and links to webhooks, because some addresses of endpoints are secrets. */
function mailAbout(
  { publicUrl }: Mailing,
  kind: AlertKind,
  member: AlertedMember,
  webhooks: readonly AlertedWebhook[],
): Mail {
  const t = deskTextsOf(member.language ?? deskLanguages[0]);
  const count = webhooks.length;
  const landlord = nameInMail(member.landlord_name);
  const keys = [...new Set(webhooks.map(({ key_name }) => nameInMail(key_name)))];
  const more = keys.length - MAX_LISTED;
  const [only] = webhooks;
  const place = count === 1 && only ? `webhooks/${only.id}` : 'webhooks';
  const latest = webhooks.reduce((max, { failing_since }) => Math.max(max, Date.parse(failing_since ?? '') || 0), 0);
  return officeMail(
    { kind: `${kind}-webhooks`, office: { landlordId: member.landlord_id } },
    member.mail_address,
    t,
    {
      subject: t.text(`mail.${kind}.subject`, { count, landlord }),
      text: t.text(`mail.${kind}.text`, { count }),
      lines: [
        ...keys.slice(0, MAX_LISTED).map((key) => t.text('mail.webhooks.key', { key })),
        ...(more > 0 ? [t.text('mail.webhooks.more', { count: more })] : []),
      ],
      button: { label: t.text('mail.webhooks.button', { count }), address: `${publicUrl()}/desk/${place}` },
      note: t.text('mail.webhooks.stop', { address: `${publicUrl()}/desk/account` }),
    },
    `${member.id}.${kind}.${count}.${only?.id}.${latest}`,
  );
}
