import { latin } from '../characters.ts';
import { listOf, nameOf, textOf, type Value } from '../objects.ts';
import { keysOf } from '../paint/text-key.ts';
import { contentTokens } from '../residue/content.ts';
import { isKeyword, type Token } from '../tokens.ts';
import { type Decimals, decimalsOf, type Habit, type Habits, note, noteGap, noteNumber, noteString } from './habits.ts';

/** An operator that shows text, with the way it and the operators before it are written. */
export interface Show {
  habits: Habits;
  /** The page's name for the font. */
  font: string;
  /** Decimals of the numbers that position it; undefined if it follows directly on the text shown before. */
  decimals: Decimals | undefined;
  /** What it shows, if the codes of its font have one byte or two; see `keyOf`. */
  keys: string[];
  /** The properties of the marked content around it that may replace its text (ISO 32000-1, 14.9.4), or their name. */
  marked: Value | undefined;
  /** What comes next, for each habit of spaces before it: only a number or an operator needs one, and lines often end before operators alone. */
  next: Map<Habit, Next>;
}

type Next = 'an operator' | 'a number' | 'another operand';

/** An operator that draws a form or a picture. */
interface Drawn {
  draws: string;
}

const SHOWING = new Set(['Tj', 'TJ', "'", '"']);
const PLACING = new Set(['Td', 'TD', 'Tm', 'T*']);
const COLOURING = new Set(['g', 'rg', 'k', 'sc', 'scn']);
const MAX_OPERANDS = 40;
const MAX_PARTS = 500;
const MAX_NESTED = 100;

interface Operand {
  token: Value;
  start: number;
  end: number;
}

/** The operators in a page's content that show text or draw forms and pictures, in order; drawn forms are not read. */
export function stepsIn(data: Uint8Array): (Show | Drawn)[] {
  const reading = new Reading(data);
  for (const { token, start, end } of contentTokens(data)) reading.take(token, start, end);
  return reading.steps;
}

class Reading {
  readonly steps: (Show | Drawn)[] = [];
  readonly #data: Uint8Array;
  #operands: Operand[] = [];
  #font = '';
  readonly #fonts: string[] = [];
  /** The properties of each open marked content. */
  readonly #marked: (Value | undefined)[] = [];
  #depth = 0;
  /** The shows of the current text object. */
  #block: Show[] = [];
  #isFirst = true;
  /** What was set since the text object began or text was last shown. */
  #before: string[] = [];
  #decimals: Decimals | undefined;
  #habits: Habits = new Map();
  #next: Show['next'] = new Map();
  #after: { habits: Habits; next: Show['next']; habit: Habit; end: number } | undefined;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  take(token: Token | undefined, start: number, end: number): void {
    if (this.#after !== undefined) {
      const { habits, next, habit, end: from } = this.#after;
      noteGap(habits, habit, this.#data, from, start);
      if (token !== undefined) next.set(habit, kindOf(token));
      this.#after = undefined;
    }
    if (token === undefined) return;
    if (!isKeyword(token)) {
      if (this.#operands.length < MAX_OPERANDS) this.#operands.push({ token, start, end });
      return;
    }
    this.#operate(token.keyword, start, end);
    this.#operands = [];
  }

  #operate(operator: string, start: number, end: number): void {
    if (SHOWING.has(operator)) this.#show(operator, start, end);
    else if (operator === 'BT') this.#begin(end);
    else if (operator === 'ET') this.#finish();
    else if (operator === 'q') this.#save();
    else if (operator === 'Q') this.#restore();
    else if (operator === 'BMC' || operator === 'BDC') this.#mark(operator);
    else if (operator === 'EMC') this.#marked.pop();
    else if (operator === 'Tf') this.#setFont(end);
    else if (operator === 'Do') this.steps.push({ draws: nameOf(this.#operands.at(-1)?.token) ?? '' });
    else if (PLACING.has(operator)) this.#place(operator);
    else if (COLOURING.has(operator)) this.#before.push('colour');
  }

  #begin(end: number): void {
    this.#block = [];
    this.#before = [];
    this.#habits = new Map();
    this.#next = new Map();
    this.#decimals = undefined;
    this.#isFirst = true;
    this.#expect('spaces at the beginning of a text object', end);
  }

  #finish(): void {
    for (const { habits } of this.#block)
      note(habits, 'texts in a text object', this.#block.length > 1 ? 'several' : 'one');
    this.#block = [];
  }

  #mark(operator: string): void {
    const properties = operator === 'BDC' ? this.#operands.at(-1)?.token : undefined;
    if (this.#marked.length < MAX_NESTED) this.#marked.push(properties);
  }

  #save(): void {
    this.#depth++;
    if (this.#fonts.length < 1000) this.#fonts.push(this.#font);
  }

  #restore(): void {
    this.#depth = Math.max(0, this.#depth - 1);
    this.#font = this.#fonts.pop() ?? this.#font;
  }

  #setFont(end: number): void {
    const name = this.#operands.map(({ token }) => nameOf(token)).find((one) => one !== undefined);
    this.#font = name ?? this.#font;
    this.#before.push('font');
    this.#expect('spaces after the font', end);
  }

  #place(operator: string): void {
    const numbers = this.#numbers();
    for (const raw of numbers) noteNumber(this.#habits, raw);
    const place = operator === 'Tm' ? numbers.slice(4) : numbers;
    if (place.length > 0) this.#decimals = mostOf(place.map(decimalsOf));
    this.#before.push('place');
    note(this.#habits, 'placing operator', operator);
  }

  #numbers(): string[] {
    return this.#operands
      .filter(({ token }) => typeof token === 'number')
      .map(({ start, end }) => latin(this.#data, start, Math.min(end, start + 24)));
  }

  #show(operator: string, start: number, end: number): void {
    const habits = this.#habits;
    const last = this.#operands.at(-1);
    const shown: Uint8Array[] = [];
    for (const { token } of this.#operands)
      for (const part of listOf(token)?.slice(0, MAX_PARTS) ?? [token]) {
        const text = textOf(part);
        if (text === undefined) continue;
        noteString(habits, this.#data, text.start, text.end, text.bytes);
        shown.push(text.bytes);
      }
    if (last !== undefined) noteGap(habits, 'spaces before the showing operator', this.#data, last.end, start);
    note(habits, 'showing operator', operator);
    note(habits, 'marked content', this.#marked.length > 0 ? 'inside' : 'outside');
    if (this.#isFirst) note(habits, 'nesting of the graphics state', String(Math.min(this.#depth, 20)));
    this.#noteOrder(habits);
    const keys = keysOf(Buffer.concat(shown));
    const marked = this.#marked.findLast((properties) => properties !== undefined);
    const show: Show = { habits, font: this.#font, decimals: this.#decimals, keys, marked, next: this.#next };
    this.steps.push(show);
    this.#block.push(show);
    this.#expect('spaces after the showing operator', end);
    this.#before = [];
    this.#habits = new Map();
    this.#next = new Map();
    this.#decimals = undefined;
    this.#isFirst = false;
  }

  /** Notes the spaces before the next token. */
  #expect(habit: Habit, end: number): void {
    this.#after = { habits: this.#habits, next: this.#next, habit, end };
  }

  #noteOrder(habits: Habits): void {
    const at = (what: string) => this.#before.lastIndexOf(what);
    const order = (one: string, other: string, habit: Habit) => {
      if (at(one) >= 0 && at(other) >= 0) note(habits, habit, at(one) < at(other) ? `${one} first` : `${other} first`);
    };
    order('font', 'place', 'order of font and place');
    order('colour', 'font', 'order of colour and font');
  }
}

function mostOf(all: readonly Decimals[]): Decimals {
  return {
    written: Math.max(...all.map(({ written }) => written)),
    least: Math.max(...all.map(({ least }) => least)),
  };
}

function kindOf(token: Token): Next {
  if (isKeyword(token)) return 'an operator';
  return typeof token === 'number' ? 'a number' : 'another operand';
}
