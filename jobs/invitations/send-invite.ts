import { onboardingStatus } from '../../core/rules/onboarding.ts';
import { comparableEmail, hasAnswered } from '../../core/rules/participants.ts';
import { ifOpened, unsealText } from '../../core/secrets/secrets.ts';
import { languages } from '../../core/texts/languages.ts';
import { isInForce } from '../../db/access/api-key-states.ts';
import { findInvited, hasDeclinedSameGroup, type Invited } from '../../db/applications/invited.ts';
import {
  endInvite,
  findInviteIds,
  findPendingInvite,
  type InviteRow,
  postponeInvite,
  replaceInviteLink,
} from '../../db/applications/invites.ts';
import { countMail, type MailTurn } from '../../db/applications/sent-mails.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { hasErased } from '../../db/privacy/erasure.ts';
import type { Ending } from '../../queue/lane-policy.ts';
import type { Runtime } from '../runtime.ts';
import { newLink } from './invite.ts';
import { mailBrand } from './mail-brand.ts';
import type { MailSubject } from './mail-words.ts';
import { findProgress } from './progress.ts';

/** How many characters of the link's digest distinguish two mails of the same invitation. */
const EDITION_LENGTH = 8;

type Sending = Pick<Runtime, 'db' | 'providers' | 'keys' | 'publicUrl' | 'invitationLifetimeMs' | 'dailyMails' | 'now'>;

/**
 * Sends one participant's mail, at least once, unless it is no longer wanted. A crash between the mail server's acceptance and its record
 * sends the mail again with the same Message-ID, so mail clients show it once.
 */
export async function sendInvite(runtime: Sending, id: string): Promise<Ending> {
  const { db, providers, publicUrl, now } = runtime;
  const invite = await findPendingInvite(db, id);
  if (!invite) return 'nothing';
  const cancel = async (failure: string): Promise<Ending> => {
    await endInvite(db, invite, { status: 'cancelled', failure }, now());
    return 'nothing';
  };
  const invited = await findInvited(db, invite.participant_id);
  if (!invited) return cancel('the participant was removed');
  const needless = await whyNeedless(runtime, invite, invited);
  if (needless !== undefined) return cancel(needless);
  const subject = await subjectOf(runtime, invite, invited);
  if (isSettled(subject)) return cancel('nothing that it is about is open any more');
  const { token, expiresAt, tokenHash } = await usableLink(runtime, invite);
  // A new link makes a new mail, which mail clients must not hide as a duplicate.
  const messageId = `${id}.${tokenHash.slice(0, EDITION_LENGTH)}`;
  const moment = now();
  const mayLeave = await mayLeaveFrom(runtime, { ...invited, participantId: invite.participant_id }, messageId, moment);
  if (mayLeave === null) return cancel('the participant was removed');
  if (mayLeave.limit) {
    await postponeInvite(db, { id, token_hash: tokenHash }, mayLeave.at, MAIL_LIMITS[mayLeave.limit]);
    return 'nothing';
  }
  // Loaded on first use, so that the service starts without it.
  const [{ textsOf }, { invitationMail }] = await Promise.all([
    import('../../core/texts/texts.ts'),
    import('./invitation-mail.ts'),
  ]);
  const mail = invitationMail(textsOf(invited.brand.language ?? languages[0]), {
    ...subject,
    title: invited.title,
    inviter: invited.inviter,
    landlord: invited.landlord,
    brand: await mailBrand(db, invited.brand),
    contact: invited.contact,
    link: `${publicUrl()}/invitation/${token}`,
    validUntil: new Date(expiresAt),
  });
  await providers.mail.send({
    ...mail,
    of: { kind: 'applicant' },
    id,
    messageId,
    to: invited.email,
  });
  await endInvite(db, { id, token_hash: tokenHash }, { status: 'sent', failure: null }, now());
  // An erasure that ran meanwhile did not see the local copy, which still names the person.
  const after = await findInvited(db, invite.participant_id);
  const isUnchanged = after && namesIn(after) === namesIn(invited);
  if (!isUnchanged && (await hasErased(db, invited.applicationId))) await providers.localMails.forget([id]);
  return 'success';
}

/** Why a mail is no longer wanted. An answer ends the invitation only; a person who has declined gets no mail at all. */
async function whyNeedless({ db, now }: Sending, invite: InviteRow, invited: Invited): Promise<string | undefined> {
  const { about, answered_at, reminders_stopped_at } = invite;
  const { consent, key } = invited;
  if (about === null && hasAnswered({ consent_status: consent, answered_at }))
    return 'it was answered before the mail went out';
  if (!isInForce(key, now())) return 'the API key that asked for it is not in force any more';
  if (consent === 'rejected') return 'the person no longer takes part';
  if (about === 'reminder' && reminders_stopped_at !== null) return 'the person wants no reminders';
  if (consent !== 'pending') return undefined;
  if (await hasDeclinedSameGroup(db, invited)) return 'the person has declined to apply with the same people';
  return undefined;
}

/** What the mail is about, as it stands now. */
async function subjectOf(runtime: Sending, invite: InviteRow, invited: Invited): Promise<MailSubject> {
  const { about } = invite;
  const { isGuarantor } = invited;
  if (about === null) return { isGuarantor };
  const hasProfile = onboardingStatus(invited.profile, runtime.now()) === 'COMPLETED';
  const person = { ...invited, participantId: invite.participant_id, hasProfile };
  const { steps, requests } = await findProgress(runtime, person, 'invitation');
  const missing = steps.filter(({ state }) => state === 'open').map(({ name }) => name);
  return { about, isGuarantor, missing, request: requests.at(-1) };
}

/** What the mail asks for was done while it waited. */
function isSettled({ about, missing, request }: MailSubject): boolean {
  return (about === 'reminder' && missing?.length === 0) || (about === 'request' && !request);
}

const MAIL_LIMITS = {
  address: 'its API key has sent this address its mails of the day',
  key: 'its API key has sent its mails of the day',
} as const;

/** When the mail limits allow this mail, which is counted if that is now; null for an erased participant. */
function mayLeaveFrom(
  { db, dailyMails }: Sending,
  { apiKeyId, participantId, email }: Invited & { participantId: string },
  messageId: string,
  now: Date,
): Promise<MailTurn | null> {
  const mail = {
    id: messageId,
    api_key_id: apiKeyId,
    comparable_email: comparableEmail(email),
    participant_id: participantId,
  };
  return inTransaction(db, (trx) => countMail(trx, mail, dailyMails, now));
}

function namesIn({ title, inviter, landlord, email }: Invited): string {
  return JSON.stringify([title, inviter, landlord, email]);
}

/** The link created with the invitation, or a new one if that is missing or expired, or no key opens it. */
async function usableLink(
  runtime: Sending,
  invite: InviteRow,
): Promise<{ token: string; tokenHash: string; expiresAt: string }> {
  const { db, keys, now } = runtime;
  const { token_hash, sealed_token, expires_at } = invite;
  const isValid = expires_at !== null && expires_at > now().toISOString();
  const kept = sealed_token === null ? undefined : ifOpened(() => unsealText(sealed_token, keys.encryption));
  if (token_hash !== null && kept !== undefined && isValid)
    return { token: kept, tokenHash: token_hash, expiresAt: expires_at };
  const { token, link } = newLink(runtime, now());
  // Stored before the mail is sent, so that a retry sends the same link.
  await replaceInviteLink(db, invite, link);
  return { token, tokenHash: link.token_hash, expiresAt: link.expires_at };
}

/**
 * Removes the local mails of invitations whose rows were deleted. What was committed stays done: a failure is logged, and `tidyMails` tries
 * again. Never throws. @returns how many; null when the folder could not be read or changed
 */
export function forgetMails(
  { providers, log }: Pick<Runtime, 'providers' | 'log'>,
  ids: readonly string[],
): Promise<number | null> {
  return providers.localMails.forget(ids).catch((err: unknown) => {
    log.warn({ err }, 'local mails not removed: tried again later');
    return null;
  });
}

const BATCH = 200;

/** Removes local mails whose invitation was deleted. @returns how many */
export async function tidyMails({ db, providers }: Pick<Runtime, 'db' | 'providers'>): Promise<number> {
  const mails = await Array.fromAsync(providers.localMails.kept(), ({ id }) => id);
  let removed = 0;
  for (let index = 0; index < mails.length; index += BATCH) {
    const batch = mails.slice(index, index + BATCH);
    const known = await findInviteIds(db, batch);
    const unknown = batch.filter((id) => !known.has(id));
    // Forgetting reads the folder, which may hold many.
    if (unknown.length > 0) removed += await providers.localMails.forget(unknown);
  }
  return removed;
}
