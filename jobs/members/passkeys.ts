import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { challengeMoment, newChallenge } from '../../core/secrets/challenges.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import { isRecord, parsedJson } from '../../core/text.ts';
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type MemberPasskeyRow,
  notePasskeyUse,
  renamePasskey,
} from '../../db/access/member-passkeys.ts';
import { lockMember } from '../../db/access/member-sessions.ts';
import type { ListedMember } from '../../db/access/members.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import { openMemberSession } from './member-sign-in.ts';

type Changing = Pick<Runtime, 'db' | 'now'>;
type Passkeys = Changing & Pick<Runtime, 'keys' | 'publicUrl'>;

/** EdDSA, ES256, RS256: what authenticators have, with responses that fit into a form. */
const ALGORITHMS = [-8, -7, -257];

interface Place {
  rpID: string;
  origin: string;
}

/** What passkeys are bound to. Undefined where browsers offer none: they need a host name, and https unless it is `localhost`. */
export function passkeyPlace(publicUrl: string): Place | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  const isSecure = protocol === 'https:' || /(^|\.)localhost$/.test(hostname);
  return isName && isSecure ? { rpID: hostname, origin } : undefined;
}

// Loaded on first use: few visits need it.
const library = () => import('@simplewebauthn/server');

/** A session of a member, in which they add a passkey. */
interface OwnSession {
  member: ListedMember;
  sessionId: string;
}

const adding = ({ member, sessionId }: OwnSession) => `add ${member.id} ${sessionId}`;
const signingIn = (visitor: string) => `sign in ${hashSecret(visitor)}`;

/** What the browser needs to create a passkey. Undefined where there are none. */
export async function passkeyCreation({ db, now, keys, publicUrl }: Passkeys, session: OwnSession): Promise<unknown> {
  const place = passkeyPlace(publicUrl());
  if (!place) return undefined;
  const { member } = session;
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpID: place.rpID,
    rpName: member.landlord_name,
    userID: new TextEncoder().encode(member.id),
    // One address may be a member of several landlords.
    userName: `${member.mail_address} (${member.landlord_name})`,
    userDisplayName: member.name,
    challenge: newChallenge(adding(session), now(), keys.encryption),
    excludeCredentials: (await listPasskeys(db, member.id)).map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/**
 * Adds the passkey that a browser created. Its challenge was issued to a member who had recently signed in, and counts as their proof.
 * @param given by the browser, untrusted @returns false when it was not created for this session, or is one too many
 */
export async function addPasskey(
  runtime: Passkeys,
  session: OwnSession,
  name: string,
  given: string,
): Promise<boolean> {
  const { db, now, keys, publicUrl } = runtime;
  const [place, response] = [passkeyPlace(publicUrl()), registrationIn(given)];
  const challenge = response && challengeIn(response);
  const challenge_at = challenge && challengeMoment(adding(session), challenge.text, now(), keys.encryption);
  if (!place || !challenge_at) return false;
  const { verifyRegistrationResponse } = await library();
  // It throws at whatever does not match.
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge.encoded,
    expectedOrigin: place.origin,
    expectedRPID: place.rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!verified?.verified || !verified.registrationInfo) return false;
  const { id: credential_id, publicKey, counter } = verified.registrationInfo.credential;
  const public_key = Buffer.from(publicKey).toString('base64url');
  const member_id = session.member.id;
  return inTransaction(db, async (trx) => {
    await lockMember(trx, member_id);
    const id = await insertPasskey(trx, { member_id, name, credential_id, public_key, counter, challenge_at }, now());
    if (id === undefined) return false;
    await recordAudit(trx, { kind: 'member', id: member_id }, 'passkey.create', id, now());
    return true;
  });
}

/** What the browser needs to sign in with a passkey. @param visitor the token of the browser. Undefined where there are no passkeys. */
export async function passkeyRequest(
  { now, keys, publicUrl }: Omit<Passkeys, 'db'>,
  visitor: string,
): Promise<unknown> {
  const place = passkeyPlace(publicUrl());
  if (!place) return undefined;
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: place.rpID,
    challenge: newChallenge(signingIn(visitor), now(), keys.encryption),
    userVerification: 'required',
  });
}

/**
 * Signs in the member of a passkey. Challenges are not stored: a passkey takes only a challenge that is newer than its last one, so none works
 * twice.
 * @param given by the browser, untrusted @param visitor the token of the browser to which the challenge was issued
 * @returns the session's token; undefined when the passkey does not sign in, whatever the reason
 */
export async function signInWithPasskey(
  { db, now, keys, publicUrl }: Passkeys,
  given: string,
  { visitor, browser }: { visitor: string; browser: string },
): Promise<string | undefined> {
  const [place, response] = [passkeyPlace(publicUrl()), assertionIn(given)];
  const challenge = response && challengeIn(response);
  const challenge_at = challenge && challengeMoment(signingIn(visitor), challenge.text, now(), keys.encryption);
  if (!place || !challenge_at) return undefined;
  const passkey = await findPasskey(db, response.id);
  if (!passkey || decoded(response.response.userHandle ?? '') !== passkey.member_id) return undefined;
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge.encoded,
    expectedOrigin: place.origin,
    expectedRPID: place.rpID,
    requireUserVerification: true,
    credential: credentialOf(passkey),
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { newCounter } = verified.authenticationInfo;
  return inTransaction(db, async (trx) => {
    if (!(await notePasskeyUse(trx, passkey, { counter: newCounter, challenge_at }, now()))) return undefined;
    await recordAudit(trx, { kind: 'member', id: passkey.member_id }, 'passkey.use', passkey.id, now());
    return openMemberSession(trx, passkey.member_id, browser, now());
  });
}

/** @returns false when the member has no such passkey, or it had this name */
export function renameOwnPasskey(runtime: Changing, memberId: string, id: string, name: string): Promise<boolean> {
  const { db, now } = runtime;
  return inTransaction(db, async (trx) => {
    const isChanged = await renamePasskey(trx, { id, member_id: memberId }, name);
    if (isChanged) await recordAudit(trx, { kind: 'member', id: memberId }, 'passkey.rename', id, now());
    return isChanged;
  });
}

/** @returns false when the member has no such passkey */
export function removeOwnPasskey({ db, now }: Changing, memberId: string, id: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const isRemoved = await deletePasskey(trx, { id, member_id: memberId });
    if (isRemoved) await recordAudit(trx, { kind: 'member', id: memberId }, 'passkey.remove', id, now());
    return isRemoved;
  });
}

function credentialOf({ credential_id, public_key, counter }: MemberPasskeyRow) {
  return { id: credential_id, publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')), counter };
}

function decoded(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString();
}

/** The challenge that was signed, as the library compares it, and in its own text. */
function challengeIn({ response }: RegistrationResponseJSON | AuthenticationResponseJSON) {
  const data = parsedJson(decoded(response.clientDataJSON));
  const encoded = isRecord(data) ? data['challenge'] : undefined;
  return typeof encoded === 'string' ? { encoded, text: decoded(encoded) } : undefined;
}

function registrationIn(given: string): RegistrationResponseJSON | undefined {
  const found = credentialIn(given);
  if (!found) return undefined;
  const { clientDataJSON, attestationObject } = found.response;
  if (typeof clientDataJSON !== 'string' || typeof attestationObject !== 'string') return undefined;
  return { ...found, response: { clientDataJSON, attestationObject } };
}

function assertionIn(given: string): AuthenticationResponseJSON | undefined {
  const found = credentialIn(given);
  if (!found) return undefined;
  const { clientDataJSON, authenticatorData, signature, userHandle } = found.response;
  if (typeof clientDataJSON !== 'string' || typeof authenticatorData !== 'string') return undefined;
  if (typeof signature !== 'string' || typeof userHandle !== 'string') return undefined;
  return { ...found, response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

/** What the browser's `PublicKeyCredential` serializes to. */
function credentialIn(given: string) {
  const found = parsedJson(given);
  if (!isRecord(found) || !isRecord(found['response'])) return undefined;
  const { id, rawId, type, response } = found;
  if (typeof id !== 'string' || typeof rawId !== 'string' || type !== 'public-key') return undefined;
  return { id, rawId, type, response, clientExtensionResults: {} } as const;
}
