import { type Amount, amountsIn } from './amounts.ts';
import { type Chain, chainOf } from './payslip-chain.ts';
import { type Figure, type FigureKind, figuresOf } from './payslip-figures.ts';
import { isListed, type Lists, listsIn, type Total, totalOf } from './payslip-lists.ts';
import type { WordLine } from './words.ts';

/** The figures of a payslip that are related by arithmetic, by one reading of the page. */
export interface Payslip {
  gross: Total;
  /** Subtracted together: one total, or parts such as taxes and insurance. */
  deductions: Total[];
  net: Total;
  /** From gross pay less deductions to net pay. */
  chain: Chain;
  /** Whether this gives net pay as shown. */
  isConsistent: boolean;
  /** Other figures with the label of net pay or of its payment. */
  otherNets: readonly Figure[];
  /** Every amount of the page. */
  amounts: readonly Amount[];
  lists: Lists;
}

/** One way to read gross pay and deductions. */
interface Reading {
  gross: Amount;
  deductions: readonly Amount[];
}

interface Candidates {
  gross: readonly Amount[];
  deductions: readonly Amount[];
  /** Those directly beside or below their labels. */
  nearDeductions: readonly Amount[];
  net: readonly Amount[];
}

const PARTS = 3;
const CANDIDATES = 9;
/** A change may raise net pay above gross pay. */
const MAX_NET_RATIO = 1.8;
/** In cents: some countries round payments. */
export const ROUNDING = 5;
/** In cents: with many figures between, only an exact result tells something. */
const EXACT = 1;

/** The payslip on a page; undefined if gross pay, deductions or net pay are not named, or if it is unclear which figures are meant. */
export function payslipOf(lines: readonly WordLine[]): Payslip | undefined {
  const amounts = amountsIn(lines);
  const figures = figuresOf(lines, amounts);
  const lists = listsIn(lines, amounts, new Set(figures.filter(isTotal).map(({ amount }) => amount.line)));
  const candidates = candidatesOf(figures, lists);
  const chosen = consistent(candidates, lists) ?? unique(candidates, lists);
  if (chosen === undefined) return undefined;
  const { reading, net, chain, isConsistent } = chosen;
  return {
    gross: totalOf(reading.gross, lists),
    deductions: reading.deductions.map((amount) => totalOf(amount, lists)),
    net: totalOf(net, lists),
    chain,
    isConsistent,
    otherNets: figures.filter(
      ({ kind, amount, isOfYear }) =>
        isNet(kind) &&
        amount.cents !== net.cents &&
        // What the sums require is that of the month, wherever it stands.
        (!isOfYear || chain.values.includes(Math.abs(amount.cents))),
    ),
    amounts,
    lists,
  };
}

function isNet(kind: FigureKind): boolean {
  return kind === 'net' || kind === 'paid';
}

function isTotal({ kind }: Figure): boolean {
  return kind !== 'paid';
}

/** Those of the month; figures in a place for the year only where there are no others. */
function candidatesOf(figures: readonly Figure[], lists: Lists): Candidates {
  const of = (kind: FigureKind, within = figures) => {
    const all = within.filter((figure) => figure.kind === kind);
    const ofMonth = all.filter(({ isOfYear }) => !isOfYear);
    const known = ofMonth.length > 0 ? ofMonth : all.filter(({ amount }) => kind === 'net' || isListed(amount, lists));
    const nearFirst = known.toSorted((one, other) => Number(one.isFurther) - Number(other.isFurther));
    return distinct(nearFirst.map(({ amount }) => amount)).slice(0, CANDIDATES);
  };
  const net = of('net');
  const near = of(
    'deductions',
    figures.filter(({ isFurther }) => !isFurther),
  );
  const gross = of('gross');
  const known = of('deductions');
  const deductions = known.length > 0 ? known : unnamedBeside(gross, lists);
  return {
    gross: gross.length > 0 ? gross : unnamedBeside(known, lists),
    deductions,
    nearDeductions: near.length > 0 ? near : deductions,
    net: net.length > 0 ? net : of('paid'),
  };
}

/** Sums of lists beside a total, under labels that are not known. */
function unnamedBeside(totals: readonly Amount[], lists: Lists): Amount[] {
  const rows = new Set(totals.map(({ line }) => line));
  const beside = lists.amounts.filter((amount) => rows.has(amount.line) && !totals.includes(amount));
  return distinct(beside.filter((amount) => amount.cents !== 0 && isListed(amount, lists))).slice(0, PARTS);
}

interface Choice {
  reading: Reading;
  net: Amount;
  chain: Chain;
  isConsistent: boolean;
}

/** The first reading that gives a net pay as shown: without figures between, or with those that stand there. */
function consistent({ gross, deductions, net }: Candidates, lists: Lists): Choice | undefined {
  const readings = gross.flatMap((one) => subsets(deductions).map((set): Reading => ({ gross: one, deductions: set })));
  for (const reading of readings)
    for (const last of net)
      if (
        [...beforeFigures(reading), withRefund(reading)].some(
          (value) => Math.abs(value - Math.abs(last.cents)) <= ROUNDING,
        )
      )
        return {
          reading,
          net: last,
          chain: { values: [Math.abs(last.cents)], orElse: [], isConfirmed: true, figures: [] },
          isConsistent: true,
        };
  for (const reading of readings)
    for (const last of net) {
      const chain = chainFor(reading, last, lists);
      if (chain.values.some((value) => Math.abs(value - Math.abs(last.cents)) <= EXACT))
        return { reading, net: last, chain, isConsistent: true };
    }
  return undefined;
}

/** Where nothing adds up: the totals that are unique under their labels, or that alone are the sums of lists. */
function unique({ gross, nearDeductions, net }: Candidates, lists: Lists): Choice | undefined {
  const [oneGross, ...otherGross] = onlyOrListed(gross, lists);
  if (oneGross === undefined || otherGross.length > 0) return undefined;
  const taken = partsOf(onlyOrListed(nearDeductions, lists).filter(({ cents }) => Math.abs(cents) < oneGross.cents));
  if (taken.length === 0 || taken.length > PARTS) return undefined;
  // Net pay of the month is hardly more than gross pay: more is of several months.
  const [oneNet, ...otherNets] = net.filter(({ cents }) => Math.abs(cents) <= MAX_NET_RATIO * Math.abs(oneGross.cents));
  if (oneNet === undefined || otherNets.length > 0) return undefined;
  const reading = { gross: oneGross, deductions: taken };
  return { reading, net: oneNet, chain: chainFor(reading, oneNet, lists), isConsistent: false };
}

/** A total of deductions instead of its parts. */
function partsOf(deductions: readonly Amount[]): readonly Amount[] {
  const whole = deductions.find(
    (one) => Math.abs(sumOf(deductions.map(({ cents }) => Math.abs(cents))) - 2 * Math.abs(one.cents)) <= EXACT,
  );
  return whole === undefined ? deductions : [whole];
}

function onlyOrListed(candidates: readonly Amount[], lists: Lists): readonly Amount[] {
  return candidates.length < 2 ? candidates : candidates.filter((amount) => isListed(amount, lists));
}

export function chainFor(reading: Reading, net: Amount, lists: Lists): Chain {
  return chainOf(beforeFigures(reading), [reading.gross, ...reading.deductions], net, lists);
}

/**
 * In cents: gross pay less deductions. Deductions are written as positive or as negative amounts; if positive, a negative one is a refund.
 */
function beforeFigures({ gross, deductions }: Reading): number[] {
  const parts = deductions.map(({ cents }) => cents);
  const base = Math.abs(gross.cents);
  const written = parts.every((cents) => cents < 0) ? [base - sumOf(parts)] : [];
  const mixed = parts.some((cents) => cents < 0) && parts.some((cents) => cents > 0) ? [base - sumOf(parts)] : [];
  return [...new Set([base - sumOf(parts.map(Math.abs)), ...written, ...mixed])];
}

/** In cents: a refund larger than the deductions may be printed without its sign. */
function withRefund({ gross, deductions }: Reading): number {
  return Math.abs(gross.cents) + sumOf(deductions.map(({ cents }) => Math.abs(cents)));
}

function distinct(amounts: readonly Amount[]): Amount[] {
  return [...new Map(amounts.toReversed().map((amount) => [amount.cents, amount])).values()].toReversed();
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
