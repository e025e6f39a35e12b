import { onboardingStatus } from '../../core/rules/onboarding.ts';
import type { CreatedApplication, FoundApplication } from './data.ts';

/** The service's answers, which every peer gives, too. */
export const unauthenticated = {
  status: 'error',
  message: 'Send an access token as Authorization: Bearer <ACCESS_TOKEN>.',
} as const;

export const notFound = { status: 'error', message: 'Application not found.' } as const;

export function foundAnswer({ application, participants }: FoundApplication, now: Date) {
  return {
    status: 'success',
    message: 'Application found.',
    data: {
      application_id: application.id,
      title: application.title,
      created_at: application.created_at,
      updated_at: application.updated_at,
      participants: participants.map((row) => ({
        name: row.name,
        email: row.email,
        consent_status: row.consent_status,
        onboarding_status: onboardingStatus(row, now),
        id: row.tenant_id,
      })),
    },
  } as const;
}

export function createdAnswer({ id, title, isNew }: CreatedApplication) {
  return {
    status: 'success',
    message: isNew
      ? 'Application created.'
      : 'An application with these tenants already exists; no one was invited again.',
    data: { application_id: id, title },
  } as const;
}
