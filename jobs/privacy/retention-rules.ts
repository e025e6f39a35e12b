import type { RetentionSettings } from '../../core/settings/retention-settings.ts';
import * as old from '../../db/privacy/old-data.ts';
import type { Expiring } from '../../db/privacy/retention.ts';

/** One kind of data that is kept for a limited time. */
export interface RetentionRule {
  /** What is purged. */
  name: string;
  setting: string;
  kind: keyof RetentionSettings;
  data: Expiring;
}

/** Parents come before children, which they take along. */
export const retentionRules: readonly RetentionRule[] = [
  {
    name: 'applications',
    setting: 'RETAIN_APPLICATIONS_DAYS',
    kind: 'applications',
    data: old.applications,
  },
  {
    name: 'removed participants',
    setting: 'RETAIN_REMOVED_PARTICIPANTS_DAYS',
    kind: 'removedParticipants',
    data: old.removedParticipants,
  },
  { name: 'documents', setting: 'RETAIN_DOCUMENTS_DAYS', kind: 'documents', data: old.documents },
  { name: 'KYC results', setting: 'RETAIN_VERIFICATIONS_DAYS', kind: 'verifications', data: old.kycResults },
  { name: 'eID flows', setting: 'RETAIN_VERIFICATIONS_DAYS', kind: 'verifications', data: old.eidFlows },
  { name: 'eID attempts', setting: 'RETAIN_EID_ATTEMPTS_DAYS', kind: 'eidAttempts', data: old.eidAttempts },
  { name: 'analyses', setting: 'RETAIN_ANALYSES_DAYS', kind: 'analyses', data: old.analyses },
  { name: 'invitations', setting: 'RETAIN_INVITATIONS_DAYS', kind: 'invitations', data: old.invitations },
  { name: 'onboarding links', setting: 'RETAIN_INVITATIONS_DAYS', kind: 'invitations', data: old.onboardingLinks },
];
