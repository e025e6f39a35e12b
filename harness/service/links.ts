import { comparableEmail } from '../../core/rules/participants.ts';
import { unsealText } from '../../core/secrets/secrets.ts';
import { findActiveParticipant, lockAnyApplication } from '../../db/applications/applications.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { openOnboarding } from '../../jobs/invitations/onboarding.ts';
import { type RawAnswer, send } from './client.ts';
import type { TestService } from './service.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html,*/*;q=0.8' };

/** The path of the link in a participant's invitation, known here as long as no worker has sent its mail. */
export async function invitationPath(
  { service }: Pick<TestService, 'service'>,
  applicationId: string,
  email: string,
): Promise<string> {
  const { db, keys } = service.runtime;
  const invite = await db('invites')
    .join('participants', 'participants.id', 'invites.participant_id')
    .where({ application_id: applicationId, comparable_email: comparableEmail(email) })
    .first('sealed_token');
  if (!invite?.sealed_token) throw new Error('There is no invitation whose mail waits.');
  return `/invitation/${unsealText(invite.sealed_token, keys.encryption)}`;
}

/** The path of a new onboarding link for a participant, as the command line creates it. */
export async function onboardingPath(
  { service }: Pick<TestService, 'service'>,
  applicationId: string,
  email: string,
  lifetimeMs = 86_400_000,
): Promise<string> {
  const { db, now } = service.runtime;
  return inTransaction(db, async (trx) => {
    await lockAnyApplication(trx, applicationId);
    const participant = await findActiveParticipant(trx, applicationId, email);
    const { token } = await openOnboarding(trx, participant, lifetimeMs, now());
    return `/onboarding/${token}`;
  });
}

/** Opens a page as a browser does. */
export function look({ service }: Pick<TestService, 'service'>, path: string): Promise<RawAnswer> {
  return send(service.url, 'GET', path, { accept: form.accept });
}

/** Submits the form of a page as a browser does. */
export function submit(
  { service }: Pick<TestService, 'service'>,
  path: string,
  fields: Record<string, string>,
): Promise<RawAnswer> {
  return send(service.url, 'POST', path, form, new URLSearchParams(fields).toString());
}
