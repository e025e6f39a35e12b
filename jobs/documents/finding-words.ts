import { COPIED_DOCUMENT, isRuleName, type RuleName } from '@tenant-screening/forensics/named-rules';
import type { CheckFinding, DocumentResult } from '@tenant-screening/forensics/result';
import type { Evidence } from '@tenant-screening/forensics/rule';
import type { ReportTexts } from '../../core/texts/report-texts.ts';

/** Findings in the language of the reader. The catalogue has texts for each kind; the engine's own sentence is in English. */

type Found = Pick<CheckFinding, 'strength' | 'evidence'>;

/** What a finding is about; what it means and what to do; and what the document says at its places. */
export interface FindingWords {
  title: string;
  text: string;
}

const MAX_PLACES = 3;
const MAX_VALUE_LENGTH = 80;

/** @param rule that of a stored result, which an engine of another version may have made */
export function findingWords(t: ReportTexts, { rule }: { rule: string }, finding: Found): FindingWords {
  const kind = isRuleName(rule) ? kindOf(rule, finding) : 'other';
  const places = finding.evidence.map((evidence) => placeWords(t, evidence)).filter((words) => words !== '');
  const text = [t.text(`finding-text.${kind}`), ...[...new Set(places)].slice(0, MAX_PLACES)].join(' ');
  return { title: t.text(`finding.${kind}`), text };
}

/** What some rules tell without suspicion has a text of its own. */
function kindOf(rule: RuleName, { strength }: Found): RuleName | 'signature-fits' | 'origin-recorded' {
  if (strength !== 'context') return rule;
  if (rule === 'signatures') return 'signature-fits';
  return rule === 'c2pa-manifest' ? 'origin-recorded' : rule;
}

/** Why a document could not be checked, and what to ask for. */
export function inconclusiveWords(t: ReportTexts, { checks }: Pick<DocumentResult, 'checks'>): string {
  const isCopy = checks.some(({ rule, findings }) => rule === COPIED_DOCUMENT && findings);
  return t.text(isCopy ? `finding-text.${COPIED_DOCUMENT}` : 'found.inconclusive');
}

/** Only values at a place of a page are the document's own words; others describe the file in English. */
function placeWords(t: ReportTexts, { document, page, box, before, after }: Evidence): string {
  const shown = box ? shortened(after) : '';
  if (document !== undefined) return shown === '' ? '' : t.text('found.said', { document, shown });
  if (page === undefined) return '';
  const expected = box ? shortened(before) : '';
  if (shown === '') return expected === '' ? t.text('found.page', { page }) : t.text('found.gone', { page, expected });
  return expected === '' ? t.text('found.shown', { page, shown }) : t.text('found.changed', { page, shown, expected });
}

function shortened(value = ''): string {
  const text = value.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
