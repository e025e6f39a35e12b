import type { Amount } from './amounts.ts';
import { type Payslip, ROUNDING, type Total } from './payslip.ts';

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

/** In cents: a smaller difference may be rounding. */
const LEAST = 100;

/**
 * Figures that do not add up, and whose difference nothing else on the page explains. An amount on the page, or the sum or difference of
 * two, may be an expense refunded, a benefit in kind or a separate tax.
 */
export function payslipFaults(payslip: Payslip): PayslipFault[] {
  const { gross, deductions, net } = payslip;
  const taken = sum(deductions.map(valueOfTotal));
  const error = valueOfTotal(net) - (valueOfTotal(gross) - taken);
  if (Math.abs(error) > ROUNDING) return isExplained(error, payslip) ? [] : differenceFault(payslip, taken);
  const off = [gross, ...deductions].filter((total) => total.sum !== undefined && !holds(total));
  const others = [gross, ...deductions].filter(holds);
  return off.flatMap((total) => {
    const expected = total.sum ?? 0;
    const miss = valueOfTotal(total) - expected;
    if (off.length > 1 || total.items.length < (others.length > 0 ? 2 : 3) || isExplained(miss, payslip)) return [];
    // Gross minus deductions confirms the total, so an item is wrong. Unless another list adds up, this one may be only half understood.
    const isCertain = others.length > 0;
    return [{ amount: total.amount, expected, because: 'items' as const, isCertain, suspects: itemsOf(total, miss) }];
  });
}

function differenceFault({ gross, deductions, net }: Payslip, taken: number): PayslipFault[] {
  const shown = valueOfTotal(gross) - taken;
  const both = (total: Total, expected: number): PayslipFault[] =>
    total.sum !== undefined && Math.abs(total.sum - expected) <= ROUNDING
      ? [{ amount: total.amount, expected, because: 'items and difference', isCertain: true, suspects: [] }]
      : [];
  const off = [
    ...(holds(gross) ? [] : both(gross, valueOfTotal(net) + taken)),
    ...deductions
      .filter((total) => !holds(total))
      .flatMap((total) => both(total, valueOfTotal(gross) - valueOfTotal(net) - (taken - valueOfTotal(total)))),
  ];
  if (off.length === 1) return off;
  const isCertain = holds(gross) && deductions.every(holds);
  const suspects = isCertain ? [] : totalsThatMayBeOff(gross, deductions, valueOfTotal(net) - shown);
  return shown <= 0 ? [] : [{ amount: net.amount, expected: shown, because: 'difference', isCertain, suspects }];
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
