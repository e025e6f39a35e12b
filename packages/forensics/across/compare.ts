import { asStatus } from '../examine.ts';
import type { Check } from '../result.ts';
import { type Finding, type Verdict, verdictOf } from '../rule.ts';
import { balances, ibans } from './accounts.ts';
import { netPay, payer } from './net-pay.ts';
import type { CrossRule, OwnedPaper } from './paper.ts';
import { addresses, identityNumbers, names } from './person.ts';
import { sequence, yearToDate } from './sequence.ts';

/** The checks across an applicant's documents, in the order in which they are reported. */
export const crossRules: readonly CrossRule[] = [
  netPay,
  payer,
  balances,
  yearToDate,
  sequence,
  names,
  identityNumbers,
  ibans,
  addresses,
];

const PAPERS = 60;
const FINDINGS = 5;
const PLACES = 6;

/** Runs in the host, on claims that were rebuilt from an allow-list: no text of a document is parsed here. */
export function compareDocuments(papers: readonly OwnedPaper[]): Check[] {
  const some = papers.slice(0, PAPERS);
  return crossRules.map((rule): Check => {
    const { name, version, title, strength } = rule;
    return { rule: name, version, title, strength, family: 'content', ...asStatus(verdictOn(rule, some), rule) };
  });
}

function verdictOn(rule: CrossRule, papers: readonly OwnedPaper[]): Verdict {
  const findings = rule.run(papers);
  if (findings === undefined)
    return { status: 'not_applicable', reason: 'The documents say nothing of this that could be compared.' };
  return verdictOf(merged(findings).slice(0, FINDINGS), { count: papers.length, what: 'document' });
}

/** One finding for a contradiction between the same two values, however many documents contain them. */
function merged(findings: readonly Finding[]): Finding[] {
  const valuesOf = ({ evidence, strength }: Finding) =>
    JSON.stringify([strength, ...evidence.slice(0, 2).map(({ after }) => after)].toSorted());
  return [...Map.groupBy(findings, valuesOf).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const places = [first, ...others].flatMap(({ evidence }) => evidence);
    const evidence = [
      ...new Map(places.map((one) => [JSON.stringify([one.document_id, one.page, one.box]), one])).values(),
    ];
    const ids = new Set(evidence.map(({ document_id }) => document_id)).size;
    const more = ids > 2 ? ` ${ids} documents have one or the other.` : '';
    return [{ ...first, message: `${first.message}${more}`, evidence: evidence.slice(0, PLACES) }];
  });
}
