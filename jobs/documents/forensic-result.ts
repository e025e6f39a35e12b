import type { AnalysedDocument, Analysis } from '@tenant-screening/forensics/analysis';
import type { Check } from '@tenant-screening/forensics/result';

/** A document of a result: a shortened one may lack its checks and facts. */
type ReportedDocument = Pick<AnalysedDocument, 'document_id' | 'name' | 'outcome'> & Partial<AnalysedDocument>;

/** The result of an analysis as it is stored and sent in the event. */
export interface ForensicResult extends Record<string, unknown> {
  engine: Analysis['engine'];
  /** Shortened last: a few findings with two or three places each. */
  cross_checks: Analysis['cross_checks'];
  documents: ReportedDocument[];
  analysed_at: string;
  /** Places or checks were omitted to stay within the size limit. */
  abridged?: true;
}

const KIB = 1024;
export const MAX_STORED_BYTES = 1024 * KIB;
/** The limit of an event's whole body. */
export const MAX_EVENT_BYTES = 256 * KIB;
const FEW_PLACES = 2;

type Shorter = (document: ReportedDocument) => ReportedDocument;

/** Each step omits more, the least important first: further places, all places, checks without a finding, all checks. */
const shorter: readonly Shorter[] = [
  (document) => withPlaces(document, FEW_PLACES),
  (document) => withPlaces(document, 0),
  ({ checks, ...document }) =>
    checks ? withPlaces({ ...document, checks: checks.filter(({ findings }) => findings) }, 0) : document,
  ({ checks, ...document }) => document,
];

/** The whole result of an analysis. */
export function forensicResult(
  { engine, cross_checks, documents }: Omit<Analysis, 'papers'>,
  now: Date,
): ForensicResult {
  return { engine, cross_checks, documents, analysed_at: now.toISOString() };
}

/** A result of at most `bytes` of JSON. Omits details first, then the comparison of documents, then documents from the end of the list. */
export function shortened(whole: ForensicResult, bytes: number): ForensicResult {
  if (isShort(whole, bytes)) return whole;
  const abridged = (shorten: Shorter) => ({
    ...whole,
    documents: whole.documents.map(shorten),
    abridged: true as const,
  });
  const found = shorter.find((shorten) => isShort(abridged(shorten), bytes));
  if (found) return abridged(found);
  const bare = abridged(({ document_id, name, outcome }) => ({ document_id, name, outcome }));
  if (isShort(bare, bytes)) return bare;
  const uncompared = { ...bare, cross_checks: [] };
  const room = bytes - jsonBytes({ ...uncompared, documents: [] });
  return { ...uncompared, documents: leading(bare.documents, room) };
}

/** Whether its JSON has at most `bytes`. Counts document by document, so that a result of many times the limit is not written out. */
function isShort(result: ForensicResult, bytes: number): boolean {
  let left = bytes - jsonBytes({ ...result, documents: [] });
  return (
    left >= 0 &&
    result.documents.every((document, at) => {
      left -= jsonBytes(document) + (at > 0 ? 1 : 0);
      return left >= 0;
    })
  );
}

const jsonBytes = (value: object) => Buffer.byteLength(JSON.stringify(value));

/** The first documents whose JSON fits into `bytes`, with the commas between them. */
function leading(documents: ReportedDocument[], bytes: number): ReportedDocument[] {
  let left = bytes;
  return documents.filter((document) => {
    left -= jsonBytes(document) + 1;
    return left >= 0;
  });
}

function withPlaces(document: ReportedDocument, places: number): ReportedDocument {
  const checks = document.checks?.map((check): Check => {
    if (!check.findings) return check;
    const findings = check.findings.map(({ evidence, more = 0, ...finding }) => {
      const left = more + Math.max(0, evidence.length - places);
      return { ...finding, evidence: evidence.slice(0, places), ...(left > 0 ? { more: left } : {}) };
    });
    return { ...check, findings };
  });
  return checks ? { ...document, checks } : document;
}
