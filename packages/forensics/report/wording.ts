import type { Analysis } from '../analysis.ts';
import { decidingChecks } from '../conclude.ts';
import type { CheckFinding, DocumentResult, Facts, Outcome } from '../result.ts';
import type { Family, Strength } from '../rule.ts';

/** The wording of reports for caseworkers. `no_finding` is never worded as genuine. */

export const OUTCOMES: Record<Outcome, { name: string; means: string; advice: string }> = {
  tampered: {
    name: 'tampered',
    means: 'There are strong signs that the document was changed.',
    advice:
      'Look at what was found. Ask for the original, ideally from the issuer. A person decides, after hearing the applicant.',
  },
  suspicious: {
    name: 'suspicious',
    means: 'Something does not fit. It may have a harmless reason.',
    advice:
      'Look at what was found. Ask for the file as it was downloaded from the bank, the employer or the authority.',
  },
  inconclusive: {
    name: 'inconclusive',
    means: 'The document could not be checked as far as needed.',
    advice:
      'Ask for the file as it was downloaded: no scan, no photo, no password. This says nothing about the applicant.',
  },
  no_finding: {
    name: 'no finding',
    means: 'Nothing was found. That does not show that the document is genuine.',
    advice: 'What the document says still needs your usual checks.',
  },
};

/** Gravest first. */
export const OUTCOME_ORDER: readonly Outcome[] = ['tampered', 'suspicious', 'inconclusive', 'no_finding'];

export const STRENGTHS: Record<Strength, string> = {
  strong: 'Genuine documents hardly ever show this.',
  medium: 'Genuine documents seldom show this. Two of different kinds count as one strong finding.',
  context: 'For your information. It decides nothing.',
};

export const STRENGTH_ORDER: readonly Strength[] = ['strong', 'medium', 'context'];

export const FAMILIES: Record<Family, string> = {
  structure: 'how the file is built',
  content: 'what it says',
  image: 'the picture',
};

export const LIMITS = [
  'The checks see traces of changes. A document that was made up from the start, or printed, changed and scanned, may leave none.',
  'A finding says what was seen. The file cannot show why: software, a scanner or an office may be the reason.',
  'No one should be refused on this report alone. Ask, and let a person decide.',
];

export const KINDS: Record<NonNullable<Facts['kind']>, string> = {
  pdf: 'PDF',
  jpeg: 'JPEG picture',
  png: 'PNG picture',
};

/** What the documents of one person say of each other. */
export type Together = Pick<Analysis, 'documents' | 'cross_checks'>;

/** The basis of the outcome, as a sentence; undefined if there is none. */
export function whyOf(document: DocumentResult, together?: Together): string | undefined {
  const { outcome, reason, checks, contradicts = [] } = document;
  if (outcome === 'inconclusive') return reason;
  if (outcome === 'no_finding') return undefined;
  const deciding = decidingChecks(checks);
  if (deciding.length === 0) return contradicts.length > 0 ? contradictionOf(contradicts, together) : undefined;
  const rests = `This rests on ${listed(deciding.map(({ title }) => quoted(title)))}`;
  const families = [...new Set(deciding.map(({ family }) => FAMILIES[family]))];
  if (families.length > 1) return `${rests}: findings of different kinds, ${listed(families)}.`;
  return outcome === 'suspicious' ? `${rests}. What was found is of one kind: ${families.join()}.` : `${rests}.`;
}

/** Which documents it contradicts, and in what. */
function contradictionOf(ids: readonly string[], together: Together = { documents: [], cross_checks: [] }): string {
  const names = together.documents.filter(({ document_id }) => ids.includes(document_id)).map(({ name }) => name);
  const about = together.cross_checks.filter(({ findings = [] }) =>
    findings.some(
      ({ strength, evidence }) =>
        strength !== 'context' && evidence.some(({ document_id = '' }) => ids.includes(document_id)),
    ),
  );
  const what = about.length === 0 ? '' : `: ${listed(about.map(({ title }) => quoted(title)))}`;
  return `It contradicts ${names.length === 0 ? 'another document' : listed(names)}${what}.`;
}

function quoted(title: string): string {
  return `“${title}”`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** A number with its noun: "1 page", "2 pages". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

export function sizeOf(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte');
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value.toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit}`;
}

/** How many places of a finding are not shown. */
export function moreOf({ evidence, more = 0 }: CheckFinding, shown: number): string | undefined {
  const hidden = evidence.length - shown + more;
  return hidden > 0 ? `and ${count(hidden, 'more place')}` : undefined;
}
