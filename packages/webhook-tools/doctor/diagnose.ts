import { readings } from '../signatures.ts';
import { type Finding, fault, good, note, worstFirst } from './finding.ts';
import { type HeaderList, readHeaders } from './headers.ts';
import { type Case, fewestChanges, fits } from './search.ts';
import { howToRead, keysOf, secretVariants } from './secrets.ts';
import { attemptTimes, compareBody, compareSecrets, compareTime, isOfWebhook, type Sent } from './sent.ts';
import { bodySuspicions, secretSuspicions } from './suspicions.ts';
import { compareClock, receiptUnknown } from './timestamp.ts';

export { type Finding, worstFirst } from './finding.ts';
export { type HeaderList, webhookId } from './headers.ts';
export type { KnownSecret, Sent } from './sent.ts';

/** A delivery as it was received. */
export interface Received {
  headers: HeaderList;
  /** The raw bytes. */
  body: Uint8Array;
  /** The receiver's secrets; empty when unknown. */
  secrets: readonly string[];
  /** When it was received; undefined when unknown. */
  receivedAt?: Date | undefined;
  now: Date;
  /** The service's record of the delivery; undefined when there is none with this id. */
  sent?: Sent | undefined;
}

/** Explains why a delivery does not verify, the most likely cause first, and what is correct about it. Never throws. */
export function diagnose(received: Received): Finding[] {
  const { headers, secrets, receivedAt, now, sent } = received;
  const body = Buffer.from(received.body);
  const { signed, findings } = readHeaders(headers);
  const ofSignature = signed ? judge({ signed, body, secrets, sent }, headers) : [];
  const isExplained = ofSignature.some(({ level, code }) => level === 'fault' && code.startsWith('body-'));
  // The comparison with the sent body reports truncation better.
  const looks =
    sent && !isExplained ? bodySuspicions(body, headers).filter(({ code }) => code !== 'body-truncated') : [];
  const ofBody = sent ? [...looks, ...compareBody(body, sent, isExplained || looks.length > 0)] : [];
  const ofTime = sent && signed && compareTime(signed.timestamp, sent);
  const isReceiptUnknown = !receivedAt && sent && signed && attemptTimes(sent).includes(signed.timestamp);
  const ofClock = isReceiptUnknown ? receiptUnknown() : signed && compareClock(signed.timestamp, receivedAt ?? now);
  const isNoSecret = ofSignature.some(({ code }) => code === 'secret-empty' || code === 'secret-is-a-signature');
  const isComparable = sent && sent.secrets.length > 0 && secrets.length > 0 && !isNoSecret;
  const ofSecret = isComparable ? compareSecrets(secrets, sent, receivedAt ?? now) : [];
  const ofWebhook = sent?.secrets.length === 0 ? unsigned() : undefined;
  const all = [ofWebhook, ...ofBody, ...ofSignature, ...ofSecret, ...findings, ofClock, ofTime];
  return worstFirst(all.filter((finding) => finding !== undefined));
}

/** Whether a receiver with this secret accepts the delivery. */
export function verifies(findings: readonly Finding[]): boolean {
  const isFaultless = findings.every(({ level }) => level !== 'fault');
  return isFaultless && findings.some(({ code }) => code === 'signature-verifies');
}

function unsigned(): Finding {
  return fault(
    'webhook-unsigned',
    'The webhook of this delivery has no secret.',
    'We send its deliveries without the three headers.',
    'Register the URL with a secret.',
  );
}

function judge(asked: Case, headers: HeaderList): Finding[] {
  const { secrets, sent, body, signed } = asked;
  // The header's findings explain it.
  if (signed.signatures.length + signed.beginnings.length === 0) return [];
  const ours = () =>
    sent ? fewestChanges({ ...asked, secrets: sent.secrets.map(({ secret }) => secret) }) : undefined;
  if (secrets.length === 0) return withoutSecret(ours(), bodySuspicions(body, headers));
  const changes = fewestChanges(asked);
  if (changes) return [...changes, ...(changes.length === 0 ? fitting(asked) : [])];
  return [...(knownToFit(asked) ?? unfit(asked, ours(), headers))];
}

function fitting({ signed, body, secrets }: Case): Finding[] {
  const all = secrets.flatMap(readings);
  const ways = [...new Set(all.filter(({ key }) => fits(signed, key, body)).map(({ as }) => as))];
  const [only] = ways.length === 1 ? ways : [];
  const findings = [
    good(
      'signature-verifies',
      `The signature matches the body, the id, the timestamp and the secret, read as ${ways.join(' and as ')}.`,
      `If your receiver refuses it, check whether it takes the raw body${only ? ` and reads the secret as ${only}` : ''}.`,
      only ? howToRead(only) : '',
    ),
  ];
  return [...findings, ...writtenOtherwise({ signed, body, secrets })];
}

/** Checks each way of reading a registered secret. When only some fit, it was registered in another spelling. */
function writtenOtherwise({ signed, body, secrets }: Pick<Case, 'signed' | 'body' | 'secrets'>): Finding[] {
  const isRegistered = (keys: readonly Buffer[]) => keys.length > 0 && keys.every((key) => fits(signed, key, body));
  if (secrets.some((secret) => isRegistered(keysOf(secret)))) return [];
  const changes = secrets.flatMap(secretVariants).find(({ keys }) => isRegistered(keys))?.changes ?? [];
  // Libraries decode base64 with or without the prefix.
  return changes.map(({ code, found, why, fix }) => (code === 'secret-prefix' ? note : fault)(code, found, why, fix));
}

function withoutSecret(changes: Finding[] | undefined, looks: Finding[]): Finding[] {
  const advice = note(
    'secret-not-given',
    'No secret was given, so it is unknown whether the receiver has the right one.',
    'Only the secret shows whether the signature matches.',
    'Give the receiver’s secret as well.',
  );
  if (!changes) return [advice, ...looks];
  return changes.length > 0
    ? [advice, ...changes]
    : [advice, good('signature-ours', 'The signature is the one that we sent.')];
}

/** The body was changed irreversibly, but the secret fits the body that was sent. */
function knownToFit(asked: Case): Finding[] | undefined {
  const sentBody = asked.sent?.body;
  if (typeof sentBody !== 'string') return undefined;
  const changes = fewestChanges({ ...asked, body: Buffer.from(sentBody) });
  return changes && [...changes, good('secret-fits-what-was-sent', 'The signature matches the body that we sent.')];
}

function unfit({ signed, body, secrets, sent }: Case, ours: Finding[] | undefined, headers: HeaderList): Finding[] {
  const looks = ours ? [] : bodySuspicions(body, headers);
  const ofSecret = secrets.flatMap((secret) => secretSuspicions(secret, signed.signatures));
  const isNamed = [...looks, ...ofSecret].some(({ level }) => level === 'fault');
  return [
    ...(ours ?? []),
    ...looks,
    ...ofSecret,
    ...(isNamed ? [] : [!ours && sent && isOfWebhook(secrets, sent) ? changedBeyondRepair() : wrongSecret(ours)]),
  ];
}

function wrongSecret(ours: Finding[] | undefined): Finding {
  return fault(
    'wrong-secret',
    ours
      ? 'The signature matches a secret of this webhook, but not the one given.'
      : 'No signature matches, however the body and the secret are read.',
    `The receiver has another secret: that of another webhook or environment, or one that was replaced.${ours ? '' : ' Or the body was changed in a way that cannot be undone.'}`,
    'Compare the secret with the one that this URL was registered with; look for another webhook with this URL.',
  );
}

function changedBeyondRepair(): Finding {
  return fault(
    'body-changed',
    'No signature matches, although the secret is one of this webhook.',
    'The body, the id or the timestamp was changed in a way that cannot be undone, or the secret signed at another time.',
    'Verify the raw bytes as they arrived, and check what is in front of the receiver.',
  );
}
