import { conclude, substanceIn } from './conclude.ts';
import type { Document } from './model.ts';
import { Unreadable } from './model.ts';
import { ofReadKind } from './of-read-kind.ts';
import { type Check, checkFinding, type DocumentResult, type Facts } from './result.ts';
import type { Rule, Verdict } from './rule.ts';

const PLACES_A_FINDING = 20;
const FINDINGS_A_CHECK = 20;

/** Runs every rule on one document, in order and in this process. A failing rule does not affect the others. */
export async function examine(
  document: Document,
  rules: readonly Rule[],
  facts: Facts,
  unreadable: string | undefined,
  /** Called as each check completes. */
  onCheck?: (check: Check) => void,
): Promise<DocumentResult> {
  const checks: Check[] = [];
  for (const rule of rules) {
    const done = await check(rule, document);
    checks.push(done);
    onCheck?.(done);
  }
  return { ...conclude(checks, unreadable, substanceIn(rules)), facts, checks };
}

async function check(rule: Rule, document: Document): Promise<Check> {
  const verdict = await ofReadKind(await run(rule, document), rule, document);
  return { ...aboutRule(rule), ...asStatus(verdict, rule) };
}

/** A verdict as the fields of a check. */
export function asStatus(
  verdict: Verdict | { status: 'error' },
  { strength }: Pick<Rule, 'strength'>,
): Pick<Check, 'status' | 'reason' | 'compared' | 'findings'> {
  if (verdict.status !== 'finding') return verdict;
  const findings = verdict.findings
    .slice(0, FINDINGS_A_CHECK)
    .map((finding) => checkFinding(finding, strength, PLACES_A_FINDING));
  return { status: 'finding', findings };
}

/** The fields of a check that describe its rule. */
export function aboutRule({ name, version, title, strength, family }: Rule): Omit<Check, 'status'> {
  return { rule: name, version, title, strength, family };
}

async function run(rule: Rule, document: Document): Promise<Verdict | { status: 'error' }> {
  if (!rule.appliesTo.includes(document.kind)) return { status: 'not_applicable', reason: 'For other kinds of files.' };
  try {
    return await rule.run(document);
  } catch (error) {
    return error instanceof Unreadable ? { status: 'unreadable', reason: error.message } : { status: 'error' };
  }
}
