import type { Document } from './model.ts';
import { Unreadable } from './model.ts';
import { outcomeOf } from './outcome.ts';
import { type Check, checkFinding, type DocumentResult, type Facts } from './result.ts';
import type { Rule, Verdict } from './rule.ts';

const PLACES_A_FINDING = 20;
const FINDINGS_A_CHECK = 20;

/** Runs every rule on one document, one after the other, in this process. A rule that fails harms no other. */
export async function examine(
  document: Document,
  rules: readonly Rule[],
  facts: Facts,
  unreadable: string | undefined,
): Promise<DocumentResult> {
  const checks: Check[] = [];
  for (const rule of rules) checks.push(await check(rule, document));
  const outcome = outcomeOf(checks, unreadable);
  return {
    outcome,
    ...(outcome === 'inconclusive' && unreadable !== undefined ? { reason: unreadable } : {}),
    facts,
    checks,
  };
}

async function check(rule: Rule, document: Document): Promise<Check> {
  const { name, version, title, strength, family } = rule;
  const about = { rule: name, version, title, strength, family };
  const verdict = await run(rule, document);
  if (verdict.status !== 'finding') return { ...about, ...verdict };
  const findings = verdict.findings
    .slice(0, FINDINGS_A_CHECK)
    .map((finding) => checkFinding(finding, strength, PLACES_A_FINDING));
  return { ...about, status: 'finding', findings };
}

async function run(rule: Rule, document: Document): Promise<Verdict | { status: 'error' }> {
  if (!rule.appliesTo.includes(document.kind)) return { status: 'not_applicable', reason: 'For other kinds of files.' };
  try {
    return await rule.run(document);
  } catch (error) {
    return error instanceof Unreadable ? { status: 'unreadable', reason: error.message } : { status: 'error' };
  }
}
