import type { Amount } from './amounts.ts';
import { folded, PAY_HEADING } from './labels.ts';
import { areAligned, columnsOf } from './ledger/columns.ts';
import type { WordLine } from './words.ts';

/** A total of a payslip, and the list that it may be the sum of. */
export interface Total {
  amount: Amount;
  /** The amounts above it in its column, up to the heading or the previous total. */
  items: Amount[];
  /** In cents, unsigned: the sum of a list that adds up to the total, or else of all items; undefined without a list. */
  sum: number | undefined;
}

/** The lists of a page: amounts one below the other, between headings and totals. */
export interface Lists {
  lines: readonly WordLine[];
  amounts: readonly Amount[];
  columns: readonly (readonly Amount[])[];
  runs: readonly (readonly Amount[])[];
  totals: ReadonlySet<WordLine>;
}

/** In line heights: a wider gap separates two lists. */
const LIST_GAP = 5;
/** In cents: rounding of a total. */
const ROUNDING = 5;
/** In cents: many lists are tried, so only an exact sum tells something. */
const EXACT = 1;

/** @param totals the lines of labelled totals, which belong to no list */
export function listsIn(lines: readonly WordLine[], amounts: readonly Amount[], totals: ReadonlySet<WordLine>): Lists {
  const columns = columnsOf(amounts);
  const place = new Map(lines.map((line, index) => [line, index]));
  const runs = columns.flatMap((column) => {
    const found: Amount[][] = [[]];
    let last: Amount | undefined;
    for (const amount of [...column].sort((a, b) => (place.get(a.line) ?? 0) - (place.get(b.line) ?? 0))) {
      const between = last === undefined ? [] : lines.slice((place.get(last.line) ?? 0) + 1, place.get(amount.line));
      const isFar = last !== undefined && amount.line.box.y - last.line.box.y > LIST_GAP * amount.line.fontSize;
      if (totals.has(amount.line) || isFar || between.some(isHeading)) found.push([]);
      if (!totals.has(amount.line)) found.at(-1)?.push(amount);
      last = amount;
    }
    return found.filter((run) => run.length > 0);
  });
  return { lines, amounts, columns, runs, totals };
}

export function totalOf(amount: Amount, lists: Lists): Total {
  const items = itemsAbove(amount, lists);
  const near = sumToward(items, amount);
  const isConfirmed = near !== undefined && Math.abs(near - Math.abs(amount.cents)) <= ROUNDING;
  const elsewhere = isConfirmed ? [] : lists.runs.filter((run) => run.length > 1 && isSumOf(amount, run));
  return { amount, items, sum: elsewhere.length > 0 ? Math.abs(amount.cents) : near };
}

/** Whether it is the sum of its list. */
export function isListed(amount: Amount, lists: Lists): boolean {
  return totalOf(amount, lists).sum === Math.abs(amount.cents);
}

/** Whether all of a run, its beginning or its end add up to a total, wherever that stands. */
function isSumOf({ cents }: Amount, run: readonly Amount[]): boolean {
  const parts = run
    .flatMap((_, index) => [run.slice(0, index + 1), run.slice(index)])
    .filter(({ length }) => length > 1);
  return parts.some((part) =>
    sumsOf(part).some((sum) => Math.abs(sum - cents) <= EXACT || Math.abs(sum + cents) <= EXACT),
  );
}

/** Deductions may be written as negative amounts. */
function sumsOf(part: readonly Amount[]): number[] {
  const all = part.map(({ cents }) => cents);
  return [sumOf(all), sumOf(all.map(Math.abs))];
}

/** Whether the sum of a total's items, or of some of them, is another figure of the page: then they belong to that one. */
export function isListOfAnother({ amount, items }: Total, { amounts }: Pick<Lists, 'amounts'>): boolean {
  const others = amounts.filter((one) => one !== amount && !items.includes(one) && one.cents !== amount.cents);
  return others.some((other) => isSumOf(other, items));
}

function itemsAbove(amount: Amount, { lines, amounts, columns, totals }: Lists): Amount[] {
  const own = columns.find((one) => one.includes(amount)) ?? [];
  // Figures that are crowded in one part of the table may split a column in another.
  const column = [...own, ...amounts.filter((one) => !own.includes(one) && areAligned(one, amount))];
  const items: Amount[] = [];
  const place = lines.indexOf(amount.line);
  const gap = LIST_GAP * amount.line.fontSize;
  let last: WordLine | undefined;
  for (let index = place - 1; index >= 0; index--) {
    const line = lines[index];
    // Totals may be at the foot of the form, far below a short list.
    const isFar = items.length > 0 && last !== undefined && line !== undefined && last.box.y - line.box.y > gap;
    if (line === undefined || isFar) break;
    const item = column.find((one) => one.line === line);
    if (totals.has(line) || (item === undefined && isHeading(line))) break;
    if (item === undefined) continue;
    items.unshift(item);
    last = line;
  }
  return items;
}

function sumToward(items: readonly Amount[], { cents }: Amount): number | undefined {
  const [first] = items;
  if (first === undefined || (items.length === 1 && Math.abs(first.cents - cents) > ROUNDING)) return undefined;
  for (let count = 1; count <= items.length; count++)
    for (const sum of sumsOf(items.slice(-count)))
      if (Math.abs(sum - Math.abs(cents)) <= ROUNDING || Math.abs(sum - cents) <= ROUNDING) return Math.abs(cents);
  return Math.abs(sumOf(items.map((item) => item.cents)));
}

function isHeading(line: WordLine): boolean {
  return PAY_HEADING.test(folded(line.text)) && !/\d[.,]\d{2}/.test(line.text);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
