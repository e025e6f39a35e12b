import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { on } from '../../core/errors.ts';
import { challengeMoment, newChallenge } from '../../core/secrets/challenges.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import { isRecord, parsedJson } from '../../core/text.ts';
import { countPasskeyNotice } from '../../db/access/passkey-notices.ts';
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  MAX_PASSKEYS,
  notePasskeyUse,
  type PasskeyRow,
  renamePasskey,
} from '../../db/access/passkeys.ts';
import { type Holder, type Holders, lockHolder } from '../../db/access/sign-in.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import { mailPasskeyChange, type NoticeAddress } from './passkey-mail.ts';
import { openSession } from './sign-in.ts';

type Changing = Pick<Runtime, 'db' | 'now'>;
type Telling = Changing & Pick<Runtime, 'providers' | 'log'>;
type Challenging = Pick<Runtime, 'now' | 'keys'>;

/** EdDSA, ES256, RS256: what authenticators have, with responses that fit into a form. */
const ALGORITHMS = [-8, -7, -257];

/** How many passkeys a holder adds within a day: a mail tells them of each, and of each that was removed. */
const MAX_ADDED_A_DAY = 2 * MAX_PASSKEYS;

const BASE64URL = /^[\w-]+$/;

/** One of the offices in which people sign in with passkeys. */
export interface PasskeyOffice {
  of: Holders;
  /** Where browsers reach it. */
  url(): string;
}

/** A holder of passkeys who is signed in. */
export interface PasskeyOwner extends Holder {
  office: PasskeyOffice;
  actor: Actor;
  sessionId: string;
  /** As authenticators show them. */
  names: Record<'rpName' | 'userName' | 'userDisplayName', string>;
  /** Where a mail says that a passkey was added or removed; undefined without an address. */
  notices: NoticeAddress | undefined;
}

interface Place {
  rpID: string;
  origin: string;
}

/** What passkeys are bound to. Undefined where browsers offer none: they need a host name, and https unless it is `localhost`. */
export function passkeyPlace(url: string): Place | undefined {
  const { protocol, hostname, origin } = new URL(url);
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  const isSecure = protocol === 'https:' || /(^|\.)localhost$/.test(hostname);
  return isName && isSecure ? { rpID: hostname, origin } : undefined;
}

/** Undoes what the transaction did. */
class TooManyAdded extends Error {}

// Loaded on first use: few visits need it.
const library = () => import('@simplewebauthn/server');

const adding = ({ of, id, sessionId }: PasskeyOwner) => `add ${of} ${id} ${sessionId}`;
const signingIn = ({ of }: PasskeyOffice, visitor: string) => `sign in ${of} ${hashSecret(visitor)}`;

/** What the browser needs to create a passkey. Undefined where there are none. */
export async function passkeyCreation(
  { db, now, keys }: Challenging & Pick<Runtime, 'db'>,
  owner: PasskeyOwner,
): Promise<unknown> {
  const place = passkeyPlace(owner.office.url());
  if (!place) return undefined;
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    ...owner.names,
    rpID: place.rpID,
    userID: new TextEncoder().encode(owner.id),
    challenge: newChallenge(adding(owner), now(), keys.encryption),
    excludeCredentials: (await listPasskeys(db, owner)).map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/**
 * Adds the passkey that a browser created. Its challenge was issued to a holder who had recently signed in, and counts as their proof.
 * @param given by the browser, untrusted @returns false when it was not created for this session, or is one too many
 */
export async function addPasskey(
  runtime: Telling & Challenging,
  owner: PasskeyOwner,
  name: string,
  given: string,
): Promise<boolean> {
  const { db, now } = runtime;
  const answer = answered(runtime, owner.office, adding(owner), registrationIn(given));
  if (!answer) return false;
  const { response, challenge_at, expected } = answer;
  const { verifyRegistrationResponse } = await library();
  // It throws at whatever does not match.
  const verified = await verifyRegistrationResponse({
    ...expected,
    response,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!verified?.verified || !verified.registrationInfo) return false;
  const { id: credential_id, publicKey, counter } = verified.registrationInfo.credential;
  const public_key = Buffer.from(publicKey).toString('base64url');
  const isAdded = await inTransaction(db, async (trx) => {
    await lockHolder(trx, owner);
    const id = await insertPasskey(trx, owner, { name, credential_id, public_key, counter, challenge_at }, now());
    if (id === undefined) return false;
    if (!(await countPasskeyNotice(trx, owner, MAX_ADDED_A_DAY, now()))) throw new TooManyAdded();
    await recordAudit(trx, owner.actor, 'passkey.create', id, now());
    return true;
  }).catch(on(TooManyAdded, () => false));
  if (isAdded) mailPasskeyChange(runtime, owner.notices, 'added', name);
  return isAdded;
}

/** What the browser needs to sign in with a passkey. @param visitor the token of the browser. Undefined where there are no passkeys. */
export async function passkeyRequest(
  { now, keys }: Challenging,
  office: PasskeyOffice,
  visitor: string,
): Promise<unknown> {
  const place = passkeyPlace(office.url());
  if (!place) return undefined;
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: place.rpID,
    challenge: newChallenge(signingIn(office, visitor), now(), keys.encryption),
    userVerification: 'required',
  });
}

/**
 * Signs in the holder of a passkey. Challenges are not stored: a passkey takes only a challenge that is newer than its last one, so none works
 * twice.
 * @param given by the browser, untrusted @param visitor the token of the browser to which the challenge was issued
 * @returns the session's token; undefined when the passkey does not sign in, whatever the reason
 */
export async function signInWithPasskey(
  runtime: Changing & Challenging,
  office: PasskeyOffice,
  given: string,
  { visitor, browser }: { visitor: string; browser: string },
): Promise<string | undefined> {
  const { db, now } = runtime;
  const answer = answered(runtime, office, signingIn(office, visitor), assertionIn(given));
  if (!answer) return undefined;
  const { response, challenge_at, expected } = answer;
  const found = await findPasskey(db, office.of, response.id);
  if (!found || decoded(response.response.userHandle ?? '') !== found.holder.id) return undefined;
  const { passkey, holder } = found;
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse({
    ...expected,
    response,
    credential: credentialOf(passkey),
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { newCounter } = verified.authenticationInfo;
  return inTransaction(db, async (trx) => {
    if (!(await notePasskeyUse(trx, holder, passkey, { counter: newCounter, challenge_at }, now()))) return undefined;
    const entered = await openSession(trx, holder, browser, now());
    if (entered) await recordAudit(trx, entered.actor, 'passkey.use', passkey.id, now());
    return entered?.token;
  });
}

/** @returns false when the owner has no such passkey, or it had this name */
export function renameOwnPasskey(
  { db, now }: Changing,
  owner: PasskeyOwner,
  id: string,
  name: string,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const isChanged = await renamePasskey(trx, owner, id, name);
    if (isChanged) await recordAudit(trx, owner.actor, 'passkey.rename', id, now());
    return isChanged;
  });
}

/** @returns false when the owner has no such passkey */
export async function removeOwnPasskey(runtime: Telling, owner: PasskeyOwner, id: string): Promise<boolean> {
  const { db, now } = runtime;
  const removed = await inTransaction(db, async (trx) => {
    const name = await deletePasskey(trx, owner, id);
    if (name !== undefined) await recordAudit(trx, owner.actor, 'passkey.remove', id, now());
    return name;
  });
  if (removed !== undefined) mailPasskeyChange(runtime, owner.notices, 'removed', removed);
  return removed !== undefined;
}

/** A browser's answer to a recent challenge that we issued for this purpose, and what else must match. */
function answered<Answer extends RegistrationResponseJSON | AuthenticationResponseJSON>(
  { now, keys }: Challenging,
  office: PasskeyOffice,
  purpose: string,
  response: Answer | undefined,
) {
  const [place, challenge] = [passkeyPlace(office.url()), response && challengeIn(response)];
  const challenge_at = challenge && challengeMoment(purpose, challenge.text, now(), keys.encryption);
  if (!place || !response || !challenge_at) return undefined;
  const expected = {
    expectedChallenge: challenge.encoded,
    expectedOrigin: place.origin,
    expectedRPID: place.rpID,
    requireUserVerification: true,
  };
  return { response, challenge_at, expected };
}

function credentialOf({ credential_id, public_key, counter }: PasskeyRow) {
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
  // A database query takes the id before the answer is verified.
  if (typeof id !== 'string' || !BASE64URL.test(id) || typeof rawId !== 'string' || type !== 'public-key')
    return undefined;
  return { id, rawId, type, response, clientExtensionResults: {} } as const;
}
