import { cached } from '../cached.ts';
import type { Box } from '../model.ts';
import { boxWithin, confidenceWithin, type WordLine } from './words.ts';

/** An amount of money in a line. */
export interface Amount {
  /** Signed; an amount marked as a debit is negative. */
  cents: number;
  /** The number as printed, with its sign but without currency and debit or credit marks. */
  text: string;
  /** The offset of its digits in the text of the line. */
  start: number;
  end: number;
  /** Whether it has a sign or a debit or credit mark beside it. */
  signed: boolean;
  /** As printed beside the number: a symbol or a code. */
  currency?: string;
  line: WordLine;
  /** The box of its digits. */
  box: Box;
  /** The right edge of its digits, signs and marks. */
  edge: number;
  /** From 0 to 100, of text read from a picture. */
  confidence?: number;
}

/** How a page writes amounts. */
interface AmountStyle {
  decimal: '.' | ',' | 'both';
  /** Whether 12.03 is a date. */
  hasDays: boolean;
  /** Whether a space separates thousands; otherwise a space between two numbers separates columns. */
  spaced: boolean;
}

const CURRENCY = '(?:€|\\$|£|¥|zł|Kč|kr\\.?|Fr\\.|EUR|USD|GBP|CHF|PLN|SEK|DKK|NOK|CZK|RON|HUF|BRL|R\\$|CAD|AUD|US\\$)';
const GROUPS = "(?:\\d{1,3}(?:(?:\\.\\d{3}){1,4}|(?:,\\d{3}){1,4}|(?:'\\d{3}){1,4}|(?: \\d{3}){1,4})|\\d{1,9})";
const MARK = '(?:CR|DR|DB|OD|Cr|Dr|Soll|Haben|S|H|D|C)';
const AMOUNT = new RegExp(
  `(?<![\\p{L}\\d.,'/])(?<before>[-+(]? ?(?:${CURRENCY} ?)?[-+(]?)(?<number>${GROUPS}[.,]\\d{2})(?![\\d%'/]|[.,]\\d| ?%)` +
    `(?<after>(?:[-+)](?!\\d))?(?: ?${CURRENCY}(?![\\p{L}]))?(?: ?[-+)](?! ?[\\d€$£]))?)(?: ?(?<mark>${MARK})(?![\\p{L}\\d.]))?`,
  'gu',
);
/** Part of every amount. */
const DECIMALS = /\d[.,]\d{2}/;
const PRINTED_CURRENCY = new RegExp(CURRENCY, 'u');
const EVERY_CURRENCY = new RegExp(CURRENCY, 'gu');
const AMOUNTS = 8_000;
const MIN_VOTES = 3;

/** What else a row of figures says. */
export function withoutCurrency(text: string): string {
  return text.replace(EVERY_CURRENCY, '');
}

/** The amounts of a document, each with two decimals, in line order, without dates and rates. */
export const amountsIn: (lines: readonly WordLine[]) => readonly Amount[] = cached(readAmounts);

function readAmounts(lines: readonly WordLine[]): Amount[] {
  const styles = stylesOf(lines);
  const amounts: Amount[] = [];
  for (const line of lines) {
    const style = styles.get(line.page);
    if (amounts.length > AMOUNTS || style === undefined) break;
    for (const match of matchesIn(line)) amounts.push(...amountsOf(line, match, style));
  }
  return amounts;
}

/** Cached, because a line is read for its document, for its page, and for the style of both. */
const matchesIn = cached(({ text }: WordLine) => (DECIMALS.test(text) ? [...text.matchAll(AMOUNT)] : []));

/** Decided page by page, because pages may come from different documents; a page with few amounts follows the others. */
function stylesOf(lines: readonly WordLine[]): Map<number, AmountStyle> {
  const all = votesOf(lines);
  return new Map(
    [...Map.groupBy(lines, ({ page }) => page)].map(([page, onPage]) => {
      const own = votesOf(onPage);
      const decimals = own.comma + own.dot < MIN_VOTES ? all : own;
      const groups = own.spaced + own.marked + own.bare < MIN_VOTES ? all : own;
      // OCR mistakes commas for points and loses spaces.
      const isPicture = isRead(onPage);
      const decimal = isPicture ? 'both' : decimalOf(decimals);
      const spaced = groups.spaced > groups.marked + (isPicture ? 1 : groups.bare);
      return [page, { decimal, hasDays: decimals.comma > decimals.dot, spaced }];
    }),
  );
}

interface Votes {
  comma: number;
  dot: number;
  /** Thousands separated by a space, by a mark, or not at all. */
  spaced: number;
  marked: number;
  bare: number;
}

function votesOf(lines: readonly WordLine[]): Votes {
  const votes = { comma: 0, dot: 0, spaced: 0, marked: 0, bare: 0 };
  for (const line of lines.slice(0, AMOUNTS)) {
    for (const { groups } of matchesIn(line)) {
      const number = groups?.['number'] ?? '';
      if (number.at(-3) === ',') votes.comma++;
      else if (!isLikeDate(number)) votes.dot++;
      if (/^\d{1,3}(?: \d{3})+[.,]/.test(number)) votes.spaced++;
      else if (/^[^.,']*[.,'].*[.,]/.test(number)) votes.marked++;
      else if (/^\d{4,}/.test(number)) votes.bare++;
    }
  }
  return votes;
}

function isRead(lines: readonly WordLine[]): boolean {
  return lines.some(({ words }) => words.some(({ confidence }) => confidence !== undefined));
}

/** The majority's reading; without a majority, each amount is read as written. */
function decimalOf({ comma, dot }: Votes): AmountStyle['decimal'] {
  if (comma >= 3 * dot && comma > 0) return ',';
  return dot >= 3 * comma && dot > 0 ? '.' : 'both';
}

/** Formats cents like another amount. If a mark makes that one negative, the result has no sign either. */
export function writtenLike(value: number, like: Amount): string {
  const cents = like.cents < 0 && !like.text.startsWith('-') ? -value : value;
  const digits = like.text.replace(/[^\d.,' ]/g, '').trim();
  const group = /^\d{1,3}([.,' ])\d{3}/.exec(digits)?.[1] ?? (/^\d{4}/.test(digits) ? '' : undefined);
  const decimal = digits.at(-3) ?? '.';
  const units = String(Math.floor(Math.abs(cents) / 100));
  const thousands = group ?? (decimal === ',' ? '.' : ',');
  const first = units.length % 3 || 3;
  const whole = [units.slice(0, first), ...(units.slice(first).match(/\d{3}/g) ?? [])].join(thousands);
  return `${cents < 0 ? '-' : ''}${whole}${decimal}${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}

/** Such as 12.03, which is a date in a document that uses decimal commas. */
function isLikeDate(number: string): boolean {
  const [day = 0, month = 0] = number.split('.').map(Number);
  return /^\d\d?\.\d\d$/.test(number) && day >= 1 && day <= 31 && month >= 1 && month <= 12;
}

function amountsOf(line: WordLine, match: RegExpExecArray, style: AmountStyle): Amount[] {
  const { before = '', number = '', after = '', mark } = match.groups ?? {};
  const decimal = number.at(-3) ?? '';
  if (style.decimal !== 'both' && style.decimal !== decimal) return [];
  const units = number.slice(0, -3);
  if (units.includes(decimal) || (style.hasDays && isLikeDate(number))) return [];
  const numberStart = match.index + before.length;
  const end = numberStart + number.length;
  // If the document does not separate thousands by spaces, digits before the space are another number.
  const start = style.spaced ? numberStart : numberStart + units.lastIndexOf(' ') + 1;
  const minus = (start === numberStart && /[-(]/.test(before)) || /[-)]/.test(after);
  const debit = mark !== undefined && /^(?:DR|DB|OD|Dr|Soll|S|D)$/.test(mark);
  const digits = line.text.slice(start, end);
  const cents = Number(digits.replace(/\D/g, ''));
  if (!Number.isSafeInteger(cents)) return [];
  const box = boxWithin(line, start, end);
  const printed = match.index + match[0].length;
  const whole = printed === end ? box : boxWithin(line, start, printed);
  const confidence = confidenceWithin(line, start, end);
  const currency = PRINTED_CURRENCY.exec(`${before}\t${after}`)?.[0];
  return [
    {
      cents: minus || debit ? -cents : cents,
      text: `${minus ? '-' : ''}${digits}`,
      start,
      end,
      signed: minus || mark !== undefined || /\+/.test(before + after),
      line,
      box,
      edge: whole.x + whole.width,
      ...(currency === undefined ? {} : { currency }),
      ...(confidence === undefined ? {} : { confidence }),
    },
  ];
}
