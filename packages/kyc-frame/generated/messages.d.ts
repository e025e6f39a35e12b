// Generated from openapi.yaml by `npm run generate`. Never edited by hand.

/** What the page in the frame says. */
export type KycMessage = 'KYC_COMPLETED' | 'KYC_ERROR' | 'KYC_USER_EXIT';
export const KYC_MESSAGES: readonly KycMessage[];
