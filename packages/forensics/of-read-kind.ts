import { cached } from './cached.ts';
import { OF_OTHER_KIND } from './conclude.ts';
import { papersIn } from './content/claims/papers.ts';
import { textOf } from './content/read.ts';
import { looksOf } from './glance/looks.ts';
import { type Document, Unreadable } from './model.ts';
import type { RuleName } from './named-rules.ts';
import { areOtherNames, isName, kindOf } from './pdf/diff/values.ts';
import type { Evidence, Finding, Rule, Verdict } from './rule.ts';

/** Rules whose numbers and names say something only in the place that a kind of document has for them. */
const OF_A_KIND: readonly RuleName[] = ['iban-check-digits', 'national-id-check-digits', 'names-agree'];
/** What no longer fits its signature was changed, whatever it shows. */
const OF_ANY_FILE: RuleName = 'signatures';
/** Amounts of at least a hundred: smaller figures are measurements, versions and shares. */
const LARGE_AMOUNT = /\d(?:[.,' ]?\d){2}[.,]\d{2}(?!\d)/;

/** The verdict, with findings as context if they concern neither a document of a kind that is read nor a value that may be changed in any. */
export async function ofReadKind<Given extends Verdict | { status: 'error' }>(
  verdict: Given,
  rule: Pick<Rule, 'name' | 'strength'>,
  document: Document,
): Promise<Given | Verdict> {
  if (verdict.status !== 'finding' || rule.strength === 'context' || rule.name === OF_ANY_FILE) return verdict;
  const isSlight = ({ strength, evidence }: Finding) =>
    strength !== 'context' && (OF_A_KIND.includes(rule.name) || !evidence.some(isOfValue));
  if (!verdict.findings.some(isSlight) || (await looksRead(document))) return verdict;
  const findings = verdict.findings.map((finding) =>
    isSlight(finding)
      ? { ...finding, message: `${finding.message} ${OF_OTHER_KIND}`, strength: 'context' as const }
      : finding,
  );
  return { status: 'finding', findings };
}

/** Whether it shows an account or a considerable amount, or another value or name of the kind that was there before. */
function isOfValue({ before = '', after = '' }: Evidence): boolean {
  const [old, now] = [kindOf(before), kindOf(after)];
  const isReplaced = old === now && before !== after && (now === 'amount' || now === 'date');
  const isRenamed = isName(before) && isName(after) && areOtherNames(before, after);
  return (
    isReplaced || isRenamed || [old, now].includes('IBAN') || [before, after].some((text) => LARGE_AMOUNT.test(text))
  );
}

/** Whether something speaks for a kind of document that is read. So does a text that only OCR can read, because it reads too little. */
const looksRead = cached(async (document: Document): Promise<boolean> => {
  try {
    const { pages, isRead } = await textOf(document);
    if (isRead || document.kind !== 'pdf' || (await looksOf(pages, isRead)).isLikeAny) return true;
    return (await papersIn(document)).length > 0;
  } catch (error) {
    if (error instanceof Unreadable) return true;
    throw error;
  }
});
