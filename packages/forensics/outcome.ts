import type { Check, Outcome } from './result.ts';

/**
 * What the checks of a document come to. One strong finding makes it tampered, and so do two medium ones of different
 * families: two of one family may be one harmless cause seen twice. What stands in the way of looking is `unreadable`, the
 * reason for an outcome `inconclusive`; what was found all the same counts for more.
 */
export function outcomeOf(checks: readonly Check[], unreadable: string | undefined): Outcome {
  const found = (strength: string) =>
    checks.filter(({ findings = [] }) => findings.some((finding) => finding.strength === strength));
  if (found('strong').length > 0) return 'tampered';
  const families = new Set(found('medium').map(({ family }) => family));
  if (families.size > 1) return 'tampered';
  if (families.size === 1) return 'suspicious';
  return unreadable === undefined ? 'no_finding' : 'inconclusive';
}
