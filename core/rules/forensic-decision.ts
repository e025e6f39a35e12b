import type { components } from '../../generated/openapi.d.ts';

export type ForensicStatus = components['schemas']['ForensicProcessingStatus'];

/** The inputs of the decision: the tenant's open run, if any, and the prerequisites of a new one. */
export interface ForensicFacts {
  openRun: 'pending' | 'processing' | undefined;
  hasDocuments: boolean;
  hasAnalysis: boolean;
  kycCompleted: boolean;
}

/** Whether a forensic run is queued: the table of product document 3.3, row by row. Only `QUEUED` enqueues a run. */
export function forensicDecision(facts: ForensicFacts): ForensicStatus {
  if (facts.openRun === 'pending') return 'PENDING';
  if (facts.openRun === 'processing') return 'PROCESSING';
  if (!facts.hasDocuments && !facts.hasAnalysis) return 'DOCUMENTS_ANALYSIS_NOT_FOUND';
  if (!facts.kycCompleted) return 'KYC_PENDING';
  return 'QUEUED';
}
