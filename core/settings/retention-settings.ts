import { optional, readerOf, wholeNumber } from './setting.ts';

const days = wholeNumber(1, 36_500, ' of days', ', or leave it out to keep everything');

/** Days until each kind of data is purged. */
export const retentionSettings = {
  RETAIN_APPLICATIONS_DAYS: optional(
    days,
    'Applications without a change or payment for this long, with participants, invitations and payments.',
  ),
  RETAIN_REMOVED_PARTICIPANTS_DAYS: optional(days, 'Removed participants, with their payments.'),
  RETAIN_ACCOUNTS_DAYS: optional(
    days,
    'Accounts of people in no application, counted from account creation or last removal; erased completely. Also members of the desk, counted from when they were disabled.',
  ),
  RETAIN_DOCUMENTS_DAYS: optional(days, 'Documents.'),
  RETAIN_VERIFICATIONS_DAYS: optional(
    days,
    'KYC results and national eID flows, counted from their end. The fact of a KYC success is kept.',
  ),
  RETAIN_EID_ATTEMPTS_DAYS: optional(days, 'Redirects to a national eID whose flow has ended.'),
  RETAIN_ANALYSES_DAYS: optional(days, 'Analysis results. The fact of the analysis is kept.'),
  RETAIN_INVITATIONS_DAYS: optional(
    days,
    'Invitations of people who answered or were removed, onboarding links, and mails in `<DATA_DIR>/mailbox`.',
  ),
};

export type RetentionSetting = keyof typeof retentionSettings;

/** Data without a number of days is kept. */
export type RetentionSettings = Readonly<Partial<Record<RetentionSetting, number | undefined>>>;

/** Appends problems to `faults`. */
export function readRetention(env: NodeJS.ProcessEnv, faults: string[]): RetentionSettings {
  const read = readerOf(retentionSettings, env, faults);
  return {
    RETAIN_APPLICATIONS_DAYS: read('RETAIN_APPLICATIONS_DAYS'),
    RETAIN_REMOVED_PARTICIPANTS_DAYS: read('RETAIN_REMOVED_PARTICIPANTS_DAYS'),
    RETAIN_ACCOUNTS_DAYS: read('RETAIN_ACCOUNTS_DAYS'),
    RETAIN_DOCUMENTS_DAYS: read('RETAIN_DOCUMENTS_DAYS'),
    RETAIN_VERIFICATIONS_DAYS: read('RETAIN_VERIFICATIONS_DAYS'),
    RETAIN_EID_ATTEMPTS_DAYS: read('RETAIN_EID_ATTEMPTS_DAYS'),
    RETAIN_ANALYSES_DAYS: read('RETAIN_ANALYSES_DAYS'),
    RETAIN_INVITATIONS_DAYS: read('RETAIN_INVITATIONS_DAYS'),
  };
}
