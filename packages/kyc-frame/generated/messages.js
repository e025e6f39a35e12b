// Generated from openapi.yaml by `npm run generate`. Never edited by hand.

export const KYC_MESSAGES = ['KYC_COMPLETED', 'KYC_ERROR', 'KYC_USER_EXIT'];
