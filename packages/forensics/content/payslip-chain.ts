import type { Amount } from './amounts.ts';
import { folded, GROSS, NET, OTHER_PAY, TAX } from './labels.ts';
import { areAligned } from './ledger/columns.ts';
import { labelOf } from './payslip-figures.ts';
import { itemsAddingUp, type Lists, totalOf } from './payslip-lists.ts';
import { isOfYear, YEAR_TO_DATE } from './year-column.ts';

/** What the figures between the totals and net pay make of gross pay less deductions. */
export interface Chain {
  /** In cents, most likely first. */
  values: readonly number[];
  /** With refunds and advances that may not belong to the totals. */
  orElse: readonly number[];
  /** Whether a printed result, such as net pay before tax, agrees with one of the values on the way. */
  isConfirmed: boolean;
  /** The figures that were added or subtracted. */
  figures: readonly Amount[];
}

/** More values than this explain almost any net pay. */
const MAX_VALUES = 81;
/** Each doubles the readings. */
const MAX_LEFT_OUT = 2;
/** Rows below the totals, where net pay stands above them. */
const MAX_ROWS_BELOW = 8;
/** In cents. */
const EXACT = 1;

/** A tax in a row of its own, in languages whose word for net pay before it contains the tax. */
const TAX_ROW = /^(?:impot|prelevement|lohnsteuer|steuer|retencion|irpf|ritenut|imposta|tax|paye)\b/;
const ADDED =
  /\b(?:erstattung|reise\w*|fahrt\w*|spesen|rembours\w*|frais|transport|indemnite|refund|reimburse\w*|expenses?|dietas?|suplidos?|kilometraje|rimborso|trasferta|trattamento|bonus|mileage|locomocion)\b/;
const TAKEN =
  /\b(?:vorschuss|abschlag|pfandung|sparrate|darlehen|vwl|vermogens\w*|acompte|avance|saisie|titres?|anticipos?|embargo|advance|loan|attachment|anticipo|acconto|cessione|prestito)\b/;
/** Part of another figure. */
const INFORMATION = /^(?:dont|davon|of which|including|di cui|de los cuales|de las cuales)\b/;

/**
 * Walks down the rows from the totals to net pay. A printed result that agrees with a value so far replaces all of them; other results,
 * such as taxable pay, are left out.
 */
export function chainOf(before: readonly number[], totals: readonly Amount[], net: Amount, lists: Lists): Chain {
  let values = [...before];
  let isConfirmed = false;
  const figures: Amount[] = [];
  for (const amount of between(totals, net, lists)) {
    if (isResult(amount)) {
      const shown = Math.abs(amount.cents);
      if (!values.some((value) => Math.abs(value - shown) <= EXACT)) continue;
      values = [shown];
      isConfirmed = true;
      continue;
    }
    // A table at the foot repeats figures.
    if (figures.some(({ cents }) => Math.abs(cents) === Math.abs(amount.cents))) continue;
    figures.push(amount);
    const signs = signsOf(amount, totals, net);
    // The most likely sign of each figure first.
    values = signs.flatMap((sign) => values.map((value) => value + sign * amount.cents));
    if (values.length > MAX_VALUES) return { values: [], orElse: [], isConfirmed: false, figures };
  }
  const distinct = [...new Set(values)];
  return { values: distinct, orElse: withLeftOut(distinct, totals, net, lists), isConfirmed, figures };
}

/** What other values result if refunds and advances in the lists, above or below, do not belong to the totals. */
function withLeftOut(before: readonly number[], totals: readonly Amount[], net: Amount, lists: Lists): number[] {
  const { lines, amounts } = lists;
  const listed = new Set(totals.flatMap((total) => itemsAddingUp(total, lists)));
  const places = [...totals, net].map(({ line }) => lines.indexOf(line));
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const outside = amounts.filter((amount) => {
    const place = lines.indexOf(amount.line);
    return (place < first || place > last) && !listed.has(amount) && !isOfYear(lines, amount);
  });
  const apart = outside.flatMap((amount) => {
    const label = labelOf(amount);
    const sign = ADDED.test(label) ? 1 : TAKEN.test(label) ? -1 : 0;
    return sign === 0 ? [] : [sign * Math.abs(amount.cents)];
  });
  const values = [...before];
  for (const cents of apart.slice(0, MAX_LEFT_OUT)) values.push(...values.map((value) => value + cents));
  return values.slice(before.length);
}

/** One figure of each row between: that in the column of net pay or of a total, or else the last. */
function between(totals: readonly Amount[], net: Amount, lists: Lists): Amount[] {
  const { lines, amounts } = lists;
  const places = totals.map(({ line }) => lines.indexOf(line));
  const first = Math.max(...places) + 1;
  const at = lines.indexOf(net.line);
  const isBelow = at >= first - 1;
  // Where the totals stand above their lists, too, the rows below them are those of the lists.
  const hasListAbove = totals.some((total) => totalOf(total, lists).items.length > 0);
  if (!isBelow && !hasListAbove) return [];
  const rows = lines.slice(first, isBelow ? at : first + MAX_ROWS_BELOW);
  const end = isBelow ? -1 : rows.findIndex(({ text }) => YEAR_TO_DATE.test(folded(text)));
  const inside = end < 0 ? rows : rows.slice(0, end);
  const shown = new Set([...totals, net].map(({ cents }) => Math.abs(cents)));
  // Rows of a list below its total.
  const listed = new Set(totals.flatMap((total) => itemsAddingUp(total, lists)));
  const found = inside.flatMap((line) => {
    const row = amounts.filter((amount) => amount.line === line && !listed.has(amount));
    const amount =
      row.find((one) => areAligned(one, net)) ?? row.find((one) => totals.some((total) => areAligned(one, total)));
    return amount ?? row.at(-1) ?? [];
  });
  const beside =
    isBelow && at >= first ? amounts.filter(({ line, start }) => line === net.line && start < net.start) : [];
  return [...found, ...beside.slice(-1)].filter(({ cents }) => cents !== 0 && !shown.has(Math.abs(cents)));
}

/** A subtotal, such as net pay before tax or taxable pay. */
function isResult(amount: Amount): boolean {
  const label = labelOf(amount);
  const isNamed =
    NET.test(label) || GROSS.test(label) || OTHER_PAY.test(label) || /^(?:montant )?net\b|^netto\b/.test(label);
  return isNamed && !TAX_ROW.test(label);
}

function signsOf(amount: Amount, totals: readonly Amount[], net: Amount): readonly (1 | 0 | -1)[] {
  const label = labelOf(amount);
  if (INFORMATION.test(label)) return [0];
  const isInColumn = [...totals, net].some((one) => areAligned(one, amount));
  if (amount.cents < 0) return isInColumn ? [1] : [0, 1];
  if (TAX.test(label) || TAKEN.test(label)) return [-1];
  if (ADDED.test(label)) return isInColumn ? [1] : [1, 0];
  return isInColumn ? [1, -1, 0] : [0, 1, -1];
}
