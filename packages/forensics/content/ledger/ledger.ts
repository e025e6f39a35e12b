import type { Amount } from '../amounts.ts';
import { type LabelledAmount, type LabelOf, labelledAmounts } from '../labelled-amounts.ts';
import {
  BALANCE_AT,
  CARRIED,
  CLOSING,
  CREDIT_COLUMN,
  DEBIT_COLUMN,
  folded,
  OPENING,
  TOTAL,
  TOTAL_CREDITS,
  TOTAL_DEBITS,
} from '../labels.ts';
import type { WordLine } from '../words.ts';
import type { Booking } from './chain.ts';
import { type Column, columnsOf } from './columns.ts';
import { DATE_BEGINS, isDatedRow } from './rows.ts';

/** A statement's totals and bookings. */
export interface Ledger {
  opening: Amount;
  closing: Amount;
  /** The totals of credits and debits, if stated. */
  credits?: Amount;
  debits?: Amount;
  bookings: Booking[];
  /** Whether the balances enclose the rows, and every dated row between them has an amount. */
  isComplete: boolean;
}

type Kind = 'opening' | 'closing' | 'credits' | 'debits' | 'dated';

const LABELS: readonly LabelOf<Kind>[] = [
  { kind: 'opening', label: OPENING },
  { kind: 'closing', label: CLOSING },
  { kind: 'credits', label: TOTAL_CREDITS },
  { kind: 'debits', label: TOTAL_DEBITS },
  { kind: 'dated', label: BALANCE_AT },
];
const MIN_BOOKINGS = 5;
const ROWS = 3000;

/**
 * The ledger in the lines; undefined if a balance is missing or has several values, or if the bookings are too few or unclear.
 *
 * @param bookings if known from a running balance
 */
export function ledgerOf(
  lines: readonly WordLine[],
  amounts: readonly Amount[],
  bookings?: Booking[],
): Ledger | undefined {
  const rows = rowsOf(lines, amounts);
  const places = new Map(lines.map((line, index) => [line, index]));
  const lineOf = (amount: Amount | undefined) => (amount === undefined ? -1 : (places.get(amount.line) ?? -1));
  const named = labelledAmounts(lines, amounts, LABELS, CARRIED);
  const [firstRow, lastRow] = [lineOf(rows[0]), lineOf(rows.at(-1))];
  const dated = (isWanted: (place: number) => boolean) =>
    named.flatMap((one) => (one.kind === 'dated' && isWanted(lineOf(one.amount)) ? [one.amount] : []));
  const opening = single(named, 'opening') ?? onlyOne(dated((place) => place < firstRow));
  const closing = single(named, 'closing') ?? onlyOne(dated((place) => place > lastRow));
  const totals = {
    ...columnTotals(lines, amounts, rows),
    ...withoutNone({ credits: single(named, 'credits'), debits: single(named, 'debits') }),
  };
  const booked = bookings ?? bookingsOf(lines, rows, named);
  if (opening === undefined || closing === undefined || booked === undefined || booked.length < MIN_BOOKINGS)
    return undefined;
  const isComplete =
    lineOf(opening) < firstRow && lineOf(closing) > lastRow && !hasRowsWithoutAmount(lines, amounts, firstRow, lastRow);
  return { opening, closing, ...totals, bookings: booked, isComplete };
}

/** One amount per dated row, in any column. */
function rowsOf(lines: readonly WordLine[], amounts: readonly Amount[]): Amount[] {
  const byLine = Map.groupBy(amounts, ({ line }) => line);
  return lines.slice(0, ROWS).flatMap((line) => {
    const inLine = byLine.get(line) ?? [];
    const [amount] = inLine;
    const words = folded(line.text);
    const isBalance = OPENING.test(words) || CLOSING.test(words) || CARRIED.test(words) || BALANCE_AT.test(words);
    // In "5.07 USD" the date is the amount.
    const isBooking = amount !== undefined && inLine.length === 1 && amount.start > DATE_BEGINS && isDatedRow(line);
    return isBooking && !isBalance ? [amount] : [];
  });
}

/** By the printed signs, else by the column, else by the totals below a list. Undefined if none of them decides. */
function bookingsOf(
  lines: readonly WordLine[],
  rows: Amount[],
  named: readonly LabelledAmount<Kind>[],
): Booking[] | undefined {
  const columns = columnsOf(rows).filter((column) => column.length > 0);
  if (rows.some(({ signed }) => signed)) {
    return columns.length === 1 ? rows.map((amount) => ({ amount, cents: amount.cents })) : undefined;
  }
  if (columns.length === 2) return byColumn(lines, columns);
  return columns.length === 1 ? bySection(lines, rows, named) : undefined;
}

function byColumn(lines: readonly WordLine[], columns: readonly Column[]): Booking[] | undefined {
  const sides = columns.map((column) => headingOf(lines, column));
  if (new Set(sides).size !== 2 || sides.includes(undefined)) return undefined;
  return columns.flatMap((column, index) =>
    column.map((amount) => ({ amount, cents: sides[index] === 'debits' ? -amount.cents : amount.cents })),
  );
}

/** The heading above a column. */
function headingOf(lines: readonly WordLine[], column: Column): 'credits' | 'debits' | undefined {
  const left = Math.min(...column.map(({ box }) => box.x));
  const right = Math.max(...column.map(({ box }) => box.x + box.width));
  const first = column[0]?.line;
  for (const line of lines.slice(0, first === undefined ? 0 : lines.indexOf(first)).toReversed()) {
    const over = line.words.filter(({ box }) => box.x < right && box.x + box.width > left);
    const words = folded(over.map(({ text }) => text).join(' '));
    if (/\d/.test(words)) continue;
    if (DEBIT_COLUMN.test(words)) return 'debits';
    if (CREDIT_COLUMN.test(words)) return 'credits';
  }
  return undefined;
}

/** A list of credits and a list of debits, each followed by its total. */
function bySection(
  lines: readonly WordLine[],
  rows: Amount[],
  named: readonly LabelledAmount<Kind>[],
): Booking[] | undefined {
  const places = new Map(lines.map((line, index) => [line, index]));
  const totals = named.filter(({ kind }) => kind === 'credits' || kind === 'debits');
  const bookings = rows.flatMap((amount): Booking[] => {
    const place = places.get(amount.line) ?? 0;
    const next = totals.find((total) => (places.get(total.amount.line) ?? 0) > place);
    return next === undefined ? [] : [{ amount, cents: next.kind === 'debits' ? -amount.cents : amount.cents }];
  });
  return bookings.length === rows.length ? bookings : undefined;
}

/** Totals below the debit and credit columns. */
function columnTotals(lines: readonly WordLine[], amounts: readonly Amount[], rows: readonly Amount[]) {
  const columns = columnsOf(rows);
  if (columns.length !== 2) return {};
  const ofLine = Map.groupBy(amounts, ({ line }) => line);
  const total = lines.findLast((line) => TOTAL.test(folded(line.text)) && ofLine.get(line)?.length === 2);
  const [left, right] = (total === undefined ? undefined : ofLine.get(total)) ?? [];
  const sides = columns.map((column) => headingOf(lines, column));
  const debitsFirst =
    sides[0] === 'debits' ? centre(columns[0]) < centre(columns[1]) : centre(columns[0]) > centre(columns[1]);
  if (left === undefined || right === undefined || new Set(sides).size !== 2 || sides.includes(undefined)) return {};
  return debitsFirst ? { debits: left, credits: right } : { debits: right, credits: left };
}

function centre(column: Column | undefined): number {
  const box = column?.[0]?.box;
  return box === undefined ? 0 : box.x + box.width;
}

function hasRowsWithoutAmount(
  lines: readonly WordLine[],
  amounts: readonly Amount[],
  first: number,
  last: number,
): boolean {
  const withAmount = new Set(amounts.map(({ line }) => line));
  return lines.slice(first, last).some((line) => isDatedRow(line) && !withAmount.has(line));
}

function single(named: readonly LabelledAmount<Kind>[], kind: Kind): Amount | undefined {
  return onlyOne(named.filter((one) => one.kind === kind).map(({ amount }) => amount));
}

/** The last of several equal ones, because totals are below the rows. */
function onlyOne(amounts: readonly Amount[]): Amount | undefined {
  return new Set(amounts.map(({ cents }) => Math.abs(cents))).size === 1 ? amounts.at(-1) : undefined;
}

function withoutNone(totals: { credits: Amount | undefined; debits: Amount | undefined }) {
  const { credits, debits } = totals;
  return { ...(credits === undefined ? {} : { credits }), ...(debits === undefined ? {} : { debits }) };
}
