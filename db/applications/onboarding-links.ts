/** A link that lets a participant complete their profile, once. */
export interface OnboardingLinkRow {
  id: string;
  participant_id: string;
  token_hash: string;
  expires_at: string;
  used_at: string | null;
  created_at: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    onboarding_links: OnboardingLinkRow;
  }
}
