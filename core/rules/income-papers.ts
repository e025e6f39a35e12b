/** What the analysis of documents read about pay, as far as the income needs it. Amounts are in cents, days are `2026-03-28`. */

export interface PaperClaim {
  kind: string;
  value: string;
  /** As printed. */
  text: string;
  day?: string;
  words?: string;
}

export interface IncomePaper {
  document_id: string;
  kind: 'payslip' | 'statement' | 'tax';
  /** Read by OCR, so a digit may be a misreading. */
  is_read: boolean;
  claims: PaperClaim[];
}

const KEPT = [
  'name',
  'iban',
  'employer',
  'month',
  'payday',
  'frequency',
  'joined',
  'net',
  'gross',
  'unusual',
  'from',
  'to',
  'credit',
  'income',
  'tax',
  'year',
];
const MAX_CLAIMS = 300;

interface GivenPaper {
  document_id: string;
  kind: string;
  is_read: boolean;
  claims: readonly PaperClaim[];
}

/** Payslips, statements and tax assessments with the claims that the income needs, without their places. */
export function keptPapers(papers: readonly GivenPaper[]): IncomePaper[] {
  return papers.flatMap(({ document_id, kind, is_read, claims }) => {
    if (kind !== 'payslip' && kind !== 'statement' && kind !== 'tax') return [];
    const kept = claims.filter((claim) => KEPT.includes(claim.kind)).slice(0, MAX_CLAIMS);
    return [{ document_id, kind, is_read, claims: kept.map(bare) }];
  });
}

function bare({ kind, value, text, day, words }: PaperClaim): PaperClaim {
  return {
    kind,
    value,
    text,
    ...(day === undefined ? {} : { day }),
    ...(words === undefined ? {} : { words }),
  };
}
