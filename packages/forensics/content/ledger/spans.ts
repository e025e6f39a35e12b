import type { Amount } from '../amounts.ts';
import type { WordLine } from '../words.ts';

/** Which rows lead from one balance to the next one down: that row alone, or all rows in between. */
export interface Way {
  newestFirst: boolean;
  rows: 'own' | 'down to' | 'down from';
}

export interface Row {
  line: WordLine;
  cells: (Amount | undefined)[];
}

/** Issuers print the sign of a balance beside it, in a column of its own, at the edge of its cell, or as a colour. */
export interface Balance extends Amount {
  /** Whether it may be negative although no minus is beside it. */
  isOpen: boolean;
}

export function rowsOf(columns: readonly (readonly Amount[])[]): Row[] {
  const rows = new Map<WordLine, Row>();
  for (const [index, column] of columns.entries()) {
    for (const amount of column) {
      const row = rows.get(amount.line) ?? { line: amount.line, cells: columns.map(() => undefined) };
      row.cells[index] ??= amount;
      rows.set(amount.line, row);
    }
  }
  return [...rows.values()].sort(({ line: a }, { line: b }) => a.page - b.page || a.box.y - b.box.y);
}

/** From one balance to the next one down: the rows of both, and the rows of the bookings between them. */
export interface Span {
  above: Balance;
  below: Balance;
  first: number;
  last: number;
  /** Those rows by column, which makes each of the many readings cheap. */
  columns: Column[];
  /** How many amounts are in those rows besides the balances. */
  amounts: number;
}

interface Column {
  /** In cents, as written. */
  sum: number;
  /** In cents, unsigned. */
  size: number;
  count: number;
}

export function spansOf(rows: readonly Row[], balances: number, { rows: which, newestFirst }: Way): Span[] {
  const found = balancesIn(rows, balances);
  return found.slice(1).flatMap(([lower, below], index) => {
    const [upper, above] = found[index] ?? [lower, below];
    const own = newestFirst ? upper : lower;
    const [first, last] = which === 'own' ? [own, own] : which === 'down to' ? [upper + 1, lower] : [upper, lower - 1];
    const columns = columnsBetween(rows, first, last);
    const amounts = columns.reduce((sum, { count }, column) => sum + (column === balances ? 0 : count), 0);
    return [{ above, below, first, last, columns, amounts }];
  });
}

/**
 * The balances of a column with their rows. Where a row shows a minus beside a balance, other rows would show theirs beside those that are
 * as long, because a sign in a place of its own is nearer to longer ones.
 */
function balancesIn(rows: readonly Row[], column: number): [row: number, balance: Balance][] {
  const found = rows.flatMap(({ cells }, row) => {
    const balance = cells[column];
    const isBooked = cells.some((amount, index) => index !== column && amount !== undefined);
    return balance === undefined ? [] : [{ row, balance, isBooked }];
  });
  const shown = found.filter(({ balance, isBooked }) => isBooked && balance.cents < 0);
  const shortest = Math.min(...shown.map(({ balance }) => lengthOf(balance)));
  return found.map(({ row, balance, isBooked }) => {
    const isOpen = balance.cents > 0 && !balance.signed && !(isBooked && lengthOf(balance) >= shortest);
    return [row, { ...balance, isOpen }];
  });
}

function lengthOf({ start, end }: Amount): number {
  return end - start;
}

function columnsBetween(rows: readonly Row[], first: number, last: number): Column[] {
  const columns = (rows[first]?.cells ?? []).map((): Column => ({ sum: 0, size: 0, count: 0 }));
  for (const { cells } of rows.slice(first, last + 1))
    for (const [index, column] of columns.entries()) {
      const cents = cells[index]?.cents;
      if (cents === undefined) continue;
      column.sum += cents;
      column.size += Math.abs(cents);
      column.count++;
    }
  return columns;
}
