import type { Amount } from '../amounts.ts';

/** Amounts aligned one below another. */
export type Column = readonly Amount[];

/** In font sizes: the tolerance for the edges of a column. */
const SPREAD = 0.9;

/**
 * The columns of amounts, largest first: all aligned right, without or with their marks, all left or all centred, whichever gives the most
 * orderly columns.
 */
export function columnsOf(amounts: readonly Amount[]): Column[] {
  const ways = [...everyColumnsOf(amounts), columnsBy(amounts, ({ edge }) => edge)];
  const best = ways.reduce((least, way) => (disorder(way) < disorder(least) ? way : least));
  return best.sort((one, other) => other.length - one.length);
}

/** The columns by each alignment: a page may have tables of different kinds. */
export function everyColumnsOf(amounts: readonly Amount[]): Column[][] {
  return [right, left, centre].map((edge) => columnsBy(amounts, edge));
}

/** Whether they could belong to one column, regardless of other amounts. */
export function areAligned(one: Amount, other: Amount): boolean {
  const spread = SPREAD * Math.min(one.line.fontSize, other.line.fontSize);
  return [right, left, centre].some((edge) => Math.abs(edge(one) - edge(other)) <= spread);
}

const right = ({ box }: Amount) => box.x + box.width;
const left = ({ box }: Amount) => box.x;
const centre = ({ box }: Amount) => box.x + box.width / 2;

function columnsBy(amounts: readonly Amount[], edge: (amount: Amount) => number): Amount[][] {
  const sorted = [...amounts].sort((one, other) => edge(one) - edge(other));
  const columns: Amount[][] = [];
  let begin = Number.NEGATIVE_INFINITY;
  for (const amount of sorted) {
    const column = columns.at(-1);
    if (column !== undefined && edge(amount) - begin <= SPREAD * amount.line.fontSize) column.push(amount);
    else {
      columns.push([amount]);
      begin = edge(amount);
    }
  }
  return columns;
}

/** The number of columns, with a penalty for each amount that shares a column with another one on its line. */
function disorder(columns: readonly Column[]): number {
  const shared = columns.map((column) => column.length - new Set(column.map(({ line }) => line)).size);
  return columns.length + 3 * shared.reduce((total, count) => total + count, 0);
}
