import type { Amount } from './amounts.ts';
import { chainFor, type Payslip, ROUNDING } from './payslip.ts';
import { explainerOf, LEAST, unpaidOf } from './payslip-explained.ts';
import { isListOfAnother, type Total } from './payslip-lists.ts';

/** A figure of a payslip that the others contradict. */
export interface PayslipFault {
  amount: Amount;
  /** In cents, unsigned. */
  expected: number;
  /** Other values that the page allows. */
  orElse: readonly number[];
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

/** Net pay that is off by more than this factor is another figure: of several months, or of a part. */
const MAX_FACTOR = 1.8;
/** More values than this say too little about the right one. */
const MAX_VALUES = 3;
/** Totals that nothing confirms are only compared on a page with few other figures, which cannot belong to the sum unseen. */
const MAX_OTHERS = 4;

/**
 * A figure that contradicts the others, if no reading of the page is consistent and changing it makes one so. There is none if the
 * expected value stands elsewhere on the page under an unknown label, or if up to three figures of the page are the difference: they may be
 * expenses refunded or a separate tax, and below the expected value, benefits in kind.
 */
export function checkSums(payslip: Payslip): SumsChecked {
  const totals = [payslip.gross, ...payslip.deductions];
  const held = totals.filter(holds).length;
  const shown = valueOfTotal(payslip.net);
  if (payslip.isConsistent) {
    const faults = [...itemFaults(payslip), ...payoutFaults(payslip)];
    return { faults, holding: faults.length > 0 ? 0 : 1 + held };
  }
  const [likeliest = Number.NaN] = payslip.chain.values;
  const isRounded = Math.abs(likeliest - shown) < LEAST;
  return isRounded ? { faults: [], holding: 1 + held } : { faults: differenceFault(payslip), holding: 0 };
}

/** Totals that their lists do not add up to, although gross pay, deductions and net pay agree: then a figure of the list is wrong. */
function itemFaults(payslip: Payslip): PayslipFault[] {
  const isExplained = explainerOf(payslip);
  const totals = [payslip.gross, ...payslip.deductions];
  const off = totals.filter((total) => total.sum !== undefined && !holds(total));
  const others = totals.filter(holds);
  return off.flatMap((total) => {
    const expected = total.sum ?? 0;
    const miss = valueOfTotal(total) - expected;
    if (off.length > 1 || total.items.length < (others.length > 0 ? 2 : 3) || isExplained(miss)) return [];
    if (isListOfAnother(total, payslip) || !isNear(expected, valueOfTotal(total))) return [];
    // Gross minus deductions confirms the total, so an item is wrong. Unless another list adds up, this one may be only half understood.
    const isCertain = others.length > 0;
    const suspects = itemsOf(total, miss);
    return [{ amount: total.amount, expected, orElse: [], because: 'items' as const, isCertain, suspects }];
  });
}

/**
 * A second figure with a label of net pay, or the amount paid: neither net pay and the figures between them give it, nor the totals, nor
 * does it give net pay.
 */
function payoutFaults(payslip: Payslip): PayslipFault[] {
  const { net, otherNets, lists, gross, deductions } = payslip;
  if (![gross, ...deductions].every(holds) && payslip.chain.figures.length > 0) return [];
  const others = otherNets.filter(({ isFurther }) => !isFurther);
  const [other] = others;
  if (other === undefined || new Set(others.map(({ amount }) => amount.cents)).size > 1) return [];
  const { amount } = other;
  const shown = Math.abs(amount.cents);
  const place = ({ line }: Amount) => lists.lines.indexOf(line);
  const isLater = place(amount) > place(net.amount);
  const from = (first: Amount, last: Amount) => chainFor({ gross: first, deductions: [] }, last, lists).values;
  const onward = isLater ? [] : from(amount, net.amount);
  const values = isLater
    ? from(net.amount, amount)
    : chainFor({ gross: gross.amount, deductions: deductions.map((total) => total.amount) }, amount, lists).values;
  const isExplained = explainerOf(payslip);
  const isGiven = (value: number, wanted: number) =>
    Math.abs(wanted - value) <= ROUNDING || isExplained(wanted - value);
  const later = isLater ? shown - valueOfTotal(net) : valueOfTotal(net) - shown;
  if (values.some((value) => isGiven(value, shown)) || isExplained(later)) return [];
  if (onward.some((value) => isGiven(value, valueOfTotal(net)))) return [];
  const expected = isLater ? values : [valueOfTotal(net), ...values.filter((value) => value !== valueOfTotal(net))];
  return faultAt(amount, expected, false);
}

function differenceFault(payslip: Payslip): PayslipFault[] {
  const { gross, deductions, net, chain, amounts } = payslip;
  const shown = valueOfTotal(net);
  const values = chain.values.filter((value) => value > 0);
  const allowed = [...values, ...chain.orElse];
  const paid = payslip.otherNets.find(({ amount }) => allowed.includes(Math.abs(amount.cents)));
  // The sums and the amount paid agree with each other.
  if (paid !== undefined && !explainerOf(payslip, 1)(shown - Math.abs(paid.amount.cents)))
    return faultAt(net.amount, [Math.abs(paid.amount.cents)], false);
  const isExplained = explainerOf(payslip);
  // A less likely value that is off by cents is off by chance.
  const isNearBy = (value: number, index: number) => index > 0 && Math.abs(shown - value) < LEAST;
  if (values.some((value, index) => !isNearBy(value, index) && isExplained(shown - value))) return [];
  const isUnpaid = unpaidOf(payslip);
  if (chain.orElse.some((value) => isUnpaid(value - shown))) return [];
  const taken = sum(deductions.map(valueOfTotal));
  const before = valueOfTotal(gross) - taken;
  if (isExplained(shown - before)) return [];
  const others = amounts.filter(
    (amount) => amount !== net.amount && !deductions.some((total) => total.amount === amount),
  );
  const elsewhere = others.find(({ cents }) => values.some((value) => Math.abs(value - Math.abs(cents)) <= 1));
  if (elsewhere !== undefined) {
    const isOther = payslip.otherNets.some(({ amount }) => amount === elsewhere);
    return isOther ? faultAt(net.amount, [Math.abs(elsewhere.cents)], false) : [];
  }
  const repaired = repairedTotal(payslip, taken, shown - before);
  if (repaired !== undefined) return [repaired];
  const areListed = [gross, ...deductions].every(holds);
  const isKnown = areListed || chain.isConfirmed;
  if (!isKnown && (chain.figures.length > 0 || amounts.length > MAX_OTHERS + 2 + deductions.length)) return [];
  const isCertain = areListed && allowed.length === 1;
  const suspects = isKnown ? [] : totalsThatMayBeOff(gross, deductions, shown - before);
  return faultAt(net.amount, values, isCertain, chain.orElse).map((fault) => ({ ...fault, suspects }));
}

/**
 * What net pay should be: one of few values, near enough to what it is.
 *
 * @param further less likely ones, named as far as there is room
 */
function faultAt(
  amount: Amount,
  values: readonly number[],
  isCertain: boolean,
  further: readonly number[] = [],
): PayslipFault[] {
  const shown = Math.abs(amount.cents);
  const isPossible = (value: number) => isNear(value, shown);
  const near = values.filter(isPossible);
  const [expected, ...others] = near;
  const orElse = [...others, ...further.filter(isPossible)].slice(0, MAX_VALUES - 1);
  if (expected === undefined || near.length > MAX_VALUES) return [];
  return [{ amount, expected, orElse, because: 'difference', isCertain, suspects: [] }];
}

function isNear(one: number, other: number): boolean {
  return one > 0 && other > 0 && Math.max(one / other, other / one) < MAX_FACTOR;
}

/** The total, if any, that its own list and the other totals agree on another value for. */
function repairedTotal({ gross, deductions, net }: Payslip, taken: number, error: number): PayslipFault | undefined {
  const both = (total: Total, expected: number): PayslipFault[] =>
    !holds(total) && total.sum !== undefined && Math.abs(total.sum - expected) <= ROUNDING
      ? [{ amount: total.amount, expected, orElse: [], because: 'items and difference', isCertain: true, suspects: [] }]
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
