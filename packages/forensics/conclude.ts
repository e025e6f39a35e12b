import { COPIED_DOCUMENT } from './named-rules.ts';
import type { Check, DocumentResult, Outcome } from './result.ts';
import type { Rule, Strength } from './rule.ts';

/** What a finding adds. Medium findings of one family may share one harmless cause, so each family counts once. */
const WEIGHT: Readonly<Record<Strength, number>> = { strong: 2, medium: 1, context: 0 };

/** The conclusion: the first line whose weight is reached. Findings take precedence over obstacles. */
const CONCLUSION: readonly (readonly [weight: number, outcome: Outcome])[] = [
  [2, 'tampered'],
  [1, 'suspicious'],
];

/** The names of the rules that compare something of substance. */
export function substanceIn(rules: readonly Pick<Rule, 'name' | 'substance'>[]): ReadonlySet<string> {
  return new Set(rules.filter(({ substance }) => substance).map(({ name }) => name));
}

const NOTHING_APPLIED =
  'The file has too little that the checks could compare. Ask for the complete document as it was downloaded from the bank, the employer or the authority.';

/** Ends the message of a finding without weight, because nothing that a landlord asks for can have been changed by it. */
export const OF_OTHER_KIND =
  'It decides nothing, because the file looks like no payslip, statement, contract, tax assessment or identity document, and no amount, account or name is shown to have changed.';

const OTHER_KIND =
  'Traces of a change were found, but the file looks like no document that is checked here. Ask for the document that was requested, as it was downloaded.';

/**
 * The outcome of a document's checks, with the reason if it is inconclusive. `no_finding` requires that something of substance was compared:
 * a file on which a check fails, or in which nothing could be compared, is inconclusive.
 * @param unreadable why the document could not be read completely, if so
 * @param substance the names of the rules that compare something of substance
 */
export function conclude(
  checks: readonly Check[],
  unreadable: string | undefined,
  substance: ReadonlySet<string>,
): Pick<DocumentResult, 'outcome' | 'reason'> {
  const reason = copyIn(checks) ?? unreadable ?? otherKindIn(checks) ?? obstacleIn(checks, substance);
  const outcome = outcomeOf(checks, reason);
  return { outcome, ...(outcome === 'inconclusive' && reason !== undefined ? { reason } : {}) };
}

export function outcomeOf(checks: readonly Check[], obstacle: string | undefined): Outcome {
  const weight = decidingChecks(checks).reduce((sum, check) => sum + weightOf(check), 0);
  const line = CONCLUSION.find(([least]) => weight >= least);
  return line?.[1] ?? (obstacle === undefined ? 'no_finding' : 'inconclusive');
}

/** The checks whose findings make the outcome: those with strong findings, else one with medium findings for each family. */
export function decidingChecks(checks: readonly Check[]): Check[] {
  const strong = checks.filter((check) => weightOf(check) === WEIGHT.strong);
  if (strong.length > 0) return strong;
  const medium = checks.filter((check) => weightOf(check) === WEIGHT.medium);
  return medium.filter(({ family }, index) => medium.findIndex((other) => other.family === family) === index);
}

/** That of its strongest finding. */
function weightOf({ findings = [] }: Check): number {
  return Math.max(0, ...findings.map(({ strength }) => WEIGHT[strength]));
}

/** Why the file counts as a copy, and what to ask for. */
function copyIn(checks: readonly Check[]): string | undefined {
  return checks.find(({ rule }) => rule === COPIED_DOCUMENT)?.findings?.[0]?.message;
}

function otherKindIn(checks: readonly Check[]): string | undefined {
  const isOfOther = checks.some(({ findings = [] }) => findings.some(({ message }) => message.endsWith(OF_OTHER_KIND)));
  return isOfOther ? OTHER_KIND : undefined;
}

function obstacleIn(checks: readonly Check[], substance: ReadonlySet<string>): string | undefined {
  const deciding = checks.filter(({ strength }) => strength !== 'context');
  const failed = deciding.find(({ status }) => status === 'error');
  if (failed) return `The check “${failed.title}” failed on this file.`;
  // Picture content decides nothing, so it need not be readable; unreadable digital text already is an obstacle.
  const hidden = deciding.find(
    ({ status, strength, family }) =>
      status === 'unreadable' && (family === 'structure' || (family === 'image' && strength === 'strong')),
  );
  if (hidden) return `“${hidden.title}” could not be checked: ${hidden.reason}`;
  const applied = deciding.filter(({ rule, status }) => status === 'passed' && substance.has(rule));
  return applied.length > 0 ? undefined : NOTHING_APPLIED;
}
