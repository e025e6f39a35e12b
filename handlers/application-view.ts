import { onboardingStatus } from '../core/rules/onboarding.ts';
import type { ApplicationWithParticipants, LinkedParticipant } from '../db/applications/applications.ts';
import type { components } from '../generated/openapi.d.ts';

type Schemas = components['schemas'];

/** An application with every participant field (product document 2.2, 2.3). */
export function applicationView(found: ApplicationWithParticipants, now: Date): Schemas['ModularApplication'] {
  return { ...applicationFields(found), participants: found.participants.map((row) => participantView(row, now)) };
}

/** The same without the participants' roles, as get-application shows it (product document 2.3). */
export function applicationSummary(
  found: ApplicationWithParticipants,
  now: Date,
): Schemas['ModularApplicationSummary'] {
  return { ...applicationFields(found), participants: found.participants.map((row) => participantSummary(row, now)) };
}

function applicationFields({ application }: ApplicationWithParticipants) {
  const { id, title, created_at, updated_at } = application;
  return { application_id: id, title, created_at, updated_at };
}

function participantView(row: LinkedParticipant, now: Date): Schemas['ModularParticipant'] {
  return { ...participantSummary(row, now), is_lead: row.is_lead === 1, is_guarantor: row.is_guarantor === 1 };
}

function participantSummary(row: LinkedParticipant, now: Date): Schemas['ModularParticipantSummary'] {
  return {
    name: row.name,
    email: row.email,
    consent_status: row.consent_status,
    onboarding_status: onboardingStatus(row, now),
    id: row.tenant_id,
  };
}
