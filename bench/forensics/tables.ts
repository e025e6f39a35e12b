import { outcomeOf } from '@tenant-screening/forensics/conclude';
import type { Check, Outcome } from '@tenant-screening/forensics/result';
import { judge } from '@tenant-screening/forensics-corpus/judge.ts';
import { familyOf } from '@tenant-screening/forensics-corpus/producers/families.ts';
import type { Row as Line } from '../../bin/admin/cli/output.ts';
import type { Row } from './service.ts';

const outcomes: readonly Outcome[] = ['tampered', 'suspicious', 'no_finding', 'inconclusive'];

/** Outcomes by method and type of file. */
export function confusion(rows: readonly Row[]): Line[] {
  const groups = Map.groupBy(
    rows,
    ({ truth }) => `${truth.genuine ? 'genuine' : 'tampered'}|${truth.method}|${truth.kind}|${tellsOf(truth)}`,
  );
  return [...groups].map(([key, group]) => {
    const [truth, method, type, tells] = key.split('|');
    const counts = outcomes.map((outcome): [string, number] => [
      outcome,
      group.filter(({ result }) => result.outcome === outcome).length,
    ]);
    const right = group.filter((row) => judge(row.truth, row.result).evidence).length;
    const evidence = truth === 'genuine' ? '' : percent(right, group.length);
    return {
      truth,
      method,
      type,
      file_tells: tells,
      files: group.length,
      ...Object.fromEntries(counts),
      right_evidence: evidence,
    };
  });
}

function tellsOf(truth: Row['truth']): string {
  if (truth.genuine) return '';
  return judge(truth, { outcome: 'no_finding', checks: [] }).expectation.tells;
}

/**
 * True and false findings by rule. `alone`: tampered files that without the rule are not caught, or not named, and genuine ones that are accused only with it.
 */
export function ruleByRule(rows: readonly Row[]): Line[] {
  const names = [...new Set(rows.flatMap(({ result }) => result.checks.map(({ rule }) => rule)))];
  return names.map((rule) => {
    const found = rows.flatMap((row) => {
      const check = row.result.checks.find((one) => one.rule === rule);
      return check ? [{ genuine: row.truth.genuine, check }] : [];
    });
    const count = (genuine: boolean, strengths: readonly string[]) =>
      found.filter(
        (one) => one.genuine === genuine && one.check.findings?.some(({ strength }) => strengths.includes(strength)),
      ).length;
    const decided = rows.filter((row) => row.result.checks.some((check) => check.rule === rule && hasWeight(check)));
    const alone = decided.filter((row) => !row.truth.genuine && isRight(row) && !isRight(without(row, rule)));
    const having = (status: string) => found.filter(({ check }) => check.status === status).length;
    return {
      rule,
      strong_hits: count(false, ['strong']),
      medium_hits: count(false, ['medium']),
      context_hits: count(false, ['context']),
      false_strong: count(true, ['strong']),
      false_medium: count(true, ['medium']),
      false_context: count(true, ['context']),
      alone: alone.length,
      alone_held_out: alone.filter(({ truth }) => familyOf(truth.producer).isHeldOut).length,
      alone_by: [...new Set(alone.map(({ truth }) => truth.method))].join(' '),
      false_alone: decided.filter(
        (row) => row.truth.genuine && isCaught(row.result.outcome) && !isCaught(without(row, rule).result.outcome),
      ).length,
      passed: having('passed'),
      unreadable: having('unreadable'),
      errors: having('error'),
    };
  });
}

function hasWeight({ findings = [] }: Check): boolean {
  return findings.some(({ strength }) => strength !== 'context');
}

/** The same file as if a rule did not exist. */
function without(row: Row, name: string): Row {
  const checks = row.result.checks.filter(({ rule }) => rule !== name);
  return { ...row, result: { ...row.result, checks, outcome: outcomeOf(checks, row.result.reason) } };
}

/** The confusion matrix by the family of what made the file, with intervals of 95 %. The last lines are of the known and the held-out families, and of all files. */
export function byFamily(rows: readonly Row[]): Line[] {
  const families = Map.groupBy(rows, ({ truth }) => familyOf(truth.producer).name);
  const split = (isHeldOut: boolean) => rows.filter(({ truth }) => familyOf(truth.producer).isHeldOut === isHeldOut);
  const lines = [
    ...[...families].sort(([one], [other]) => one.localeCompare(other)),
    ['known families', split(false)] as const,
    ['held-out families', split(true)] as const,
    ['all', rows] as const,
  ];
  return lines.map(([family, group]) => {
    const genuine = group.filter(({ truth }) => truth.genuine);
    const count = (outcome: Outcome) => genuine.filter(({ result }) => result.outcome === outcome).length;
    const tampered = group.filter(({ truth }) => !truth.genuine && tellsOf(truth) === 'always');
    return {
      family,
      genuine: genuine.length,
      no_finding: count('no_finding'),
      inconclusive: count('inconclusive'),
      called_suspicious: withInterval(count('suspicious'), genuine.length),
      called_tampered: withInterval(count('tampered'), genuine.length),
      tampered_that_tell: tampered.length,
      caught_with_evidence: withInterval(tampered.filter(isRight).length, tampered.length),
    };
  });
}

/** As in "2.0 % (0.4 to 7.0)": Wilson's interval, which holds for small numbers, too. */
function withInterval(part: number, whole: number): string {
  if (whole === 0) return '-';
  const z = 1.96;
  const share = part / whole;
  const middle = share + z ** 2 / (2 * whole);
  const spread = z * Math.sqrt((share * (1 - share)) / whole + z ** 2 / (4 * whole ** 2));
  const bound = (value: number) => ((100 * Math.max(0, value)) / (1 + z ** 2 / whole)).toFixed(1);
  return `${percent(part, whole)} (${bound(middle - spread)} to ${bound(middle + spread)})`;
}

function isCaught(outcome: Outcome): boolean {
  return outcome === 'tampered' || outcome === 'suspicious';
}

/** Caught, with evidence that names the change. */
export function isRight({ truth, result }: Row): boolean {
  return isCaught(result.outcome) && judge(truth, result).evidence;
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Unexpected results, by a sample name that reproduces the file. */
export function surprises(rows: readonly Row[]): Line[] {
  return rows.filter(isSurprise).map(({ name, truth, result }) => {
    const [change] = truth.changes;
    const findings = result.checks.flatMap(({ rule, findings = [] }) =>
      findings
        .filter(({ strength }) => strength !== 'context')
        .map(({ message, strength }) => `${rule} ${strength}: ${message}`),
    );
    return {
      sample: name,
      outcome: result.outcome,
      changed: change ? `${change.before} -> ${change.after}` : '',
      found: findings.join(' | ') || (result.reason ?? ''),
    };
  });
}

function isSurprise(row: Row): boolean {
  const { outcomeExpected, expectation, evidence } = judge(row.truth, row.result);
  return !outcomeExpected || (!row.truth.genuine && expectation.tells === 'always' && !evidence);
}
