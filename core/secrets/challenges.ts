import { createHmac, randomBytes } from 'node:crypto';
import { isoAfter, MINUTE_MS } from '../time.ts';
import { type KeyRing, keysOf } from './key-ring.ts';
import { keyObjectOf } from './sealing.ts';
import { equalInConstantTime } from './secrets.ts';

/** How long an authenticator may take to sign a challenge. */
const CHALLENGE_MS = 10 * MINUTE_MS;
const CHALLENGE = /^((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) [\w-]{22}) ([\w-]{43})$/;

/** A challenge that is not stored: its moment, random bits, and their HMAC. @param purpose what it is for, and for whom */
export function newChallenge(purpose: string, now: Date, { current }: Pick<KeyRing, 'current'>): string {
  const issued = `${now.toISOString()} ${randomBytes(16).toString('base64url')}`;
  return `${issued} ${macOf(purpose, issued, current)}`;
}

/** When a challenge was issued; undefined when it is too old, for another purpose, or not ours. */
export function challengeMoment(purpose: string, challenge: string, now: Date, ring: KeyRing): string | undefined {
  const [, issued, moment, mac] = CHALLENGE.exec(challenge) ?? [];
  if (issued === undefined || moment === undefined || mac === undefined) return undefined;
  const isOurs = keysOf(ring).some((key) => equalInConstantTime(macOf(purpose, issued, key), mac));
  return isOurs && moment > isoAfter(now, -CHALLENGE_MS) ? moment : undefined;
}

function macOf(purpose: string, issued: string, key: Uint8Array): string {
  return createHmac('sha256', keyObjectOf(key)).update(`challenge:${issued}:${purpose}`).digest('base64url');
}
