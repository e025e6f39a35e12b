import { type Amount, amountsIn } from './amounts.ts';
import { folded, NET, OTHER_PAY, PAID } from './labels.ts';
import { areAligned } from './ledger/columns.ts';
import { payslipOf, ROUNDING } from './payslip.ts';
import type { WordLine } from './words.ts';

/** A payout that does not follow from net pay and the figures between them. */
export interface WrongPayout {
  net: Amount;
  payout: Amount;
  /** The figures between them. */
  between: Amount[];
  /** In cents: the payout that comes closest. */
  expected: number;
}

/** More figures than this explain almost any payout. */
const BETWEEN = 5;
/** In font sizes: a wider gap separates two lists. */
const LIST_GAP = 5;
/** In cents: a smaller difference may be rounding. */
const LEAST = 100;

/**
 * The payout of the payslip on a page, if net pay with any of the figures between them added or subtracted never gives it, and no other
 * figure of the page explains the difference. Undefined if there is nothing to compare.
 */
export function payoutIn(lines: readonly WordLine[]): { wrong: WrongPayout | undefined } | undefined {
  const payslip = payslipOf(lines);
  if (payslip === undefined) return undefined;
  const net = payslip.net.amount;
  const [between, payout] = belowOf(net, lines, amountsIn(lines));
  if (payout === undefined || between.length === 0 || between.length > BETWEEN) return undefined;
  const shown = Math.abs(payout.cents);
  const likely = resultsOf(Math.abs(net.cents), between, ({ cents }) => (cents < 0 ? [1] : [1, -1, 0]));
  const [expected = 0] = likely.sort((one, other) => Math.abs(one - shown) - Math.abs(other - shown));
  const own = [net, payout, ...between];
  const others = payslip.amounts.filter((amount) => !own.includes(amount)).map(({ cents }) => Math.abs(cents));
  const isExplained = resultsOf(Math.abs(net.cents), between).some((result) => {
    const miss = Math.abs(result - shown);
    return miss < LEAST || others.some((other) => Math.abs(other - miss) <= ROUNDING);
  });
  return { wrong: isExplained ? undefined : { net, payout, between, expected } };
}

/** The figures below net pay in its column, or in others where it has none, up to the payout, and the payout. */
function belowOf(
  net: Amount,
  lines: readonly WordLine[],
  amounts: readonly Amount[],
): [between: Amount[], payout: Amount | undefined] {
  const between: Amount[] = [];
  let last = net.line;
  for (const line of lines.slice(lines.indexOf(net.line) + 1)) {
    if (line.page !== net.line.page || line.box.y - last.box.y > LIST_GAP * net.line.fontSize) break;
    const own = amounts.filter((one) => one.line === line);
    const amount = own.find((one) => areAligned(one, net));
    if (amount === undefined) {
      between.push(...own);
      continue;
    }
    last = line;
    const label = folded(line.text.slice(0, amount.start));
    if ((NET.test(label) || PAID.test(label)) && !OTHER_PAY.test(label)) return [between, amount];
    between.push(amount);
  }
  return [between, undefined];
}

/** Net pay with each figure added, subtracted or left out. */
function resultsOf(
  net: number,
  figures: readonly Amount[],
  signsOf: (figure: Amount) => readonly number[] = () => [0, 1, -1],
): number[] {
  let results = [net];
  for (const figure of figures)
    results = results.flatMap((sum) => signsOf(figure).map((sign) => sum + sign * figure.cents));
  return results;
}
