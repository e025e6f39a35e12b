import { type Amount, amountsIn } from './amounts.ts';
import { type LabelledAmount, type LabelOf, labelledAmounts } from './labelled-amounts.ts';
import { DEDUCTIONS, folded, GROSS, NET, OTHER_PAY, TAX } from './labels.ts';
import { isListed, type Lists, listsIn, type Total, totalOf } from './payslip-lists.ts';
import type { WordLine } from './words.ts';
import { isOfYear, YEAR_TO_DATE } from './year-column.ts';

/** The figures of a payslip that are related by arithmetic. */
export interface Payslip {
  gross: Total;
  /** Subtracted together: one total, or parts such as taxes and insurance. */
  deductions: Total[];
  net: Total;
  /** Figures between the totals and net pay, such as a tax on its own, refunds and meal vouchers. */
  between: Between[];
  /** Whether gross pay, deductions and the figures between give net pay. */
  isConsistent: boolean;
  /** Every amount of the page. */
  amounts: readonly Amount[];
}

/** A figure between the totals and net pay, and how it may count: 1 added, -1 subtracted, 0 for information. */
export interface Between {
  amount: Amount;
  signs: readonly (1 | 0 | -1)[];
  /** How it most likely counts. */
  likely: readonly (1 | 0 | -1)[];
}

type Kind = 'gross' | 'deductions' | 'net';

const LABELS: readonly LabelOf<Kind>[] = [
  { kind: 'gross', label: GROSS },
  { kind: 'deductions', label: DEDUCTIONS },
  { kind: 'net', label: NET },
];
const PARTS = 3;
const CANDIDATES = 12;
/** More figures than this explain almost any net pay. */
const MAX_BETWEEN = 5;
/** A change may raise net pay above gross pay. */
const MAX_NET_RATIO = 1.8;
/** In cents: some countries round payments. */
export const ROUNDING = 5;

/** The payslip on a page; undefined if gross pay, deductions or net pay are not named, or if it is unclear which figures are meant. */
export function payslipOf(lines: readonly WordLine[]): Payslip | undefined {
  const amounts = amountsIn(lines);
  const candidates = labelledAmounts(lines, amounts, LABELS, OTHER_PAY);
  // A figure since the beginning of the year stands under the label of the month's, too.
  const ofMonth = candidates.filter(({ amount }) => !isOfYear(lines, amount) && !isInYearRow(lines, amount));
  const of = (kind: Kind) => distinct(ofMonth.filter((candidate) => candidate.kind === kind)).slice(0, CANDIDATES);
  const totals = new Set(candidates.map(({ amount }) => amount.line));
  const lists = listsIn(lines, amounts, totals);
  const found = { gross: of('gross'), deductions: of('deductions'), net: of('net') };
  const chosen = choice(found, lines, amounts, lists);
  if (chosen === undefined) return undefined;
  const total = (amount: Amount) => totalOf(amount, lists);
  return {
    ...chosen,
    gross: total(chosen.gross),
    deductions: chosen.deductions.map(total),
    net: total(chosen.net),
    amounts,
  };
}

/** In cents: what gross pay and deductions give by the ways in which the figures between are most likely meant. */
export function likelyNetsOf({ gross, deductions, between }: Reading): number[] {
  const taken = deductions.map(({ cents }) => cents);
  const isRefund = taken.length === 1 && taken.every((cents) => cents < 0) && gross.cents > 0;
  let nets = [Math.abs(gross.cents) - sumOf(taken.map(Math.abs))];
  if (isRefund) nets = [...nets, gross.cents - sumOf(taken)];
  for (const { amount, likely } of between)
    nets = nets.flatMap((net) => likely.map((sign) => net + sign * amount.cents));
  return [...new Set(nets)];
}

/** In cents: what gross pay and deductions give, by every way in which deductions and the figures between may be meant. */
export function netsOf({ gross, deductions, between }: Reading): number[] {
  const parts = deductions.map(({ cents }) => cents);
  const base = Math.abs(gross.cents);
  // Deductions are written as positive or as negative amounts; if positive, a negative one is a refund.
  let nets = [base - sumOf(parts.map(Math.abs)), base - sumOf(parts), base + sumOf(parts)];
  for (const { amount, signs } of between) nets = nets.flatMap((net) => signs.map((sign) => net + sign * amount.cents));
  return [...new Set(nets)];
}

interface Candidates {
  gross: readonly Amount[];
  deductions: readonly Amount[];
  net: readonly Amount[];
}

/** One way to read a page's labelled figures. */
export interface Reading {
  gross: Amount;
  deductions: readonly Amount[];
  between: readonly Between[];
}

interface Choice extends Reading {
  deductions: Amount[];
  between: Between[];
  net: Amount;
  isConsistent: boolean;
}

/** The first reading that adds up, or else the figures that are unique under their labels. */
function choice(
  { gross, deductions, net }: Candidates,
  lines: readonly WordLine[],
  amounts: readonly Amount[],
  lists: Lists,
): Choice | undefined {
  const sets = subsets(deductions);
  const isNet = (results: readonly number[], { cents }: Amount, tolerance: number) =>
    results.some((result) => Math.abs(result - cents) <= tolerance || Math.abs(result + cents) <= tolerance);
  for (const one of gross)
    for (const set of sets) {
      const results = netsOf({ gross: one, deductions: set, between: [] });
      const match = net.find((candidate) => isNet(results, candidate, ROUNDING));
      if (match !== undefined) return { gross: one, deductions: set, net: match, between: [], isConsistent: true };
    }
  for (const one of gross)
    for (const set of sets)
      for (const last of net) {
        const between = betweenOf([one, ...set], last, lines, amounts);
        const reading = { gross: one, deductions: set, between };
        // With many results, only an exact one tells something.
        if (between.length > 0 && isNet(netsOf(reading), last, 1)) return { ...reading, net: last, isConsistent: true };
      }
  return unique({ gross, deductions, net }, lines, amounts, lists);
}

/** Where nothing adds up: the figures that are unique under their labels, or that alone are the sums of lists. */
function unique(
  { gross, deductions, net }: Candidates,
  lines: readonly WordLine[],
  amounts: readonly Amount[],
  lists: Lists,
): Choice | undefined {
  const [oneGross, ...otherGross] = onlyOrListed(gross, lists);
  const taken = deductions.length > PARTS ? onlyOrListed(deductions, lists) : deductions;
  if (oneGross === undefined || otherGross.length > 0 || taken.length === 0 || taken.length > PARTS) return undefined;
  // Net pay of the month is hardly more than gross pay: more is of several months.
  const [oneNet, ...otherNet] = net.filter(({ cents }) => Math.abs(cents) <= MAX_NET_RATIO * Math.abs(oneGross.cents));
  if (oneNet === undefined || otherNet.length > 0) return undefined;
  const between = betweenOf([oneGross, ...taken], oneNet, lines, amounts);
  return { gross: oneGross, deductions: [...taken], net: oneNet, between, isConsistent: false };
}

function onlyOrListed(candidates: readonly Amount[], lists: Lists): readonly Amount[] {
  return candidates.length < 2 ? candidates : candidates.filter((amount) => isListed(amount, lists));
}

/** The figures on the lines between the totals and net pay, without results that repeat a total or what is left of it. */
function betweenOf(
  totals: readonly Amount[],
  net: Amount,
  lines: readonly WordLine[],
  amounts: readonly Amount[],
): Between[] {
  const first = Math.max(...totals.map(({ line }) => lines.indexOf(line))) + 1;
  const last = lines.indexOf(net.line);
  const inside = amounts.filter(({ line }) => {
    const at = lines.indexOf(line);
    return at >= first && at < last;
  });
  const own = new Set([...totals, net].map(({ cents }) => Math.abs(cents)));
  const rows = [...Map.groupBy(inside, ({ line }) => line).values()];
  const found = rows.flatMap((row) => {
    // A row may begin with the basis of its amount.
    const amount = row.at(-1);
    return amount === undefined || own.has(Math.abs(amount.cents)) || isResult(amount) ? [] : [signed(amount)];
  });
  return found.length > MAX_BETWEEN ? [] : found;
}

/** A subtotal, such as net pay before tax or taxable pay. */
function isResult({ line, start }: Amount): boolean {
  const label = folded(line.text.slice(0, start));
  return (
    (NET.test(label) || GROSS.test(label) || OTHER_PAY.test(label) || /^net\b|^netto\b/.test(label)) &&
    !TAX_ROW.test(label)
  );
}

/** A tax of its own row, in languages whose word for net pay before it contains the tax. */
const TAX_ROW = /^(?:impot|prelevement|lohnsteuer|steuer|retencion|irpf|ritenut|imposta|tax|paye)\b/;

const ANY = [-1, 1, 0] as const;

function signed(amount: Amount): Between {
  const label = folded(amount.line.text.slice(0, amount.start));
  if (amount.cents < 0) return { amount, signs: [1, 0], likely: [1] };
  return { amount, signs: ANY, likely: TAX.test(label) ? [-1] : ANY };
}

/** Whether it stands in a row of figures since the beginning of the year, or below such a label. */
function isInYearRow(lines: readonly WordLine[], { line, start }: Amount): boolean {
  if (/^(?:19|20)\d\d\b/.test(line.text) || YEAR_TO_DATE.test(folded(line.text.slice(0, start)))) return true;
  const above = lines[lines.indexOf(line) - 1];
  return (
    above !== undefined &&
    above.page === line.page &&
    YEAR_TO_DATE.test(folded(above.text)) &&
    !/\d/.test(above.text) &&
    above.box.y > line.box.y - 2.5 * line.fontSize &&
    /^\d{4}\b|^[\s\d.,'€$£-]*$/.test(line.text)
  );
}

function distinct(candidates: readonly LabelledAmount<Kind>[]): Amount[] {
  const seen = new Map<number, Amount>();
  for (const { amount } of candidates)
    if (amount.cents !== 0 && !seen.has(amount.cents)) seen.set(amount.cents, amount);
  return [...seen.values()];
}

/** Subsets of one to three amounts. */
function subsets(amounts: readonly Amount[]): Amount[][] {
  let sets: Amount[][] = [[]];
  for (const amount of amounts) sets = sets.flatMap((set) => [set, ...(set.length < PARTS ? [[...set, amount]] : [])]);
  return sets.filter((set) => set.length > 0).sort((one, other) => one.length - other.length);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
