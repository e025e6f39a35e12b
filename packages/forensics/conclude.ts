import { outcomeOf } from './outcome.ts';
import type { Check, DocumentResult } from './result.ts';
import { seenElsewhere } from './rules/content/seen-elsewhere.ts';

const NOTHING_APPLIED = 'The file has nothing that the checks could go by.';

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
  // What is written in a picture decides nothing, so that it need not be readable; digital text is `unreadable` itself.
  const hidden = deciding.find(
    ({ status, strength, family }) => status === 'unreadable' && strength === 'strong' && family !== 'content',
  );
  if (hidden) return `“${hidden.title}” could not be checked: ${hidden.reason}`;
  // That nobody else has the same file says nothing of the file.
  const looked = deciding.filter(({ rule, status }) => status === 'passed' && rule !== seenElsewhere.name);
  return looked.length > 0 ? undefined : NOTHING_APPLIED;
}
