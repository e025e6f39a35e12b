import type { components } from '../../generated/openapi.d.ts';

/** An event of an ordinary size, some 800 bytes, that carries its number. */
export function eventBody(number: number): components['schemas']['ForensicAnalysisDataEvent'] {
  return { event: 'FORENSIC_ANALYSIS_DATA', data: { number, findings: FINDINGS } };
}

const FINDINGS = Array.from({ length: 6 }, (_, index) => ({
  document: `payslip-${index + 1}.pdf`,
  rule: 'metadata-dates',
  severity: 'low',
  explanation: 'The document was changed after it was made.',
}));
