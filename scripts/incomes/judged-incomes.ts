import type { ForensicEngine } from '@tenant-screening/forensics/analysis';
import { type IncomeDocument, incomeOf } from '../../core/rules/income.ts';
import { keptPapers } from '../../core/rules/income-papers.ts';
import type { Income } from '../../core/rules/income-types.ts';
import { type IncomeSet, incomeSet } from './applicant-sets.ts';

/** How the income of a set was read. */
export interface JudgedIncome {
  set: IncomeSet;
  income: Income;
  outcomes: Map<string, IncomeDocument['outcome']>;
  verdict: Verdict;
}

/**
 * `right`: within 2 %, or not known where the documents do not suffice. `missing`: not known although they suffice. `wrong`: another
 * figure. `silent`: a document was found tampered or suspicious, and the income does not say so. `undetected`: the figure comes from a
 * changed document in which the checks found nothing.
 */
export const verdicts = ['right', 'missing', 'wrong', 'silent', 'undetected'] as const;
export type Verdict = (typeof verdicts)[number];

const MAX_MISS = 0.02;

/** Reads the documents of each set as the service does, and compares the income with the true one. */
export async function* judgedIncomes(
  engine: ForensicEngine,
  seed: string,
  numbers: readonly number[],
): AsyncGenerator<JudgedIncome> {
  for (const number of numbers) {
    const set = await incomeSet(seed, number);
    const submitted = set.files.map(({ name, bytes }) => ({
      id: name,
      name,
      read: async function* () {
        yield bytes;
      },
    }));
    const { documents: analysed, papers } = await engine.analyse(submitted);
    const documents = analysed.map(
      ({ document_id, name, outcome }): IncomeDocument => ({ document_id, name, outcome, isFromBank: false }),
    );
    const income = incomeOf({ name: '', statements: [], documents, papers: keptPapers(papers) });
    const outcomes = new Map(documents.map(({ name, outcome }) => [name, outcome]));
    yield { set, income, outcomes, verdict: verdictOn(set, income, outcomes) };
  }
}

function verdictOn(
  set: IncomeSet,
  { monthlyCents, cautions, sources }: Income,
  outcomes: JudgedIncome['outcomes'],
): Verdict {
  const named = new Set(cautions.flatMap((caution) => ('document' in caution ? [caution.document] : [])));
  const found = [...outcomes].filter(([, outcome]) => outcome === 'tampered' || outcome === 'suspicious');
  if (found.some(([name]) => !named.has(name))) return 'silent';
  const { expectedCents } = set;
  if (monthlyCents === undefined) return expectedCents === undefined ? 'right' : 'missing';
  if (expectedCents !== undefined && Math.abs(monthlyCents - expectedCents) <= MAX_MISS * expectedCents) return 'right';
  const isByPayslips = sources.some(({ from }) => from === 'payslip');
  const changed = set.files.filter(({ isChanged }) => isChanged);
  if (!isByPayslips || changed.length === 0) return 'wrong';
  // A figure of a suspicious payslip is right as long as that is said.
  return changed.some(({ name }) => named.has(name)) ? 'right' : 'undetected';
}
