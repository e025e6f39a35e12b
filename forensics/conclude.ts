import { outcomeOf } from './outcome.ts';
import type { Check, DocumentResult } from './result.ts';

const NOTHING_APPLIED = 'None of the checks that could find something applies to this file.';

/**
 * What a document's checks come to, and why when that is nothing. That nothing was found may only be said by checks that
 * could look: a file that makes one fail, or that none is made for, is inconclusive.
 * @param unreadable what stood in the way of looking at all of it
 */
export function conclude(
  checks: readonly Check[],
  unreadable: string | undefined,
): Pick<DocumentResult, 'outcome' | 'reason'> {
  const reason = unreadable ?? unlooked(checks);
  const outcome = outcomeOf(checks, reason);
  return { outcome, ...(outcome === 'inconclusive' && reason !== undefined ? { reason } : {}) };
}

function unlooked(checks: readonly Check[]): string | undefined {
  const deciding = checks.filter(({ strength }) => strength !== 'context');
  const failed = deciding.find(({ status }) => status === 'error');
  if (failed) return `The check “${failed.title}” failed on this file.`;
  const hidden = deciding.find(({ status, strength }) => status === 'unreadable' && strength === 'strong');
  if (hidden) return `“${hidden.title}” could not be checked: ${hidden.reason}`;
  return deciding.some(({ status }) => status === 'passed') ? undefined : NOTHING_APPLIED;
}
