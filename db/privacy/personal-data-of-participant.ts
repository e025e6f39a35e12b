import { withoutPerson } from '../../core/rules/erased.ts';
import type { ParticipantRow } from '../applications/applications.ts';
import type { Transaction } from '../connection/database.ts';
import { type Person, type Scope, within } from './persons.ts';

/** Each application in which a person takes or took part, without the other participants. */
export async function participationData(trx: Transaction, { comparableEmail, participations }: Person, scope: Scope) {
  const sent_mails = await trx('sent_mails')
    .where({ comparable_email: comparableEmail })
    .where(within(scope))
    .orderBy('sent_at')
    .select('sent_at');
  const parts: Awaited<ReturnType<typeof participation>>[] = [];
  for (const participant of participations) parts.push(await participation(trx, participant));
  return { participations: parts, sent_mails };
}

async function participation(trx: Transaction, participant: ParticipantRow) {
  const ofParticipant = { participant_id: participant.id };
  const application = await trx('applications')
    .join('api_keys', 'api_keys.id', 'applications.api_key_id')
    .join('landlords', 'landlords.id', 'api_keys.landlord_id')
    .leftJoin('properties', 'properties.id', 'applications.property_internal_id')
    .where('applications.id', participant.application_id)
    .first('title', 'applications.created_at', 'updated_at', 'landlords.name as landlord', 'property_id');
  const others = await trx('participants')
    .leftJoin('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .where({ application_id: participant.application_id })
    .where('participants.comparable_email', '<>', participant.comparable_email)
    .select('participants.email', 'participants.name', 'tenants.name as account_name');
  const people = {
    emails: others.map((other) => other.email),
    names: others.flatMap((other) => [other.name, other.account_name ?? '']),
  };
  const { email, name, consent_status, removed_at } = participant;
  return {
    application_id: participant.application_id,
    title: withoutPerson(application?.title ?? '', people, '[left out]'),
    landlord: application?.landlord,
    property_id: application?.property_id ?? null,
    created_at: application?.created_at,
    updated_at: application?.updated_at,
    others: others.length,
    participant_id: participant.id,
    ...{ email, name, consent_status, removed_at },
    is_lead: participant.is_lead === 1,
    is_guarantor: participant.is_guarantor === 1,
    invitations: await trx('invites')
      .where(ofParticipant)
      .select('id', 'about', 'status', 'failure', 'created_at', 'finished_at', 'expires_at', 'answered_at')
      .select('reminders', 'reminders_stopped_at'),
    // Without what they say of the others; what they say of this person is among the rest of the data.
    reports: await trx('reports')
      .where({ application_id: participant.application_id })
      .orderBy('created_at')
      .select('id', 'status', 'pages', 'sha256', 'created_at', 'finished_at', 'token_expires_at', 'revoked_at'),
    former_links: await trx('former_links').where(ofParticipant).orderBy('expires_at').select('expires_at'),
    onboarding_links: await trx('onboarding_links')
      .where(ofParticipant)
      .orderBy('created_at')
      .select('id', 'created_at', 'expires_at', 'used_at'),
    document_requests: await trx('document_requests')
      .where(ofParticipant)
      .orderBy('created_at')
      .select('id', 'type', 'reason', 'created_at'),
    erasure_requests: await trx('erasure_requests')
      .where(ofParticipant)
      .select('requested_at', 'due_at', 'closed_at', 'outcome', 'reason'),
    payments: await trx('payments')
      .where(ofParticipant)
      .orderBy('created_at')
      .select('id', 'amount', 'is_protected', 'status', 'created_at'),
  };
}
