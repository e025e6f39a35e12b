/** Days until each kind of data is purged; undefined keeps it. */
export interface RetentionSettings {
  /** Applications without changes, including their participants. */
  applications: number | undefined;
  removedParticipants: number | undefined;
  /** Accounts of people in no application. */
  accounts: number | undefined;
  documents: number | undefined;
  /** KYC results, and finished national eID flows. */
  verifications: number | undefined;
  /** Login attempts of finished national eID flows. */
  eidAttempts: number | undefined;
  analyses: number | undefined;
  /** Expired invitations and links, and local mails. */
  invitations: number | undefined;
}

/** Appends problems to `faults`. */
export function readRetention(env: NodeJS.ProcessEnv, faults: string[]): RetentionSettings {
  const days = (name: string): number | undefined => {
    const text = env[name];
    if (!text) return undefined;
    if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 36_500) return Number(text);
    faults.push(
      `${name} is "${text}"; use a whole number of days from 1 to 36500, or leave it out to keep everything.`,
    );
    return undefined;
  };
  return {
    applications: days('RETAIN_APPLICATIONS_DAYS'),
    removedParticipants: days('RETAIN_REMOVED_PARTICIPANTS_DAYS'),
    accounts: days('RETAIN_ACCOUNTS_DAYS'),
    documents: days('RETAIN_DOCUMENTS_DAYS'),
    verifications: days('RETAIN_VERIFICATIONS_DAYS'),
    eidAttempts: days('RETAIN_EID_ATTEMPTS_DAYS'),
    analyses: days('RETAIN_ANALYSES_DAYS'),
    invitations: days('RETAIN_INVITATIONS_DAYS'),
  };
}
