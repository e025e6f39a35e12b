import type { Amount } from './amounts.ts';
import { folded, PAID } from './labels.ts';
import { likelyNetsOf, type Payslip, ROUNDING } from './payslip.ts';
import { isListOfAnother, type Total } from './payslip-lists.ts';

/** A figure of a payslip that the others contradict. */
export interface PayslipFault {
  amount: Amount;
  /** In cents, unsigned. */
  expected: number;
  /** What the expected value is derived from. */
  because: 'difference' | 'items' | 'items and difference';
  /** Confirmed by more than one sum, so it is certain which figure is wrong. */
  isCertain: boolean;
  /** Other figures that may be the wrong one, most likely first, with their expected values. */
  suspects: { amount: Amount; expected: number }[];
}

/** What the sums of a payslip say. */
export interface SumsChecked {
  faults: PayslipFault[];
  /** The number of sums that hold, each by one reading only; none where other figures may explain a difference. */
  holding: number;
}

/** In cents: a smaller difference may be rounding. */
const LEAST = 100;
/** Net pay of the month that is more than this part of another figure called so is hardly the other one's part of the year. */
const WITHIN_A_MONTH = 1.7;

/**
 * A figure that contradicts the others, if no reading of the page is consistent and changing it makes one so. There is none if the
 * expected value stands elsewhere on the page under an unknown label, or if an amount on the page, or the sum or difference of two, is the
 * difference: it may be an expense refunded, a benefit in kind or a separate tax.
 */
export function checkSums(payslip: Payslip): SumsChecked {
  const totals = [payslip.gross, ...payslip.deductions];
  const held = totals.filter(holds).length;
  if (payslip.isConsistent) {
    const faults = itemFaults(payslip);
    return { faults, holding: faults.length > 0 ? 0 : 1 + held };
  }
  return isRounded(payslip) ? { faults: [], holding: 1 + held } : { faults: differenceFault(payslip), holding: 0 };
}

/** Totals that their lists do not add up to, although gross pay, deductions and net pay agree: then a figure of the list is wrong. */
function itemFaults(payslip: Payslip): PayslipFault[] {
  const totals = [payslip.gross, ...payslip.deductions];
  const off = totals.filter((total) => total.sum !== undefined && !holds(total));
  const others = totals.filter(holds);
  return off.flatMap((total) => {
    const expected = total.sum ?? 0;
    const miss = valueOfTotal(total) - expected;
    if (off.length > 1 || total.items.length < (others.length > 0 ? 2 : 3) || isExplained(miss, payslip)) return [];
    if (isListOfAnother(total, payslip)) return [];
    // Gross minus deductions confirms the total, so an item is wrong. Unless another list adds up, this one may be only half understood.
    const isCertain = others.length > 0;
    return [{ amount: total.amount, expected, because: 'items' as const, isCertain, suspects: itemsOf(total, miss) }];
  });
}

/** Whether gross pay less deductions gives net pay, with a difference of less than one unit. */
function isRounded({ gross, deductions, net }: Payslip): boolean {
  const rest = valueOfTotal(gross) - sum(deductions.map(valueOfTotal));
  return Math.abs(rest - valueOfTotal(net)) < LEAST;
}

function differenceFault(payslip: Payslip): PayslipFault[] {
  const { gross, deductions, net, between, amounts } = payslip;
  const shown = Math.abs(net.amount.cents);
  const reading = { gross: gross.amount, deductions: deductions.map(({ amount }) => amount), between };
  const nets = likelyNetsOf(reading).filter((value) => value > 0);
  const others = amounts.filter((amount) => amount !== net.amount && !reading.deductions.includes(amount));
  const elsewhere = others.find(({ cents }) => nets.some((value) => Math.abs(value - Math.abs(cents)) <= 1));
  // Where a figure between may be added or subtracted, the result that comes closest.
  const [expected] = nets.toSorted((one, other) => Math.abs(one - shown) - Math.abs(other - shown));
  if (expected === undefined) return [];
  if (elsewhere !== undefined) {
    const isOther = isPayout(elsewhere, shown) && !isExplained(shown - Math.abs(elsewhere.cents), payslip);
    return isOther ? [elsewhereFault(net, elsewhere)] : [];
  }
  const taken = sum(deductions.map(valueOfTotal));
  const error = shown - (valueOfTotal(gross) - taken);
  if (nets.some((value) => isExplained(shown - value, payslip))) return [];
  const repaired = repairedTotal(payslip, taken, error);
  if (repaired !== undefined) return [repaired];
  const isCertain = holds(gross) && deductions.every(holds) && nets.length === 1;
  const suspects = isCertain || between.length > 0 ? [] : totalsThatMayBeOff(gross, deductions, error);
  // A single sum over figures of unknown meaning is no evidence.
  if (between.length > 0 && !(holds(gross) && deductions.every(holds))) return [];
  return [{ amount: net.amount, expected, because: 'difference', isCertain, suspects }];
}

/** A label for the amount paid. */
function isPayout({ cents, line, start }: Amount, shown: number): boolean {
  const isOfMonth = shown < WITHIN_A_MONTH * Math.abs(cents);
  return isOfMonth && PAID.test(folded(line.text.slice(0, start)));
}

/** Net pay as it was paid, and the same figure under its name, differ. */
function elsewhereFault(net: Total, { cents }: Amount): PayslipFault {
  const expected = Math.abs(cents);
  return { amount: net.amount, expected, because: 'difference', isCertain: false, suspects: [] };
}

/** The total, if any, that its own list and the other totals agree on another value for. */
function repairedTotal({ gross, deductions, net }: Payslip, taken: number, error: number): PayslipFault | undefined {
  const both = (total: Total, expected: number): PayslipFault[] =>
    !holds(total) && total.sum !== undefined && Math.abs(total.sum - expected) <= ROUNDING
      ? [{ amount: total.amount, expected, because: 'items and difference', isCertain: true, suspects: [] }]
      : [];
  const off = [
    ...both(gross, valueOfTotal(net) + taken),
    ...deductions.flatMap((total) => both(total, valueOfTotal(total) - error)),
  ];
  return off.length === 1 ? off[0] : undefined;
}

function totalsThatMayBeOff(gross: Total, deductions: readonly Total[], error: number): PayslipFault['suspects'] {
  return [
    ...(holds(gross) ? [] : [{ amount: gross.amount, expected: valueOfTotal(gross) + error }]),
    ...deductions
      .filter((total) => !holds(total))
      .map((total) => ({ amount: total.amount, expected: valueOfTotal(total) - error })),
  ].filter(({ expected }) => expected > 0);
}

function holds({ sum: items, amount }: Total): boolean {
  return items !== undefined && Math.abs(items - Math.abs(amount.cents)) <= ROUNDING;
}

function isExplained(error: number, { gross, deductions, net, amounts }: Payslip): boolean {
  const size = Math.abs(error);
  if (size < LEAST) return true;
  const own = new Set([gross, ...deductions, net].map(valueOfTotal));
  const others = new Set(amounts.map(({ cents }) => Math.abs(cents)).filter((cents) => cents > 0 && !own.has(cents)));
  const near = (value: number) => [0, 1, -1].some((cent) => others.has(value + cent));
  return near(size) || [...others].some((one) => near(size - one) || near(size + one));
}

/** Largest first, because changing a large figure pays most. */
function itemsOf({ items }: Total, miss: number): PayslipFault['suspects'] {
  return items
    .map((amount) => ({ amount, expected: Math.abs(amount.cents) + miss }))
    .filter(({ expected }) => expected > 0)
    .sort((one, other) => Math.abs(other.amount.cents) - Math.abs(one.amount.cents));
}

function valueOfTotal({ amount }: Total): number {
  return Math.abs(amount.cents);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
