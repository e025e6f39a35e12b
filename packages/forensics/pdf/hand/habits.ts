import { latin } from '../characters.ts';

/**
 * What a program does the same way whenever it shows text. A habit is absent if the content leaves no choice: hexadecimal digits
 * without letters have no case.
 */
export type Habit =
  | StringHabit
  | 'case of hexadecimal digits'
  | 'spaces in hexadecimal strings'
  | EscapeHabit
  | 'zeros before the decimal point'
  | 'zeros at the end of numbers'
  | 'spaces before the showing operator'
  | 'spaces after the showing operator'
  | 'spaces after the font'
  | 'spaces at the beginning of a text object'
  | 'order of font and place'
  | 'order of colour and font'
  | 'marked content'
  | 'showing operator'
  | 'placing operator'
  | 'texts in a text object'
  | 'nesting of the graphics state';

/** Many libraries write strings as literal only if these need no escapes, so each class of bytes that may need them has a habit of its own. */
const STRINGS = {
  plain: 'hexadecimal or literal strings',
  brackets: 'hexadecimal or literal strings with brackets',
  control: 'hexadecimal or literal strings with control characters',
  beyond: 'hexadecimal or literal strings with characters beyond ASCII',
} as const;

/** Bytes that are unprintable in some encodings are often escaped alone. */
const ESCAPES = {
  control: 'how control characters are escaped',
  windows: 'how characters 128 to 159 are escaped',
  beyond: 'how special characters are escaped',
} as const;

type StringHabit = (typeof STRINGS)[keyof typeof STRINGS];
type EscapeHabit = (typeof ESCAPES)[keyof typeof ESCAPES];

/**
 * Habits of the part of a program that writes bytes: neither its author nor a template changes them from one text to another, but spaces may
 * depend on what follows them. The other habits may follow from what is drawn, or from the figures (a fixed number of decimals ends with a
 * zero now and then), so one of them alone is not enough.
 */
export const OF_WRITING: ReadonlySet<Habit> = new Set<Habit>([
  ...Object.values(STRINGS),
  'case of hexadecimal digits',
  'spaces in hexadecimal strings',
  ...Object.values(ESCAPES),
  'zeros before the decimal point',
  'spaces before the showing operator',
  'spaces after the showing operator',
  'spaces after the font',
  'spaces at the beginning of a text object',
]);

export type Habits = Map<Habit, string>;

/** What several habits are about: that of strings, for all classes of bytes. */
export function subjectOf<Any extends string>(habit: Any): Any | 'strings' | 'escapes' {
  if (Object.values<string>(STRINGS).includes(habit)) return 'strings';
  return Object.values<string>(ESCAPES).includes(habit) ? 'escapes' : habit;
}

const LONGEST = 400;
const CLASSES = ['plain', 'brackets', 'control', 'beyond'] as const;
const PLAIN = ['plain'] as const;
/** Parentheses and the backslash. */
const DELIMITERS: readonly number[] = [0x28, 0x29, 0x5c];

/**
 * @param start offset of the string's opening bracket
 * @param bytes what it holds
 */
export function noteString(habits: Habits, data: Uint8Array, start: number, end: number, bytes: Uint8Array): void {
  const raw = latin(data, start, Math.min(end, start + LONGEST));
  const isLiteral = !raw.startsWith('<');
  const kind = classOf(bytes.subarray(0, LONGEST));
  // What writes any string as literal writes plain ones so, and what writes plain ones in hexadecimal writes all so.
  const others = isLiteral ? PLAIN : kind === 'plain' ? CLASSES : [];
  for (const one of new Set([kind, ...others])) note(habits, STRINGS[one], isLiteral ? 'literal' : 'hexadecimal');
  if (isLiteral) {
    for (const [band, way] of escapesIn(raw)) note(habits, ESCAPES[band], way);
    return;
  }
  note(habits, 'spaces in hexadecimal strings', /\s/.test(raw) ? 'some' : 'none');
  const [upper, lower] = [/[A-F]/.test(raw), /[a-f]/.test(raw)];
  if (upper || lower) note(habits, 'case of hexadecimal digits', upper === lower ? 'both' : upper ? 'upper' : 'lower');
}

function classOf(bytes: Uint8Array): keyof typeof STRINGS {
  if (bytes.some((byte) => byte > 0x7e)) return 'beyond';
  if (bytes.some((byte) => byte < 0x20)) return 'control';
  return bytes.some((byte) => DELIMITERS.includes(byte)) ? 'brackets' : 'plain';
}

/** How bytes that need no escapes, but often have them, are written. */
function escapesIn(raw: string): [keyof typeof ESCAPES, string][] {
  const found: [keyof typeof ESCAPES, string][] = [];
  for (const [whole, octal] of raw.matchAll(/\\([0-7]{3})|\\.|./gs)) {
    if (octal === undefined && whole.length > 1) continue;
    const code = octal === undefined ? whole.charCodeAt(0) : Number.parseInt(octal, 8);
    if (code >= 0x20 && code < 0x7f) continue;
    const band = code < 0x80 ? 'control' : code < 0xa0 ? 'windows' : 'beyond';
    found.push([band, octal === undefined ? 'as they are' : 'in octal']);
  }
  return found;
}

/** @param raw an operand as written */
export function noteNumber(habits: Habits, raw: string): void {
  if (/^[-+]?0?\.\d/.test(raw))
    note(habits, 'zeros before the decimal point', raw.includes('0.') ? 'written' : 'left out');
  if (raw.includes('.')) note(habits, 'zeros at the end of numbers', /[.0]$/.test(raw) ? 'written' : 'left out');
}

/** With this many decimals, a number this close to one with fewer comes from adding binary fractions, of 24 bits in many libraries. */
const MAY_BE_NOISE = 5;
const NOISE = 2 ** -23;

/** Decimals of a number as written, and at least, without binary rounding errors. */
export interface Decimals {
  written: number;
  least: number;
}

/** Without trailing zeros. */
export function decimalsOf(raw: string): Decimals {
  const at = raw.indexOf('.');
  if (at < 0) return { written: 0, least: 0 };
  let end = raw.length;
  while (raw[end - 1] === '0') end--;
  const written = end - at - 1;
  if (written < MAY_BE_NOISE) return { written, least: written };
  const value = Number(raw);
  const noise = Math.max(NOISE * Math.abs(value), 1e-9);
  for (let few = 0; few < written - 1; few++)
    if (Math.abs(value - Number(value.toFixed(few))) < noise) return { written, least: few };
  return { written, least: written };
}

/** Programs such as Quartz write one long line and break it at a width: there a line break stands for a space. */
export function isWrap(own: string, usual: string): boolean {
  return own === GAPS['\n'] && usual === GAPS[' '];
}

const GAPS: Record<string, string> = { '': 'none', ' ': 'one', '\n': 'a line break', '\r\n': 'CR and LF', '\r': 'CR' };

/** The spaces between two tokens. */
export function noteGap(habits: Habits, habit: Habit, data: Uint8Array, start: number, end: number): void {
  const gap = latin(data, start, Math.min(end, start + 8)).replace(/[^\s\0]/g, '');
  note(habits, habit, GAPS[gap] ?? JSON.stringify(gap).slice(1, -1));
}

/** A text that does something in both ways has no such habit. */
export function note(habits: Habits, habit: Habit, value: string): void {
  const before = habits.get(habit);
  habits.set(habit, before === undefined || before === value ? value : 'both');
}
