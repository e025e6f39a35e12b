// Generated from openapi.yaml by `npm run generate`. Never edited by hand.

/** The national electronic-identity flow succeeded. */
export interface EidSuccessEvent { event: "EID_SUCCESS"; data: null; }

/** A tenant's identity was verified. */
export interface KycVerificationDataEvent { event: "KYC_VERIFICATION_DATA"; data: { tenant_id?: string; [field: string]: unknown; }; }

/** A tenant's documents were analysed. */
export interface ForensicAnalysisDataEvent { event: "FORENSIC_ANALYSIS_DATA"; data: { tenant_id?: string; [field: string]: unknown; }; }

/** The body of a delivery. Tell the events apart by `event`. */
export type ScreeningEvent = EidSuccessEvent | KycVerificationDataEvent | ForensicAnalysisDataEvent;

export const EVENTS = ['EID_SUCCESS', 'KYC_VERIFICATION_DATA', 'FORENSIC_ANALYSIS_DATA'] as const;
