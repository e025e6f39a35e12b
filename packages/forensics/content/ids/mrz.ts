import type { ParseResult } from 'mrz';
import type { WordLine } from '../words.ts';

/** The machine-readable zone of an identity document, by ICAO 9303 parts 4 to 7. */
export interface Zone {
  /** Two or three lines of equal length. */
  lines: string[];
  /** The printed line of each. */
  sources: WordLine[];
  parsed: ParseResult;
  /** The fields that a check digit covers, and the digit. */
  checks: ZoneCheck[];
  /** The same checks for a zone that differs only in its characters. */
  checksWith(lines: readonly string[]): ZoneCheck[];
}

export interface ZoneCheck {
  /** As in "date of birth". */
  name: string;
  /** The characters the digit is computed from. */
  value: string;
  seen: string;
  expected: string;
  /** The spans of the field and of its digit in the zone. */
  field: Span;
  digit: Span;
}

export interface Span {
  line: number;
  start: number;
  end: number;
}

const NAMES: Partial<Record<string, string>> = {
  documentNumberCheckDigit: 'document number',
  birthDateCheckDigit: 'date of birth',
  expirationDateCheckDigit: 'date of expiry',
  personalNumberCheckDigit: 'personal number',
  compositeCheckDigit: 'whole zone',
};
const LENGTHS: readonly { length: number; lines: number }[] = [
  { length: 44, lines: 2 },
  { length: 36, lines: 2 },
  { length: 30, lines: 3 },
];
/** How many fillers OCR may lose at the end of a line; it may add any number. */
const LOST_FILLERS = 8;
const MIN_LINES = 2;
const ZONES = 10;

/** The zones of a document; for pictures, also lines in which OCR added or lost a few fillers. */
export async function zonesIn(lines: readonly WordLine[], isRead: boolean): Promise<Zone[]> {
  const candidates = lines.flatMap((source) => {
    const text = zoneText(source.text, isRead);
    return text === undefined ? [] : [{ source, text }];
  });
  if (candidates.length < MIN_LINES) return [];
  // Imported on first use, because most documents have no zone.
  const { parse } = await import('mrz');
  const zones: Zone[] = [];
  for (let index = 0; index < candidates.length && zones.length < ZONES; index++) {
    const [zone] = formatsFor(candidates.slice(index, index + 3)).flatMap(({ length, lines: count }) => {
      const group = candidates.slice(index, index + count);
      const texts = group.map(({ text }) => fitted(text, length, isRead));
      return zoneOf(parse, texts, length, group) ?? [];
    });
    if (zone === undefined) continue;
    zones.push(zone);
    index += zone.lines.length - 1;
  }
  return zones;
}

/** The formats with as many lines as there are, nearest line lengths first. */
function formatsFor(group: readonly { source: WordLine; text: string }[]): typeof LENGTHS {
  const fits = LENGTHS.filter(({ lines }) => group.length >= lines && !isApart(group.slice(0, lines)));
  const miss = ({ length, lines }: { length: number; lines: number }) =>
    Math.max(...group.slice(0, lines).map(({ text }) => Math.abs(text.length - length)));
  return fits.toSorted((one, other) => miss(one) - miss(other));
}

/** ICAO 9303 part 3, 4.9: weights 7, 3, 1; A counts 10, Z 35, the filler 0. */
function checkDigit(text: string): string {
  let sum = 0;
  for (let index = 0; index < text.length; index++) {
    const value = text[index] === '<' ? 0 : Number.parseInt(text.charAt(index), 36);
    sum += value * ([7, 3, 1][index % 3] ?? 0);
  }
  return String(sum % 10);
}

function zoneText(text: string, isRead: boolean): string | undefined {
  const close = text.replace(/\s+/g, '');
  if (close.length < 22 || close.length > 60 || !(/[<«]/.test(close) || isFull(close))) return undefined;
  if (!isRead) return /^[A-Z0-9<]+$/.test(close) ? close : undefined;
  const upper = close
    .replace(/[«»]/g, '<<')
    .replace(/[‹([{€£]/g, '<')
    .toUpperCase()
    .replace(/[^A-Z0-9<]/g, '');
  // OCR often reads a row of fillers as letters that open to the right.
  const filled = upper.replace(/(?<=<)[KLCE]{1,2}(?=<)|(?<=<)[KLCE]+$/g, (letters) => '<'.repeat(letters.length));
  return filled.includes('<') || isFull(filled) ? filled : undefined;
}

/** A line may have no filler when its optional data is full. */
function isFull(text: string): boolean {
  return LENGTHS.some(({ length }) => length === text.length) && (text.match(/\d/g) ?? []).length >= 12;
}

/** OCR reads long runs of fillers as more or fewer, or as K, C and L. */
function fitted(text: string, length: number, isRead: boolean): string {
  if (!isRead || text.length === length) return text;
  const end = /(?<![<KCLEZS])[<KCLEZS]*(?<digit>\d?)$/.exec(text);
  if (end === null || length - text.length > LOST_FILLERS || !/<</.test(end[0])) return text;
  const digit = end.groups?.['digit'] ?? '';
  const body = text.slice(0, end.index);
  return body.length + digit.length > length ? text : body.padEnd(length - digit.length, '<') + digit;
}

function isApart(group: readonly { source: WordLine }[]): boolean {
  const [first] = group;
  return group.some(({ source }, index) => {
    const before = group[index - 1]?.source ?? first?.source;
    return before !== undefined && (source.page !== before.page || source.box.y - before.box.y > 6 * before.box.height);
  });
}

type Parse = (lines: readonly string[]) => ParseResult;

function zoneOf(
  parse: Parse,
  lines: string[],
  length: number,
  group: readonly { source: WordLine }[],
): Zone | undefined {
  const [first = '', second = ''] = lines;
  const isWhole = lines.every((line) => line.length === length);
  if (!isWhole || !/^[ACIPV][A-Z<]/.test(first)) return undefined;
  const isFrench = length === 36 && first.startsWith('IDFRA');
  if (!isFrench && !hasDates(lines.length === 3 ? second : second.slice(13))) return undefined;
  const parsed = parse(lines);
  const checksWith = (others: readonly string[]) => checksOf(others, parse(others));
  return {
    lines,
    sources: group.map(({ source }) => source),
    parsed,
    checks: checksOf(lines, parsed),
    checksWith,
  };
}

/** A date with its check digit, the sex, and another date with its check digit: no other text has this form. */
function hasDates(text: string): boolean {
  return /^[\dOISBZGDQ<]{7}[MFX<H][\dOISBZGDQ<]{7}/.test(text);
}

/** Whether every check digit would be valid with another character in one place. */
export function wouldHold({ lines, checksWith }: Zone, line: number, column: number, character: string): boolean {
  const changed = lines.map((text, index) =>
    index === line ? text.slice(0, column) + character + text.slice(column + 1) : text,
  );
  return checksWith(changed).every(({ seen, expected }) => seen === expected);
}

function checksOf(lines: readonly string[], { details, format }: ParseResult): ZoneCheck[] {
  // Only the first three check digits of a visa count; part 7 leaves the rest of the line to the issuer.
  const isVisa = lines[0]?.startsWith('V') === true;
  return details.flatMap((detail): ZoneCheck[] => {
    const name = NAMES[detail.field ?? ''];
    const [digit, ...fields] = detail.ranges;
    const [field] = fields;
    if (name === undefined || digit === undefined || field === undefined) return [];
    if (isVisa && ['personal number', 'whole zone'].includes(name)) return [];
    const seen = textAt(lines, digit);
    const related = name === 'document number' || name === 'personal number' ? [field] : fields;
    const value = related.map((span) => textAt(lines, span)).join('');
    // Empty, or a number that continues in the optional data (TD1 and TD2).
    if (/^<+$/.test(value) || (seen === '<' && name.endsWith('number'))) return [];
    if (name === 'whole zone' && format === 'FRENCH_NATIONAL_ID') return [];
    return [{ name, value, seen, expected: checkDigit(value), field, digit }];
  });
}

function textAt(lines: readonly string[], { line, start, end }: Span): string {
  return lines[line]?.slice(start, end) ?? '';
}
