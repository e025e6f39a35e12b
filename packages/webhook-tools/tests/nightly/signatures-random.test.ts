import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { type SignatureHeaders, signatureHeaders } from '../../signatures.ts';

/** Fixed, so that a failure is due to the change. */
const SEED = 20_261_121;
const RUNS = 10_000;

/** A secret and the keys that receivers may derive from it. */
interface Registered {
  kind: string;
  secret: string;
  keys: Buffer[];
}

const long = { minLength: 1, maxLength: 64, size: 'max' } as const;
const bytes = fc.uint8Array(long).map((array) => Buffer.from(array));
const characters = (kind: string, secret: fc.Arbitrary<string>) =>
  secret.map((text): Registered => ({ kind, secret: text, keys: [Buffer.from(text)] }));
const encoded = (kind: string, write: (key: Buffer) => string, isCertain = false) =>
  bytes.map((key): Registered => {
    const secret = write(key);
    return { kind, secret, keys: isCertain ? [key] : [key, Buffer.from(secret)] };
  });
const unpadded = (key: Buffer) => key.toString('base64').replace(/=+$/, '');
const inLines = (key: Buffer) => key.toString('base64').replace(/.{20}(?=.)/g, '$&\n');

const registered = fc.oneof(
  encoded('whsec_ and base64', (key) => `whsec_${key.toString('base64')}`, true),
  encoded('base64', (key) => key.toString('base64')),
  encoded('base64 without padding', unpadded),
  encoded('whsec_ and base64 without padding', (key) => `whsec_${unpadded(key)}`).filter(
    ({ secret }) => secret.slice('whsec_'.length).length % 4 !== 0,
  ),
  encoded('base64 in lines', inLines),
  characters(
    'base64url',
    bytes.map((key) => key.toString('base64url')),
  ),
  characters('printable ASCII', fc.string(long)).filter(isPlain),
  characters('UTF-8', fc.string({ ...long, unit: 'binary' })).filter(isPlain),
  characters(
    'whsec_ and no base64',
    fc.string({ maxLength: 32 }).map((text) => `whsec_${text}!`),
  ),
  characters(
    'spaces',
    fc.string({ maxLength: 16 }).map((text) => ` ${text} \t`),
  ),
);

/** Secrets with the prefix `whsec_` are covered separately. */
function isPlain({ secret }: Registered): boolean {
  return !secret.startsWith('whsec_');
}

const delivery = fc.record({
  id: fc.uuid().map((id) => `msg_${id.replaceAll('-', '')}`),
  body: fc
    .jsonValue({ stringUnit: 'binary', depthSize: 'small' })
    .map((data) => JSON.stringify({ event: 'KYC_VERIFICATION_DATA', data })),
  secrets: fc.array(registered, { minLength: 1, maxLength: 3 }),
  changedByte: fc.nat(),
});

describe('signatures of random payloads', function () {
  this.timeout(600_000);

  it(`verify for every kind of secret, alone and in rotation, and never over changed content: ${RUNS}`, () => {
    fc.assert(
      fc.property(delivery, ({ id, body, secrets, changedByte }) => {
        const sentAt = new Date();
        const headers = signatureHeaders(
          id,
          sentAt,
          body,
          secrets.map(({ secret }) => secret),
        );
        for (const { kind, secret, keys } of secrets) {
          const sent = messageOf(headers, Buffer.from(body));
          if (!keys.every((key) => verifiesByHand(key, sent))) throw new Error(`${kind}: does not verify by hand`);
          for (const receiver of asRegistered(secret)) receiver.verify(body, headers, { jsonParse: false });
          for (const key of keys)
            for (const changed of changes(headers, Buffer.from(body), changedByte))
              if (verifiesByHand(key, changed)) throw new Error(`${kind}: verifies though it was changed`);
        }
        const sent = headers['webhook-signature'].split(' ');
        if (new Set(sent).size !== sent.length) throw new Error('A signature is sent twice.');
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});

interface Message {
  id: string;
  timestamp: string;
  signatures: string;
  body: Buffer;
}

/**
 * Verifies with the public library, using the registered secret as an integrator would, if the library accepts that secret. The library
 * ignores a final character that is not base64. The service signs with it as well, so `node:crypto` decides whether a signature is right.
 */
function asRegistered(secret: string): Webhook[] {
  if (!/^(whsec_)?[A-Za-z0-9+/]+=*$/.test(secret)) return [];
  try {
    return [new Webhook(secret)];
  } catch {
    return [];
  }
}

function messageOf(headers: SignatureHeaders, body: Buffer): Message {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  return { id, timestamp, signatures, body };
}

function verifiesByHand(key: Buffer, { id, timestamp, signatures, body }: Message): boolean {
  const digest = createHmac('sha256', key).update(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]));
  return signatures.split(' ').includes(`v1,${digest.digest('base64')}`);
}

/** The message with one byte of its body, one character of its id, or its time changed. */
function changes(headers: SignatureHeaders, body: Buffer, at: number): Message[] {
  const message = messageOf(headers, body);
  const otherBody = Buffer.from(body);
  otherBody.writeUInt8((otherBody[at % body.length] ?? 0) ^ 1, at % body.length);
  const place = at % message.id.length;
  const otherId = `${message.id.slice(0, place)}!${message.id.slice(place + 1)}`;
  return [
    { ...message, body: otherBody },
    { ...message, id: otherId },
    { ...message, timestamp: String(Number(message.timestamp) + 1) },
  ];
}
