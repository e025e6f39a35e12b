import type { Amount } from './amounts.ts';
import { DEDUCTIONS, folded, GROSS, NET, PAY_HEADING } from './labels.ts';
import { areAligned, columnsOf, everyColumnsOf } from './ledger/columns.ts';
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
/** Some of more figures add up to almost any total. */
const MAX_SECTION = 9;
const MAX_FEW = 14;
const MAX_ADDENDS = 4;

/** @param totals the lines of labelled totals, which belong to no list */
export function listsIn(lines: readonly WordLine[], amounts: readonly Amount[], totals: ReadonlySet<WordLine>): Lists {
  const columns = columnsOf(amounts);
  const place = new Map(lines.map((line, index) => [line, index]));
  const runs = everyColumnsOf(amounts)
    .flat()
    .flatMap((column) => {
      const found: Amount[][] = [[]];
      let last: Amount | undefined;
      for (const amount of [...column].sort((a, b) => (place.get(a.line) ?? 0) - (place.get(b.line) ?? 0))) {
        const rows =
          last === undefined ? [] : lines.slice(place.get(last.line) ?? 0, (place.get(amount.line) ?? 0) + 1);
        const between = rows.slice(1, -1);
        const isFar = rows.some((row, index) => isFarBelow(row, rows[index - 1]));
        if (totals.has(amount.line) || isFar || between.some(isHeading)) found.push([]);
        if (!totals.has(amount.line)) found.at(-1)?.push(amount);
        last = amount;
      }
      return found.filter((run) => run.length > 0);
    });
  return { lines, amounts, columns, runs, totals };
}

/** Rows of other columns fill a table. */
function isFarBelow(line: WordLine, above: WordLine | undefined): boolean {
  return above !== undefined && line.box.y - above.box.y > LIST_GAP * line.fontSize;
}

/** The last items above a total that add up to it; none if they do not. */
export function itemsAddingUp(amount: Amount, lists: Lists): readonly Amount[] {
  const size = Math.abs(amount.cents);
  const parts = [itemsAbove(amount, lists), ...lists.runs].flatMap((run) => run.map((_, index) => run.slice(index)));
  return parts.find((part) => sumsOf(part).some((sum) => Math.abs(Math.abs(sum) - size) <= EXACT)) ?? [];
}

export function totalOf(amount: Amount, lists: Lists): Total {
  const items = itemsAbove(amount, lists);
  const near = sumToward(items, amount);
  const isConfirmed = near !== undefined && Math.abs(near - Math.abs(amount.cents)) <= ROUNDING;
  if (isConfirmed || isRepeated(amount, lists)) return { amount, items, sum: Math.abs(amount.cents) };
  const isElsewhere = lists.runs.some((run) => run.length > 1 && isSumOf(amount, run)) || isSumBeside(amount, lists);
  return { amount, items, sum: isElsewhere || isSumOfSection(amount, lists) ? Math.abs(amount.cents) : near };
}

/** Whether it stands in several rows, as the base of contributions or as the only payment: then all of them would have to be changed. */
function isRepeated({ line, cents }: Amount, { amounts, totals }: Lists): boolean {
  const others = amounts.filter((one) => one.line !== line && Math.abs(one.cents) === Math.abs(cents));
  return others.some((one) => !totals.has(one.line));
}

/** Whether the last figures before it in its row add up to it, or the only one repeats it. */
function isSumBeside({ line, start, cents }: Amount, { amounts }: Lists): boolean {
  const before = amounts.filter((one) => one.line === line && one.start < start).map((one) => one.cents);
  return before.some((_, index) => Math.abs(Math.abs(sumOf(before.slice(index))) - Math.abs(cents)) <= EXACT);
}

/** Whether some figures between the previous total and this one, in any column, add up to it; a list may have one row only. */
function isSumOfSection(amount: Amount, lists: Lists): boolean {
  const { line, cents } = amount;
  const { lines: all, amounts, totals } = lists;
  const above = all.slice(0, all.indexOf(line)).toReversed();
  const end = above.findIndex((one) => totals.has(one) || one.page !== line.page);
  const section = new Set(end < 0 ? above : above.slice(0, end));
  const inside = amounts.filter((one) => section.has(one.line) && one.cents !== 0).map((one) => Math.abs(one.cents));
  if (inside.includes(Math.abs(cents))) return true;
  if (inside.length > MAX_SECTION || inside.length < 2) return isSumOfFew(amount, lists);
  let sums: [sum: number, count: number][] = [[0, 0]];
  for (const value of inside)
    sums = sums.flatMap(([total, count]) => [
      [total, count],
      [total + value, count + 1],
    ]);
  const isSum = sums.some(([total, count]) => count > 0 && Math.abs(total - Math.abs(cents)) <= EXACT);
  return isSum || isSumOfFew(amount, lists);
}

/** Whether two to four of few smaller figures above it add up to it: a band of boxes has its totals in several rows. */
function isSumOfFew({ line, cents }: Amount, { lines, amounts }: Lists): boolean {
  const at = lines.indexOf(line);
  const size = Math.abs(cents);
  const above = amounts.filter((one) => lines.indexOf(one.line) <= at).map((one) => Math.abs(one.cents));
  const smaller = [...new Set(above)].filter((value) => value > 0 && value < size);
  if (smaller.length > MAX_FEW) return false;
  let sums: [sum: number, count: number][] = [[0, 0]];
  for (const value of smaller)
    sums = sums.flatMap(([total, count]) => {
      const more = total + value;
      return count === MAX_ADDENDS || more > size + EXACT
        ? [[total, count]]
        : [
            [total, count],
            [more, count + 1],
          ];
    });
  return sums.some(([total, count]) => count > 1 && Math.abs(total - size) <= EXACT);
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
  let last: WordLine | undefined;
  for (let index = place - 1; index >= 0; index--) {
    const line = lines[index];
    // Totals may be at the foot of the form, far below a short list.
    const isFar = items.length > 0 && last !== undefined && isFarBelow(last, line);
    if (line === undefined || isFar) break;
    last = line;
    const item = column.find((one) => one.line === line);
    if (totals.has(line) || (item === undefined && isHeading(line))) break;
    if (item === undefined) continue;
    items.unshift(item);
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
  const text = folded(line.text);
  const isOfTotals = [GROSS, DEDUCTIONS, NET].some((label) => label.test(text));
  return PAY_HEADING.test(text) && !isOfTotals && !/\d[.,]\d{2}/.test(text);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
