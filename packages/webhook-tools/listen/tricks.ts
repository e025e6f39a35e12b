import { randomBytes, randomUUID } from 'node:crypto';
import { newWebhookSecret, SIGNATURE_HEADERS, signatureHeaders } from '../signatures.ts';
import type { Delivery, Message } from './delivery.ts';
import type { Pace } from './forward.ts';
import { pick, type Random } from './random.ts';

/** A correct receiver answers 2xx to genuine deliveries and 4xx to others. */
export type Right = '2xx' | '4xx';

interface Explained {
  what: string;
  /** The correct response of a receiver. */
  right: Right;
  why: string;
}

/** What is done to disturb a receiver. */
export const TRICKS = {
  duplicates: { what: 'sent again, also concurrently', right: '2xx', why: 'already stored' },
  reorder: { what: 'two deliveries swapped', right: '2xx', why: 'order is not guaranteed' },
  delay: { what: 'a late delivery', right: '2xx', why: 'late, but not too late' },
  slow: { what: 'the body in pieces', right: '2xx', why: 'complete at its end' },
  'two-signatures': { what: 'only the second signature matches', right: '2xx', why: 'one match is enough' },
  'unknown-event': { what: 'an unknown event', right: '2xx', why: 'ignored' },
  'bad-signature': { what: 'signed with another secret', right: '4xx', why: 'forged' },
  'changed-body': { what: 'a changed byte in the body', right: '4xx', why: 'not what was signed' },
  'changed-id': { what: 'another webhook-id', right: '4xx', why: 'not what was signed' },
  'missing-headers': { what: 'one of the three missing', right: '4xx', why: 'cannot be verified' },
  'old-timestamp': { what: 'correctly signed, 10 minutes ago', right: '4xx', why: 'replayed' },
  'future-timestamp': { what: 'correctly signed, 10 minutes ahead', right: '4xx', why: 'no clock is that far off' },
} as const satisfies Record<string, Explained>;

export type Trick = keyof typeof TRICKS;
export const trickNames = Object.keys(TRICKS).filter(isTrick);

export function isTrick(name: string): name is Trick {
  return Object.hasOwn(TRICKS, name);
}

/** A request sent beside a delivery. */
export interface Copy extends Message {
  trick: Trick;
  /** What was done, in a few words. */
  done: string;
  pace?: Pace;
  /** Sent at the same moment as the delivery itself. */
  together?: true;
}

/** Tricks that only change the time of the delivery make no copies. */
type CopyingTrick = Exclude<Trick, 'reorder' | 'delay'>;
type Draft = Omit<Copy, 'trick'>;

const SKEW_MINUTES = 10;
const UNKNOWN_EVENT = 'SOMETHING_NEW';

const drafts: Record<CopyingTrick, (delivery: Delivery, secret: string, random: Random) => Draft[]> = {
  duplicates: (delivery, secret) => [
    { ...unchanged(delivery), done: 'the same, at the same moment', together: true },
    { ...signed(delivery, secret), done: 'again, signed again as a retry is' },
  ],
  slow: (delivery) => [{ ...unchanged(delivery), done: 'the body in pieces, with pauses', pace: 'slowly' }],
  'two-signatures': (delivery) => {
    const { headers, body } = unchanged(delivery);
    const both = `v1,${randomBytes(32).toString('base64')} ${headers['webhook-signature']}`;
    const done = 'two signatures, the second is right';
    return [{ headers: { ...headers, 'webhook-signature': both }, body, done }];
  },
  'unknown-event': (delivery, secret) => {
    const body = Buffer.from(JSON.stringify({ event: UNKNOWN_EVENT, data: {} }));
    const made = signed({ ...delivery, body, id: anotherId() }, secret);
    return [{ ...made, done: `${UNKNOWN_EVENT}, an event made up here` }];
  },
  'bad-signature': (delivery) => [{ ...signed(delivery, newWebhookSecret()), done: 'signed with another secret' }],
  'changed-body': ({ headers, body }, _, random) => [
    { headers, body: oneByteChanged(body, random), done: 'one byte of the body changed' },
  ],
  'changed-id': ({ headers, body }) => [
    { headers: { ...headers, 'webhook-id': anotherId() }, body, done: 'another webhook-id' },
  ],
  'missing-headers': ({ headers, body }) =>
    SIGNATURE_HEADERS.map((lacking) => ({
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== lacking)),
      body,
      done: `no ${lacking}`,
    })),
  'old-timestamp': (delivery, secret) => [
    { ...signed(delivery, secret, -SKEW_MINUTES), done: `signed rightly, ${SKEW_MINUTES} minutes ago` },
  ],
  'future-timestamp': (delivery, secret) => [
    { ...signed(delivery, secret, SKEW_MINUTES), done: `signed rightly, ${SKEW_MINUTES} minutes ahead` },
  ],
};

/** The requests sent beside a genuine delivery. */
export function copiesOf(trick: Trick, delivery: Delivery, secret: string, random: Random): Copy[] {
  if (trick === 'reorder' || trick === 'delay') return [];
  return drafts[trick](delivery, secret, random).map((draft) => ({ ...draft, trick }));
}

function anotherId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`;
}

function unchanged({ headers, body }: Message): Message {
  return { headers, body };
}

/** As the service would have signed it at another time or with another secret. */
function signed({ id, headers, body }: Delivery, secret: string, minutes = 0): Message {
  const at = new Date(Date.now() + minutes * 60_000);
  return { headers: { ...headers, ...signatureHeaders(id, at, body.toString(), [secret]) }, body };
}

/** Changes a letter or digit inside a JSON string, so that it stays JSON and only the signature reveals it. */
function oneByteChanged(body: Buffer, random: Random): Buffer {
  const text = body.toString('latin1');
  const places = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].flatMap(({ index, 0: literal }) =>
    [...literal.matchAll(/(?<!\\)[a-z0-9]/gi)].map((letter) => index + letter.index),
  );
  const place = pick(random, places) ?? 0;
  const changed = Buffer.from(body);
  changed[place] = text[place] === 'x' ? 0x79 : 0x78;
  return changed;
}
