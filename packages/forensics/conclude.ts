import { COPIED_DOCUMENT, DRAWING_PROGRAM } from './named-rules.ts';
import type { Check, DocumentResult, Outcome } from './result.ts';
import { seenElsewhere } from './rules/content/seen-elsewhere.ts';

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
 * One strong finding makes a document tampered, and so do two medium ones of different families: two of one family may share a
 * harmless cause, and so may the export of a drawing program and what it looks like. Findings count for more than an obstacle.
 */
export function outcomeOf(checks: readonly Check[], obstacle: string | undefined): Outcome {
  const found = (strength: string) =>
    checks.filter(({ findings = [] }) => findings.some((finding) => finding.strength === strength));
  if (found('strong').length > 0) return 'tampered';
  const medium = found('medium');
  const families = new Set(medium.filter(({ rule }) => rule !== DRAWING_PROGRAM).map(({ family }) => family));
  if (families.size > 1) return 'tampered';
  if (medium.length > 0) return 'suspicious';
  return obstacle === undefined ? 'no_finding' : 'inconclusive';
}

/** What makes the file a copy, and what to ask for. */
function copyIn(checks: readonly Check[]): string | undefined {
  return checks.find(({ rule }) => rule === COPIED_DOCUMENT)?.findings?.[0]?.message;
}

function obstacleIn(checks: readonly Check[]): string | undefined {
  const deciding = checks.filter(({ strength }) => strength !== 'context');
  const failed = deciding.find(({ status }) => status === 'error');
  if (failed) return `The check “${failed.title}” failed on this file.`;
  // Content of pictures decides nothing, so it need not be readable; unreadable digital text is an obstacle already.
  const hidden = deciding.find(
    ({ status, strength, family }) => status === 'unreadable' && strength === 'strong' && family !== 'content',
  );
  if (hidden) return `“${hidden.title}” could not be checked: ${hidden.reason}`;
  // No match among other tenants is no evidence that a file is genuine.
  const applied = deciding.filter(({ rule, status }) => status === 'passed' && rule !== seenElsewhere.name);
  return applied.length > 0 ? undefined : NOTHING_APPLIED;
}
