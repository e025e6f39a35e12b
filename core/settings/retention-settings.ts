import * as v from '@badrap/valita';
import { code, optional, readerOf } from './setting.ts';

const MIN_DAYS = 1;
export const MAX_DAYS = 36_500;
const isPeriod = (given: string) => given === 'never' || readDays(given) !== undefined;

/** A whole number of days. @param limit the operator's, where one is set */
export function readDays(given: string, limit: number = MAX_DAYS): number | undefined {
  const days = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  return days >= MIN_DAYS && days <= limit ? days : undefined;
}
const advice = `use a whole number of days from ${MIN_DAYS} to ${MAX_DAYS}, or never to keep everything.`;
const period = {
  type: v
    .string()
    .assert(isPeriod, advice)
    .map((given) => (given === 'never' ? ('never' as const) : Number(given))),
  values: `${MIN_DAYS} to ${MAX_DAYS}, \`never\``,
};

/**
 * In live, what is not set is deleted after these days: data about people who were not chosen is kept for months, not permanently (GDPR,
 * article 5(1)(e)). The sandbox keeps everything.
 */
const LIVE_DAYS = {
  RETAIN_APPLICATIONS_DAYS: 365,
  RETAIN_REMOVED_PARTICIPANTS_DAYS: 90,
  RETAIN_ACCOUNTS_DAYS: 365,
  RETAIN_DOCUMENTS_DAYS: 180,
  RETAIN_VERIFICATIONS_DAYS: 365,
  RETAIN_EID_ATTEMPTS_DAYS: 30,
  RETAIN_ANALYSES_DAYS: 365,
  RETAIN_INVITATIONS_DAYS: 90,
} as const;

export type RetentionSetting = keyof typeof LIVE_DAYS;

const days = (name: RetentionSetting, meaning: string) =>
  optional(period, meaning, `${code(LIVE_DAYS[name])} in live, ${code('never')} in the sandbox`);

/** Days until each kind of data is purged. */
export const retentionSettings = {
  RETAIN_APPLICATIONS_DAYS: days(
    'RETAIN_APPLICATIONS_DAYS',
    'Applications without a change or payment for this long, with participants, invitations and payments.',
  ),
  RETAIN_REMOVED_PARTICIPANTS_DAYS: days(
    'RETAIN_REMOVED_PARTICIPANTS_DAYS',
    'Removed participants, with their payments.',
  ),
  RETAIN_ACCOUNTS_DAYS: days(
    'RETAIN_ACCOUNTS_DAYS',
    'Accounts of people in no application, counted from account creation or last removal; erased completely. Also members of the desk, counted from when they were disabled.',
  ),
  RETAIN_DOCUMENTS_DAYS: days('RETAIN_DOCUMENTS_DAYS', 'Documents.'),
  RETAIN_VERIFICATIONS_DAYS: days(
    'RETAIN_VERIFICATIONS_DAYS',
    'KYC results and national eID flows, counted from their end. The fact of a KYC success is kept.',
  ),
  RETAIN_EID_ATTEMPTS_DAYS: days('RETAIN_EID_ATTEMPTS_DAYS', 'Redirects to a national eID whose flow has ended.'),
  RETAIN_ANALYSES_DAYS: days('RETAIN_ANALYSES_DAYS', 'Analysis results. The fact of the analysis is kept.'),
  RETAIN_INVITATIONS_DAYS: days(
    'RETAIN_INVITATIONS_DAYS',
    'Invitations of people who answered or were removed, onboarding links, and mails in `<DATA_DIR>/mailbox`.',
  ),
};

/** Data without a number of days is kept. */
export type RetentionSettings = Readonly<Partial<Record<RetentionSetting, number | undefined>>>;

/** Appends problems to `faults`. */
export function readRetention(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]): RetentionSettings {
  const reader = readerOf(retentionSettings, env, faults);
  const read = (name: RetentionSetting) => {
    const given = reader(name) ?? (mode === 'live' ? LIVE_DAYS[name] : 'never');
    return given === 'never' ? undefined : given;
  };
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
