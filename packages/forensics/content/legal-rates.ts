import { type Amount, amountsIn } from './amounts.ts';
import { britishInsurance } from './british-insurance.ts';
import { dayReader, monthOf } from './claims/period.ts';
import { type Row, rowsIn } from './contributions.ts';
import { everyLabelledAmount } from './labelled-amounts.ts';
import { folded } from './labels.ts';
import { type PayRange, payOnPage, type RaisedPay } from './legal-pay.ts';
import { COUNTRIES, type CountryRates, type RatePeriod } from './rates/country-rates.ts';
import type { WordLine } from './words.ts';

/** A row whose rate is that of law, and whose amount is not that of its basis. */
export interface UnlawfulRow {
  contribution: string;
  month: string;
  row: Row;
}

export interface LegalFaults {
  rows: UnlawfulRow[];
  raised: RaisedPay | undefined;
  /** The number of contributions that law and the page agree on, or not. */
  compared: number;
}

/** A contribution that a page names, and every amount beside its label. */
interface Named {
  contribution: string;
  percent: readonly number[];
  amounts: readonly Amount[];
}

const NOTHING: LegalFaults = { rows: [], raised: undefined, compared: 0 };
/** Contributions of one person may be taken for some days of the month: then the ceiling is one of as many thirtieths. */
const DAYS = 30;

/** What the law of its month says of a page's contributions; nothing about other months, or where other rules may hold. */
export function legalFaults(lines: readonly WordLine[]): LegalFaults {
  const amounts = amountsIn(lines);
  const [first] = amounts;
  if (first === undefined) return NOTHING;
  const month = monthOf(lines, dayReader(lines), lines.indexOf(first.line))?.value;
  if (month === undefined) return NOTHING;
  const british = britishInsurance(lines, month);
  if (british !== undefined) return { ...NOTHING, ...british };
  for (const country of COUNTRIES) {
    const period = country.periods.find(({ from, until }) => from <= month && month <= until);
    const named = period === undefined ? [] : namedIn(lines, amounts, country, period);
    if (period === undefined || named.length === 0) continue;
    if (lines.some(({ text }) => country.exceptions.test(folded(text)))) return NOTHING;
    const rows = rowsIn(lines).flatMap((row) => {
      const contribution = nameOf(row, country);
      return contribution !== undefined && isUnlawful(row, period.percent[contribution] ?? [], period, amounts)
        ? [{ contribution, month, row }]
        : [];
    });
    const raised = rows.length > 0 ? undefined : raisedPay(lines, named, country, period);
    return { rows, raised: raised && { ...raised, month }, compared: agreeing(lines, named, period) };
  }
  return NOTHING;
}

function namedIn(
  lines: readonly WordLine[],
  amounts: readonly Amount[],
  { labels }: CountryRates,
  { percent }: RatePeriod,
): Named[] {
  const known = Object.entries(labels).map(([kind, label]) => ({ kind, label }));
  const found = Map.groupBy(everyLabelledAmount(lines, amounts, known), ({ kind }) => kind);
  return [...found].flatMap(([contribution, own]) => {
    const rates = percent[contribution];
    return rates === undefined
      ? []
      : [{ contribution, percent: rates, amounts: own.map(({ amount }) => amount).filter(isNoRate(rates)) }];
  });
}

/** A rate with two decimals reads as an amount. */
function isNoRate(rates: readonly number[]): (amount: Amount) => boolean {
  return ({ cents }) => cents !== 0 && !rates.some((rate) => Math.round(100 * rate) === Math.abs(cents));
}

function nameOf({ basis }: Row, { labels }: CountryRates): string | undefined {
  const label = folded(basis.line.text.slice(0, basis.start));
  return Object.entries(labels).find(([, known]) => known.test(label))?.[0];
}

/** Whether the printed rate is that of law, and no lawful rate of any amount of the page, or of a ceiling, gives what is taken. */
function isUnlawful(
  row: Row,
  percent: readonly number[],
  { ceilings }: RatePeriod,
  amounts: readonly Amount[],
): boolean {
  if (row.holds || !percent.includes(row.percent)) return false;
  const taken = Math.abs(row.amount.cents);
  const bases = [
    ...amounts.filter((amount) => amount !== row.amount).map(({ cents }) => Math.abs(cents)),
    ...partsOf(ceilings),
  ];
  return !percent.some((rate) => bases.some((base) => Math.abs((base * rate) / 100 - taken) <= 1));
}

function partsOf(ceilings: readonly number[]): number[] {
  return ceilings.flatMap((ceiling) => Array.from({ length: DAYS }, (_, day) => (ceiling * (day + 1)) / DAYS));
}

/**
 * Pay from which all contributions are taken, if the page states more, and no lawful reason for the difference stands on it: contributions
 * at two rates agree on it, or one states it as its basis.
 */
function raisedPay(
  lines: readonly WordLine[],
  named: readonly Named[],
  { ofOther, leastPay }: CountryRates,
  { ceilings }: RatePeriod,
): Omit<RaisedPay, 'month'> | undefined {
  const page = payOnPage(lines);
  if (page === undefined || page.gross.cents <= leastPay) return undefined;
  const ofPay = named.filter(({ contribution }) => !ofOther.has(contribution));
  const ranges = ofPay.map((one) => rangesOf(one));
  const capped = partsOf(ceilings);
  const candidates = ranges.flat().filter(({ low, high }) => !capped.some((cents) => low <= cents && cents <= high));
  const agreed = candidates.find(
    (one) =>
      candidates.some((other) => other.contribution !== one.contribution && isSame(one, other)) ||
      rowsIn(lines).some(({ basis, amount, holds }) => holds && amount === one.amount && isWithin(basis.cents, one)),
  );
  if (agreed === undefined || agreed.high >= page.least) return undefined;
  // Each contribution is of the same pay, or of a ceiling.
  const isOfAll = ranges.every((own) =>
    own.some((range) => isSame(range, agreed) || capped.some((cents) => isWithin(cents, range))),
  );
  const taken = candidates.filter((range) => isSame(range, agreed));
  const narrowest = taken.toSorted((one, other) => one.high - one.low - (other.high - other.low))[0] ?? agreed;
  return isOfAll ? page.raisedFrom(narrowest, taken) : undefined;
}

/** How many contributions are those of gross pay or of a ceiling. */
function agreeing(lines: readonly WordLine[], named: readonly Named[], { ceilings }: RatePeriod): number {
  const gross = payOnPage(lines)?.gross.cents;
  const bases = gross === undefined ? [] : [gross, ...ceilings];
  return named.filter((one) => rangesOf(one).some((range) => bases.some((cents) => isWithin(cents, range)))).length;
}

/** In cents: half of a rounded contribution may be one off. */
const ROUNDED = 1;

/** From which pay law takes each of a contribution's amounts: the cent that is rounded leaves a range. */
function rangesOf({ contribution, percent, amounts }: Named): PayRange[] {
  return amounts.flatMap((amount) =>
    percent.map((rate) => {
      const of = (cents: number) => (100 * cents) / rate;
      const taken = Math.abs(amount.cents);
      return {
        contribution,
        percent: rate,
        amount,
        low: of(taken - ROUNDED),
        high: of(taken + ROUNDED),
        pay: of(taken),
      };
    }),
  );
}

function isSame(one: PayRange, other: PayRange): boolean {
  return one.low <= other.high && other.low <= one.high;
}

function isWithin(cents: number, { low, high }: PayRange): boolean {
  return low <= Math.abs(cents) && Math.abs(cents) <= high;
}
