export const EVENTS = ['EID_SUCCESS', 'KYC_VERIFICATION_DATA', 'FORENSIC_ANALYSIS_DATA'] as const;

export type EventName = (typeof EVENTS)[number];
