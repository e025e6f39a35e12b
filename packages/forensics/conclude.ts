import { COPIED_DOCUMENT, DRAWING_PROGRAM, WRITER_FINGERPRINT } from './named-rules.ts';
import type { Check, DocumentResult, Outcome } from './result.ts';
import { seenElsewhere } from './rules/content/seen-elsewhere.ts';

/** Rules about how a single value is set: their findings point to a program that edits pages. */
const OF_ONE_VALUE: ReadonlySet<string> = new Set(['foreign-font', 'font-outlier', 'other-hand', 'pictured-value']);
const NOTHING_APPLIED = 'The file has nothing that the checks could go by.';

/**
 * The outcome of a document's checks, with the reason if it is inconclusive. `no_finding` requires checks that could run: a file
 * on which a check fails, or to which none applies, is inconclusive.
 * @param unreadable why the document could not be read completely, if so
 */
export function conclude(
  checks: readonly Check[],
  unreadable: string | undefined,
): Pick<DocumentResult, 'outcome' | 'reason'> {
  const reason = copyIn(checks) ?? unreadable ?? obstacleIn(checks);
  const outcome = outcomeOf(checks, reason);
  return { outcome, ...(outcome === 'inconclusive' && reason !== undefined ? { reason } : {}) };
}

/**
 * One strong finding makes a document tampered, and so do two medium findings of different families. Two findings of one family may share
 * a harmless cause. So may the export of a drawing program and the appearance of its text. A file rewritten by another program adds
 * weight to a value that is set differently from others. Findings take precedence over obstacles.
 */
export function outcomeOf(checks: readonly Check[], obstacle: string | undefined): Outcome {
  const found = (strength: string) =>
    checks.filter(({ findings = [] }) => findings.some((finding) => finding.strength === strength));
  if (found('strong').length > 0) return 'tampered';
  const medium = found('medium');
  const families = new Set(medium.filter(({ rule }) => rule !== DRAWING_PROGRAM).map(({ family }) => family));
  if (families.size > 1 || (isRewritten(checks) && medium.some(({ rule }) => OF_ONE_VALUE.has(rule))))
    return 'tampered';
  if (medium.length > 0) return 'suspicious';
  return obstacle === undefined ? 'no_finding' : 'inconclusive';
}

/** Whether a program other than the one named wrote the file. Harmless alone, because portals save files again. */
function isRewritten(checks: readonly Check[]): boolean {
  return checks.some(({ rule, status }) => rule === WRITER_FINGERPRINT && status === 'finding');
}

/** Why the file counts as a copy, and what to ask for. */
function copyIn(checks: readonly Check[]): string | undefined {
  return checks.find(({ rule }) => rule === COPIED_DOCUMENT)?.findings?.[0]?.message;
}

function obstacleIn(checks: readonly Check[]): string | undefined {
  const deciding = checks.filter(({ strength }) => strength !== 'context');
  const failed = deciding.find(({ status }) => status === 'error');
  if (failed) return `The check “${failed.title}” failed on this file.`;
  // Picture content decides nothing, so it need not be readable; unreadable digital text already is an obstacle.
  const hidden = deciding.find(
    ({ status, strength, family }) => status === 'unreadable' && strength === 'strong' && family !== 'content',
  );
  if (hidden) return `“${hidden.title}” could not be checked: ${hidden.reason}`;
  // No match among other tenants is no evidence that a file is genuine.
  const applied = deciding.filter(({ rule, status }) => status === 'passed' && rule !== seenElsewhere.name);
  return applied.length > 0 ? undefined : NOTHING_APPLIED;
}
