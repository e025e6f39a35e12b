/** After how many days each kind of data is forgotten; what is undefined is kept. */
export interface RetentionSettings {
  /** Applications in which nothing has changed, with all of their participants. */
  applications: number | undefined;
  /** Participants who were removed. */
  removedParticipants: number | undefined;
  /** Accounts of people who take part in nothing. */
  accounts: number | undefined;
  documents: number | undefined;
  /** What KYC verifications found out, and national eID flows that are over. */
  verifications: number | undefined;
  /** Departures to a national eID whose flow is over. */
  eidAttempts: number | undefined;
  /** What analyses found. */
  analyses: number | undefined;
  /** Invitations and links that are over, and local mails. */
  invitations: number | undefined;
}

/** Adds to `faults` whatever is wrong. */
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
