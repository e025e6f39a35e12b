/** The settings of retention. Each is a number of days until its kind of data is purged. */
const SETTINGS = [
  /** Applications without changes, including their participants. */
  'RETAIN_APPLICATIONS_DAYS',
  'RETAIN_REMOVED_PARTICIPANTS_DAYS',
  /** Accounts of people in no application. */
  'RETAIN_ACCOUNTS_DAYS',
  'RETAIN_DOCUMENTS_DAYS',
  /** KYC results, and finished national eID flows. */
  'RETAIN_VERIFICATIONS_DAYS',
  /** Login attempts of finished national eID flows. */
  'RETAIN_EID_ATTEMPTS_DAYS',
  'RETAIN_ANALYSES_DAYS',
  /** Expired invitations and links, and local mails. */
  'RETAIN_INVITATIONS_DAYS',
] as const;

export type RetentionSetting = (typeof SETTINGS)[number];

/** What has no days is kept. */
export type RetentionSettings = Readonly<Partial<Record<RetentionSetting, number>>>;

/** Appends problems to `faults`. */
export function readRetention(env: NodeJS.ProcessEnv, faults: string[]): RetentionSettings {
  const retention: Partial<Record<RetentionSetting, number>> = {};
  for (const name of SETTINGS) {
    const text = env[name];
    if (!text) continue;
    if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 36_500) retention[name] = Number(text);
    else
      faults.push(
        `${name} is "${text}"; use a whole number of days from 1 to 36500, or leave it out to keep everything.`,
      );
  }
  return retention;
}
