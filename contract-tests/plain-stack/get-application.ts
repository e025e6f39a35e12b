import { NotFound } from '../../core/errors.ts';
import { onboardingStatus } from '../../core/rules/onboarding.ts';
import type { Handler } from '../../handlers/handler.ts';

/** Uses two Knex builder queries, one for the application and one for the participants. */
export const getApplication: Handler<'getApplication'> = async ({ params }, { db, caller, now }) => {
  const { applicationId } = params;
  const application = await db('applications').where({ id: applicationId, api_key_id: caller.apiKeyId }).first();
  if (!application) throw new NotFound('Application');
  const people = await db('participants')
    .leftJoin('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .where({ application_id: applicationId })
    .whereNull('removed_at')
    .orderBy('position')
    .select('participants.*', 'tenants.id as tenant_id', 'tenants.profile_completed_at', 'tenants.profile_outdated_at');
  const { id: application_id, title, created_at, updated_at } = application;
  const participants = people.map((person) => ({
    name: person.name,
    email: person.email,
    consent_status: person.consent_status,
    onboarding_status: onboardingStatus(person, now),
    id: person.tenant_id,
  }));
  return { message: 'Application found.', data: { application_id, title, created_at, updated_at, participants } };
};
