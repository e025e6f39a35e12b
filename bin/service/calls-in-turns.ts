import { sharedTurns } from '../../core/fair-turns.ts';
import { type InTurns, inTurns } from '../../core/in-turns.ts';
import type { BankProvider } from '../../providers/banking/port.ts';
import type { DocumentStore, HeadKeeper, VirusScanner } from '../../providers/documents/port.ts';
import type { EidProvider, KycProvider } from '../../providers/identity/port.ts';
import type { LocalMails, Mailbox, MailSender } from '../../providers/mail/port.ts';
import type { OutboundHttp } from '../../providers/outbound/port.ts';

const WAITS = { at: 'calls', maxWaiting: 1_000, waitMs: 10_000 } as const;
/** How many calls of one provider are under way at once. A party has at most half of them: providers limit all of our calls together. */
const CALLS = { atOnce: 50, ofOneParty: 25, waits: WAITS };
/** Names that are resolved, each for a second at most. */
const LOOKUPS = { atOnce: 64, ofOneParty: 16, waits: WAITS };
/** Posts for callers who wait. A party has few, and one to each host: one may last 15 s, at an address that the party chose. */
const POSTS = { atOnce: 64, ofOneParty: 4, ofOnePerson: 1, waits: { ...WAITS, maxWaiting: 20 } };
/** What proxies are configured to wait for the answer to an upload. */
export const MAX_UPLOAD_WAIT_MS = 10 * 60_000;
/** How many documents a process has scanned at once: clamd works on ten at once, by default, and queues a hundred. */
const SCANS = {
  atOnce: 4,
  ofOneParty: 2,
  waits: { at: 'scans', maxWaiting: 1_000, waitMs: MAX_UPLOAD_WAIT_MS },
} as const;
/** How many mails of all parties, and of one, are read at once: parsing one holds up the event loop. */
const READS = { atOnce: 4, ofOneParty: 1, ofOnePerson: 1, waits: WAITS };
/** A mail to a slow server may take minutes: who waits for a turn learns sooner that it was not sent. */
const MAIL_WAITS = { at: 'mails', maxWaiting: 100, waitMs: 30_000 } as const;

export function kycInTurns(kyc: KycProvider): InTurns<KycProvider> {
  const call = sharedTurns(CALLS);
  return inTurns(kyc, { start: call, address: call, receive: 'local', outcome: call, pollMs: 'local', check: call });
}

export function eidInTurns(eid: EidProvider): InTurns<EidProvider> {
  const call = sharedTurns(CALLS);
  return inTurns(eid, {
    ...{ startAuthorization: call, handleCallback: call, outcome: call, documents: call, check: call },
    pollMs: 'local',
  });
}

export function bankInTurns(bank: BankProvider): InTurns<BankProvider> {
  const call = sharedTurns(CALLS);
  return inTurns(bank, {
    banks: 'local',
    ...{ startConsent: call, finishConsent: call, endConsent: call, check: call },
    ...{ details: call, balance: call, bookings: call },
  });
}

/** @param atOnce as many as the sender has connections, so that a mail's deadline begins with its turn; one party leaves one of them to others */
export function mailInTurns(mail: MailSender, atOnce: number): InTurns<MailSender> {
  const ofOneParty = Math.max(atOnce - 1, 1);
  const send = sharedTurns({ atOnce, ofOneParty, waits: MAIL_WAITS });
  return inTurns(mail, { send, check: sharedTurns(CALLS), close: 'local' });
}

export function mailboxInTurns(mailbox: Mailbox): InTurns<Mailbox> {
  return inTurns(mailbox, { read: sharedTurns(READS), list: 'local' });
}

export function localMailsInTurns(mails: LocalMails): InTurns<LocalMails> {
  return inTurns(mails, { kept: 'local', read: 'local', forget: 'local', forgetOffices: 'local' });
}

/** A call to a bucket is a turn until the head of its answer; a folder needs none. */
export function documentsInTurns(documents: DocumentStore): InTurns<DocumentStore> {
  return inTurns(documents, {
    ...{ put: 'within', get: 'within', openedBy: 'within', reseal: 'within' },
    ...{ kept: 'within', removeUnless: 'within', recover: 'within' },
  });
}

/** As for documents. */
export function headInTurns(head: HeadKeeper): InTurns<HeadKeeper> {
  return inTurns(head, { read: 'within', write: 'within' });
}

export function scannerInTurns(scanner: VirusScanner): InTurns<VirusScanner> {
  return inTurns(scanner, { check: sharedTurns(SCANS), signaturesFrom: sharedTurns(CALLS) });
}

export function outboundInTurns(outbound: OutboundHttp): InTurns<OutboundHttp> {
  const inTurn = sharedTurns(POSTS);
  const post: OutboundHttp['post'] = (url, ...rest) =>
    inTurn(() => outbound.post(url, ...rest), URL.parse(url)?.host ?? '');
  return inTurns(
    { ...outbound, post },
    { post: 'within', deliver: 'within', isKnownPrivate: sharedTurns(LOOKUPS), close: 'local' },
  );
}
