import type { IncomePaper, PaperClaim } from './income-papers.ts';
import { seriesOf } from './income-series.ts';
import type { IncomeSource } from './income-types.ts';
import { creditKind, folded, namesSame } from './income-words.ts';

const MIN_MONTHLY_CENTS = 5_000;

function claimOf(claims: readonly PaperClaim[], kind: string): PaperClaim | undefined {
  return claims.find((claim) => claim.kind === kind);
}

/**
 * What the newest tax assessment leaves of a year's work income after tax, by the month. Social contributions are not in it, which
 * the caution `tax-only` says.
 */
export function taxIncome(papers: readonly IncomePaper[]): { source: IncomeSource; year: string } | undefined {
  const assessments = papers.filter(({ kind }) => kind === 'tax').flatMap(assessmentOf);
  const newest = assessments.toSorted((one, other) => other.year.localeCompare(one.year))[0];
  if (newest === undefined || newest.monthlyCents < MIN_MONTHLY_CENTS) return undefined;
  const { year, monthlyCents } = newest;
  const about = { kind: 'other', payer: '', isRegular: false } as const;
  return { year, source: { ...about, months: [], monthlyCents, from: 'tax', certainty: 'stated' } };
}

function assessmentOf({ claims }: IncomePaper): { year: string; monthlyCents: number }[] {
  const [income, tax] = [claimOf(claims, 'income'), claimOf(claims, 'tax')];
  if (!income || !tax) return [];
  const monthlyCents = Math.round((Number(income.value) - Math.abs(Number(tax.value))) / 12);
  return [{ year: claimOf(claims, 'year')?.value ?? '', monthlyCents }];
}

/** Pay and benefits by uploaded statements. Credits of unknown kind do not count: their texts are read from the page. */
export function statementIncome(papers: readonly IncomePaper[], payslips: readonly IncomeSource[]): IncomeSource[] {
  const statements = papers.filter(({ kind }) => kind === 'statement');
  const credits = statements.flatMap(({ claims }) => claims.filter(({ kind }) => kind === 'credit')).flatMap(creditOf);
  const days = credits.map(({ day }) => day).sort();
  const edges = statements.flatMap(({ claims }) => [claimOf(claims, 'from')?.value, claimOf(claims, 'to')?.value]);
  const period = [...days, ...edges.filter((day) => day !== undefined && /^\d{4}-/.test(day))].sort();
  const [from = '', to = ''] = [period[0], period.at(-1)];
  return [...Map.groupBy(credits, ({ words }) => payerIn(words)).entries()].flatMap(
    ([payer, payments]): IncomeSource[] => {
      const series = seriesOf(payments, { from, to });
      if (!series || series.monthlyCents < MIN_MONTHLY_CENTS) return [];
      const isEmployer = payslips.some((payslip) => namesSame(payslip.payer, payer));
      const kind = creditKind(payments.map(({ words }) => words).join(' '), series.isRegular, isEmployer);
      if (!kind || kind === 'other') return [];
      return [{ kind, payer, ...series, from: 'statement', certainty: 'likely' }];
    },
  );
}

function creditOf({ value, day, words = '' }: PaperClaim): { day: string; cents: number; words: string }[] {
  const cents = Number(value);
  return day !== undefined && cents > 0 ? [{ day, cents, words: folded(beforeAmount(words)) }] : [];
}

const DAY = /\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/g;
const AMOUNT = /[+-]?\d{1,3}(?:[ .’']?\d{3}){0,4}[.,]\d{2}(?!\d)/;

/** The words of a booking: after its amount come the balance, references, and what the page carries over. */
function beforeAmount(words: string): string {
  const own = words.replace(DAY, ' ');
  const at = own.search(AMOUNT);
  return at > 0 && /\p{L}{3}/u.test(own.slice(0, at)) ? own.slice(0, at) : own;
}

const MONTHS =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|abr|ago|dic|janv|fevr|mars|avr|mai|juin|juil|aout|mrz|okt|dez|out|fev|set)[\p{L}]*\b/gu;

/** The words of a booking without what changes from month to month. */
function payerIn(words: string): string {
  return words
    .replace(MONTHS, '')
    .replace(/[\d.]+/g, '')
    .replace(/(?<!\p{L})(?:ref|\p{L})(?!\p{L})/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
