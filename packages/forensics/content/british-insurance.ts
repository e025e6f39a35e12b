import { amountsIn } from './amounts.ts';
import { everyLabelledAmount } from './labelled-amounts.ts';
import { folded } from './labels.ts';
import { payOnPage, type RaisedPay } from './legal-pay.ts';
import rates from './rates/britain.json' with { type: 'json' };
import type { WordLine } from './words.ts';

const NAME = 'National Insurance';
const LABELS = [
  { kind: NAME, label: /\b(?:national insurance|(?:employee'?s?|ee) ni|nic?|ees nic?)\b(?! (?:no|number|td|er))/ },
];
/** The letter of the category, which decides the rates. */
const CATEGORY = /\bni(?:c|c?s)? (?:category|cat|letter|table|code)(?: letter)?[ :.\t]{0,3}([a-z])\b/;
/** Directors pay by the year; the armed forces, mariners and the retired by other rates. */
const EXCEPTIONS = /\b(?:directors?|mariner|arrears|back ?pay|adjustment|correction|second employment)\b/;
const WEEKS = [1, 2, 4, 5];

/** Undefined unless a page names the employee's National Insurance and its category. */
export function britishInsurance(
  lines: readonly WordLine[],
  month: string,
): { raised: RaisedPay | undefined; compared: number } | undefined {
  const letter = lines
    .map(({ text }) => CATEGORY.exec(folded(text))?.[1]?.toUpperCase())
    .find((one) => one !== undefined);
  const periods = rates.periods.filter(({ from, until }) => from <= month && month <= until);
  if (letter === undefined || periods.length === 0) return undefined;
  const amounts = everyLabelledAmount(lines, amountsIn(lines), LABELS).map(({ amount }) => amount);
  const [amount] = amounts;
  const page = payOnPage(lines);
  const isOther = lines.some(({ text }) => EXCEPTIONS.test(folded(text)));
  if (amount === undefined || page === undefined || isOther) return undefined;
  const ranges = periods.flatMap((period) =>
    rangesOf(Math.abs(amount.cents), letter, period).map((one) => ({ ...one, amount })),
  );
  // Most are paid by the month. Read as the pay of weeks, the contribution may be of more than the page states, which explains nothing.
  const possible = ranges.filter(({ low, isMonthly }) => isMonthly || low <= page.gross.cents);
  const raised = possible.map((range) => page.raisedFrom(range, [range]));
  const [monthly] = raised;
  const isRaised = raised.length > 0 && raised.every((one) => one !== undefined);
  const isOfPay = ranges.some(({ low, high }) => low <= page.gross.cents && page.gross.cents <= high);
  return { raised: isRaised && monthly ? { ...monthly, month } : undefined, compared: isOfPay ? 1 : 0 };
}

/** The pay of a month, or of some weeks, of which an amount is the contribution; none in categories that pay the lower rate or nothing. */
function rangesOf(cents: number, letter: string, period: (typeof rates.periods)[number]) {
  const percent = rates.categories.main.includes(letter)
    ? period.main
    : rates.categories.reduced.includes(letter)
      ? period.reduced
      : undefined;
  if (percent === undefined) return [];
  const { month, week } = rates;
  const spans = [month, ...WEEKS.map((weeks) => ({ threshold: weeks * week.threshold, limit: weeks * week.limit }))];
  return spans.map(({ threshold, limit }) => {
    const most = ((limit - threshold) * percent) / 100;
    const of = (taken: number) =>
      taken <= most ? threshold + (100 * taken) / percent : limit + (100 * (taken - most)) / period.above;
    const pay = { low: of(cents - 1), high: of(cents + 1), pay: of(cents) };
    return { contribution: NAME, percent, isMonthly: threshold === month.threshold, ...pay };
  });
}
