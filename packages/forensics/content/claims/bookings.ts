import type { Claim } from '../../claims.ts';
import type { Amount } from '../amounts.ts';
import { type Day, isoOf } from '../dates.ts';
import { folded } from '../labels.ts';
import { ledgerOf } from '../ledger/ledger.ts';
import { isDatedRow } from '../ledger/rows.ts';
import type { Statement } from '../ledger/statement.ts';
import type { WordLine } from '../words.ts';
import { amountClaim } from './payslip.ts';
import type { Period, ReadDay } from './period.ts';

/** The bookings of a statement, with their dates and texts. */

const CREDITS = 300;
const LINES_A_BOOKING = 4;
const WORDS = 200;
const ROOM_DAYS = 45;
const DATE_WITHIN = 40;
/** In font sizes, from one line of a booking to the next. */
const LINE_GAP = 2.2;
/** Marks a period that no line of the statement states. */
const OF_BOOKINGS = 'bookings';

export interface Booked {
  amount: Amount;
  cents: number;
}

/** Signed if the signs are understood; otherwise every amount of a dated row may be a credit. */
export function bookingsOf(
  statements: readonly Statement[],
  lines: readonly WordLine[],
  amounts: readonly Amount[],
): Booked[] {
  const chained = statements.flatMap(({ bookings, steps }) => bookings ?? steps.flatMap(({ booked }) => booked));
  if (chained.length > 0) return chained;
  const ledger = ledgerOf(lines, amounts);
  if (ledger !== undefined) return ledger.bookings;
  return amounts.filter(({ line }) => isDatedRow(line)).map((amount) => ({ amount, cents: amount.cents }));
}

export function creditsOf(
  lines: readonly WordLine[],
  bookings: readonly Booked[],
  period: Period | undefined,
  read: ReadDay,
): Claim[] {
  const places = new Map(lines.map((line, index) => [line, index]));
  return bookings
    .filter(({ cents }) => cents > 0)
    .slice(0, CREDITS)
    .map(({ amount, cents }) => {
      const at = places.get(amount.line) ?? 0;
      const day = withYear(dayOf(lines, amount, at, read), period);
      const words = folded(wordsOf(lines, at)).slice(0, WORDS);
      return { ...amountClaim('credit', amount), value: String(cents), words, ...(day === undefined ? {} : { day }) };
    });
}

/** The date in its row, in the dated row above, or in a closer one right below, as in apps. */
function dayOf(lines: readonly WordLine[], amount: Amount, at: number, read: ReadDay): Day | undefined {
  const row = lines[at];
  // As in 13.03, which may be a sum.
  const isAmount = ({ start, end }: { start: number; end: number }) => start < amount.end && end > amount.start;
  const own = row && read(row.text).find((date) => date.start < DATE_WITHIN && !isAmount(date))?.day;
  if (own !== undefined) return own;
  const [above, under] = [lines.slice(0, at).findLast(isDatedRow), lines[at + 1]];
  const isUnder = under !== undefined && isDatedRow(under) && gapOf(row, under) < gapOf(above, row) - 1;
  const dated = isUnder ? under : above;
  return dated && read(dated.text)[0]?.day;
}

/** In points; infinite across a page break. */
function gapOf(upper: WordLine | undefined, lower: WordLine | undefined): number {
  if (upper === undefined || lower === undefined || upper.page !== lower.page) return Number.POSITIVE_INFINITY;
  return lower.box.y + lower.box.height - upper.box.y - upper.box.height;
}

/** The text of a booking: its row, and the lines under it until the next row. */
function wordsOf(lines: readonly WordLine[], at: number): string {
  const below: string[] = [];
  for (const line of lines.slice(at + 1, at + LINES_A_BOOKING)) {
    const above = lines[at + below.length];
    const isApart = line.page !== above?.page || line.box.y - above.box.y > LINE_GAP * line.fontSize;
    if (isDatedRow(line) || isApart) break;
    below.push(line.text);
  }
  return [lines[at]?.text ?? '', ...below].join(' ').replace(/\s+/g, ' ');
}

/** A row may omit the year, which then is the one that puts it in the statement's period or at most 45 days from it. */
function withYear(day: Day | undefined, period: Period | undefined): string | undefined {
  if (day === undefined || day.year !== undefined) return day && isoOf(day);
  if (period === undefined) return undefined;
  const years = [period.from.value, period.to.value].map((value) => Number(value.slice(0, 4)));
  const isClose = (iso: string) =>
    Date.parse(iso) >= Date.parse(period.from.value) - ROOM_DAYS * 86_400_000 &&
    Date.parse(iso) <= Date.parse(period.to.value) + ROOM_DAYS * 86_400_000;
  return years.map((year) => isoOf({ ...day, year })).find(isClose);
}

/** From the first booking to the last; the statement may begin earlier and end later. */
export function periodOfBookings(
  lines: readonly WordLine[],
  bookings: readonly Booked[],
  read: ReadDay,
): Period | undefined {
  const places = new Map(lines.map((line, index) => [line, index]));
  const days = bookings.flatMap(({ amount }) => {
    const day = dayOf(lines, amount, places.get(amount.line) ?? 0, read);
    return day?.year === undefined ? [] : [{ amount, iso: isoOf(day) }];
  });
  days.sort((one, other) => one.iso.localeCompare(other.iso));
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) return undefined;
  const claim = (kind: 'from' | 'to', { amount, iso }: typeof from) => ({
    ...amountClaim(kind, amount),
    value: iso,
    text: iso,
    words: OF_BOOKINGS,
  });
  return { from: claim('from', from), to: claim('to', to) };
}
