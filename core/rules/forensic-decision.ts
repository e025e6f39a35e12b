import type { components } from '../../generated/openapi.d.ts';

export type ForensicStatus = components['schemas']['ForensicProcessingStatus'];

/** A result is sent again at most this often. Without the limit, an integrator who polls would get an event per call at each webhook. */
export const MIN_RESEND_MS = 60_000;

/** The inputs of the decision: the tenant's open run, if any, and the prerequisites of a new one. */
export interface ForensicFacts {
  openRun: 'pending' | 'processing' | undefined;
  hasDocuments: boolean;
  hasAnalysis: boolean;
  kycCompleted: boolean;
  /** Whether the latest run sent its result less than `MIN_RESEND_MS` ago. */
  isResultRecent: boolean;
}

/**
 * Whether a forensic run is queued: the table of product document 3.3, row by row. `QUEUED` enqueues a run. So does `PENDING` without an open
 * run: it waits until the result may be sent again.
 */
export function forensicDecision(facts: ForensicFacts): ForensicStatus {
  if (facts.openRun === 'pending') return 'PENDING';
  if (facts.openRun === 'processing') return 'PROCESSING';
  if (!facts.hasDocuments && !facts.hasAnalysis) return 'DOCUMENTS_ANALYSIS_NOT_FOUND';
  if (!facts.kycCompleted) return 'KYC_PENDING';
  if (facts.isResultRecent) return 'PENDING';
  return 'QUEUED';
}
