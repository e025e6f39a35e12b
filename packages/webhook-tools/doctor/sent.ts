import { parsedJson, rewritten } from './bodies.ts';
import { type Finding, fault, good, note } from './finding.ts';
import { keysOf, secretVariants } from './secrets.ts';

/** The service's own record of the delivery. */
export interface Sent {
  /** Null once it was purged. */
  body: string | null;
  /** The start of each attempt. */
  attemptedAt: readonly Date[];
  /** The current one first; empty for an unsigned webhook. */
  secrets: readonly KnownSecret[];
}

export interface KnownSecret {
  secret: string;
  /** The end of its overlap; undefined for the current one. */
  until: Date | undefined;
}

const SHOWN = 40;

/** Compares the body with the one that was sent. @param isExplained whether the signature has explained the change */
export function compareBody(body: Buffer, sent: Sent, isExplained: boolean): Finding[] {
  if (sent.body === null)
    return [
      note(
        'body-forgotten',
        'The sent body is no longer stored.',
        'Only the signature shows whether the body was changed.',
        '',
      ),
    ];
  const original = Buffer.from(sent.body);
  if (original.equals(body)) return [good('body-as-sent', 'The body is, byte for byte, what was sent.')];
  const offset = firstDifference(body, original);
  const where = `It differs from what was sent from byte ${offset} on: sent ${around(original, offset)}, received ${around(body, offset)}.`;
  return [
    isExplained
      ? note('body-differs', where, 'There the change begins.', '')
      : differing(body, original, offset, where),
  ];
}

function differing(body: Buffer, original: Buffer, offset: number, where: string): Finding {
  const [now, before] = [parsedJson(body), parsedJson(original)];
  const saysTheSame = now !== undefined && sorted(now) === sorted(before);
  if (saysTheSame) {
    const isReordered = JSON.stringify(now) !== JSON.stringify(before);
    const { found, ...rest } = rewritten(body, ...(isReordered ? ['its keys are in another order'] : []));
    return { ...rest, found: `${found} ${where}` };
  }
  if (body.length > 0 && offset === body.length)
    return fault(
      'body-truncated',
      `The body ends after ${body.length} of ${original.length} bytes.`,
      'It was read only in part, or something has a limit.',
      'Read to the end of the request; check the limits of what is in front of the receiver.',
    );
  return fault(
    'body-changed',
    `The body is not what was sent: ${body.length} bytes instead of ${original.length}. ${where}`,
    'Something on the way or in the receiver changed it.',
    'Verify the raw bytes as they arrived, and check what is in front of the receiver.',
  );
}

function firstDifference(body: Buffer, original: Buffer): number {
  const length = Math.min(body.length, original.length);
  for (let offset = 0; offset < length; offset++) if (body[offset] !== original[offset]) return offset;
  return length;
}

/** A few characters around the offset, as a JSON string, so that invisible ones show. */
function around(body: Buffer, offset: number): string {
  const from = Math.max(0, offset - SHOWN / 2);
  return body.length <= from ? 'nothing' : JSON.stringify(body.subarray(from, from + SHOWN).toString());
}

/** Equal for values that differ only in the order of keys. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

/** Checks whether the timestamp belongs to an attempt. */
export function compareTime(timestamp: string, sent: Sent): Finding | undefined {
  if (sent.attemptedAt.length === 0) return undefined;
  if (attemptTimes(sent).includes(timestamp))
    return good('timestamp-of-an-attempt', 'The timestamp is that of one of our attempts.');
  return note(
    'timestamp-of-no-attempt',
    'The timestamp is that of none of our recorded attempts.',
    'An attempt in which we were interrupted is not recorded; otherwise the header was changed.',
    '',
  );
}

export function attemptTimes({ attemptedAt }: Sent): string[] {
  return attemptedAt.map((moment) => String(Math.floor(moment.getTime() / 1000)));
}

/** Checks whether a given secret, or a repaired one, belongs to the webhook and is current. */
export function compareSecrets(given: readonly string[], sent: Sent, now: Date): Finding[] {
  const found = findIntended(given, sent);
  if (found) return [...found.changes, standing(found.known, now)];
  return [
    fault(
      'secret-not-registered',
      'The secret given is none of this webhook’s.',
      'It belongs to another webhook or environment, or was replaced long ago.',
      'Use the secret with which this URL was registered; each webhook has its own.',
    ),
  ];
}

export function isOfWebhook(given: readonly string[], sent: Sent): boolean {
  return findIntended(given, sent) !== undefined;
}

/** The webhook's secret that equals a given one, possibly after repairs. */
function findIntended(given: readonly string[], { secrets }: Sent) {
  const asGiven = given.map((secret) => ({ keys: keysOf(secret), changes: [] }));
  for (const { keys, changes } of [...asGiven, ...given.flatMap(secretVariants)]) {
    const known = secrets.find(({ secret }) => keysOf(secret).some((key) => keys.some((one) => one.equals(key))));
    if (known) return { known, changes };
  }
  return undefined;
}

function standing({ until }: KnownSecret, now: Date): Finding {
  if (!until) return good('secret-current', 'The secret given is the current one of this webhook.');
  const moment = until.toISOString();
  const why =
    until > now ? `It was replaced; it signs until ${moment}.` : `It was replaced; it has not signed since ${moment}.`;
  return note(
    'secret-former',
    'The secret given is a former one of this webhook.',
    why,
    'Give the receiver the new one.',
  );
}
