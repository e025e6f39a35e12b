import { createHmac } from 'node:crypto';
import { bodyVariants, parsedJson, rewritten } from './bodies.ts';
import { type Finding, fault } from './finding.ts';
import type { Signed } from './headers.ts';
import { keyOrders } from './key-orders.ts';
import { keysOf, secretVariants } from './secrets.ts';
import { attemptTimes, type Sent } from './sent.ts';

export interface Case {
  signed: Signed;
  body: Buffer;
  secrets: readonly string[];
  sent: Sent | undefined;
}

/** Longer bodies are not combined with repaired secrets, which would take seconds. */
const LONG_BODY_BYTES = 64 * 1024;

/** Returns the smallest set of changes that makes a signature fit: empty when it fits as received, undefined when nothing fits. */
export function fewestChanges(asked: Case): Finding[] | undefined {
  for (const { key, body, changes } of combinations(asked)) if (fits(asked.signed, key, body)) return changes;
  const other = otherMoment(asked) ?? otherId(asked) ?? otherOrder(asked);
  return other && [other];
}

export function fits({ id, timestamp, signatures, beginnings }: Signed, key: Uint8Array, body: Uint8Array): boolean {
  // Does not use the signing library: receivers may send timestamps and bytes that the library rejects.
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  const expected = `v1,${hmac.digest('base64')}`;
  return signatures.includes(expected) || beginnings.some((beginning) => expected.startsWith(beginning));
}

/** Both lists begin with the simplest change, and a key fits one body: the first match has the fewest changes. */
function* combinations({ body, secrets }: Case) {
  const bodies = [{ body, changes: [] }, ...bodyVariants(body)];
  const keys = secrets.flatMap((secret) => [{ keys: keysOf(secret), changes: [] }, ...secretVariants(secret)]);
  for (const { keys: alternatives, changes: ofSecret } of keys)
    for (const key of alternatives)
      for (const { body: before, changes: ofBody } of bodies)
        if (body.length <= LONG_BODY_BYTES || ofSecret.length === 0 || ofBody.length === 0)
          yield { key, body: before, changes: [...ofSecret, ...ofBody] };
}

function otherMoment({ signed, body, secrets, sent }: Case): Finding | undefined {
  const keys = secrets.flatMap(keysOf);
  const isSigned = (timestamp: string) => keys.some((key) => fits({ ...signed, timestamp }, key, body));
  if (!sent || !attemptTimes(sent).some(isSigned)) return undefined;
  return fault(
    'timestamp-changed',
    'The signature matches the timestamp of another attempt, not the one received.',
    'webhook-timestamp was changed, or is that of another attempt.',
    'Take the three headers of one and the same request.',
  );
}

function otherId({ signed, body, secrets }: Case): Finding | undefined {
  const { id } = signed;
  const bare = id.replace(/^msg_/i, '').toLowerCase();
  const others = [`msg_${bare}`, `msg_${bare.replaceAll('-', '')}`, id.split(/[\s,;]/)[0] ?? id];
  const keys = secrets.flatMap(keysOf);
  if (!others.some((other) => keys.some((key) => fits({ ...signed, id: other }, key, body)))) return undefined;
  return fault(
    'id-changed',
    'The signature matches another spelling of webhook-id.',
    'The id is signed too. Something shortened it, made it upper case, or added to it.',
    'Give the library webhook-id as it was sent.',
  );
}

/** Not tried when the sent body is known. */
function otherOrder({ signed, body, secrets, sent }: Case): Finding | undefined {
  if (typeof sent?.body === 'string') return undefined;
  const keys = secrets.flatMap(keysOf);
  for (const text of keyOrders(parsedJson(body)))
    if (keys.some((key) => fits(signed, key, Buffer.from(text))))
      return rewritten(body, 'its keys are in another order');
  return undefined;
}
