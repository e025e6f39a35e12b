import { latin } from '../characters.ts';

/**
 * What a program does the same way whenever it shows text. A habit is absent if the content leaves no choice: hexadecimal digits
 * without letters have no case.
 */
export type Habit =
  | 'hexadecimal or literal strings'
  | 'case of hexadecimal digits'
  | 'spaces in hexadecimal strings'
  | 'how special characters are escaped'
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

/**
 * Habits of the part of a program that writes bytes: neither its author nor a template changes them from one text to another, but spaces may
 * depend on what follows them. The other habits may follow from what is drawn, or from the figures (a fixed number of decimals ends with a
 * zero now and then), so one of them alone is not enough.
 */
export const OF_WRITING: ReadonlySet<Habit> = new Set<Habit>([
  'hexadecimal or literal strings',
  'case of hexadecimal digits',
  'spaces in hexadecimal strings',
  'how special characters are escaped',
  'zeros before the decimal point',
  'spaces before the showing operator',
  'spaces after the showing operator',
  'spaces after the font',
  'spaces at the beginning of a text object',
]);

export type Habits = Map<Habit, string>;

const LONGEST = 400;

/** @param start offset of the string's opening bracket */
export function noteString(habits: Habits, data: Uint8Array, start: number, end: number): void {
  const raw = latin(data, start, Math.min(end, start + LONGEST));
  if (!raw.startsWith('<')) {
    note(habits, 'hexadecimal or literal strings', 'literal');
    const way = escapeIn(raw);
    if (way !== undefined) note(habits, 'how special characters are escaped', way);
    return;
  }
  note(habits, 'hexadecimal or literal strings', 'hexadecimal');
  note(habits, 'spaces in hexadecimal strings', /\s/.test(raw) ? 'some' : 'none');
  const [upper, lower] = [/[A-F]/.test(raw), /[a-f]/.test(raw)];
  if (upper || lower) note(habits, 'case of hexadecimal digits', upper === lower ? 'both' : upper ? 'upper' : 'lower');
}

/** How bytes beyond ASCII are written; for ASCII there is no choice. */
function escapeIn(raw: string): string | undefined {
  const isRaw = /[\x80-\xff]/.test(raw);
  const isOctal = /\\[0-7]{3}/.test(raw);
  if (isRaw && isOctal) return 'both';
  return isRaw ? 'as they are' : isOctal ? 'in octal' : undefined;
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
