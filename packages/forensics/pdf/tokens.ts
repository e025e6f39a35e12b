import { Unreadable } from '../model.ts';
import { hexDigit, isDelimiter, isDigit, isRegular, isSpace, latin } from './characters.ts';
import type { Dictionary, Value } from './objects.ts';

const DEPTH = 60;

/** An operator or keyword, such as `obj`, `stream`, `Tj`. */
interface Keyword {
  type: 'keyword';
  keyword: string;
}

export type Token = Value | Keyword;

export function isKeyword(token: Token | undefined): token is Keyword {
  return typeof token === 'object' && token !== null && !Array.isArray(token) && token.type === 'keyword';
}

/** Bytes that may still be read in total: bounds the cost of files that make the reader read the same bytes repeatedly. */
export interface Budget {
  bytes: number;
}

/** Enough to read this many bytes eight times. */
export function budgetFor(bytes: number): Budget {
  return { bytes: bytes * 8 + 1000 };
}

/** The budget is spent: the file makes the reader read the same bytes repeatedly. */
export class BudgetSpent extends Unreadable {}

/** The next value or keyword; also undefined once the budget is spent. */
export function readOr(tokens: Tokens): Token | undefined {
  try {
    return tokens.next();
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined;
    throw error;
  }
}

/** Reads values in sequence, and is as lenient about malformed ones as common readers. */
export class Tokens {
  readonly bytes: Uint8Array;
  at: number;
  readonly #end: number;
  readonly #budget: Budget;

  constructor(bytes: Uint8Array, at: number, end: number, budget: Budget) {
    this.bytes = bytes;
    this.at = at;
    this.#end = Math.min(end, bytes.length);
    this.#budget = budget;
  }

  /**
   * The next value or keyword; undefined at the end and at a closing bracket.
   * @throws BudgetSpent
   */
  next(depth = 0): Token | undefined {
    const before = this.at;
    const token = this.#read(depth);
    // Nested values have already been charged.
    const isNest = token !== null && typeof token === 'object' && (Array.isArray(token) || token.type === 'dictionary');
    this.#budget.bytes -= isNest ? 1 : this.at - before + 1;
    if (this.#budget.bytes < 0) throw new BudgetSpent('The file is built in a way that takes too long to read.');
    return token;
  }

  /** Skips whitespace and comments. */
  skip(): void {
    for (; this.at < this.#end; this.at++) {
      const byte = this.bytes[this.at];
      if (byte === 0x25) this.#comment();
      else if (!isSpace(byte)) return;
    }
  }

  #comment(): void {
    while (this.at + 1 < this.#end && this.bytes[this.at + 1] !== 10 && this.bytes[this.at + 1] !== 13) this.at++;
  }

  #read(depth: number): Token | undefined {
    this.skip();
    if (this.at >= this.#end) return undefined;
    const byte = this.bytes[this.at];
    if (byte === 0x2f) return { type: 'name', name: this.#name() };
    if (byte === 0x28) return this.#literal();
    if (byte === 0x3c) return this.bytes[this.at + 1] === 0x3c ? this.#dictionary(depth) : this.#hex();
    if (byte === 0x5b) return this.#list(depth);
    if (isDelimiter(byte)) return this.#stray();
    return this.#word();
  }

  /** Leaves a closing bracket to the caller that read the opening one; skips any other delimiter. */
  #stray(): Token | undefined {
    const byte = this.bytes[this.at];
    if (byte === 0x5d || byte === 0x3e) return undefined;
    this.at++;
    return { type: 'keyword', keyword: String.fromCharCode(byte ?? 0) };
  }

  #word(): Token {
    const start = this.at;
    while (this.at < this.#end && isRegular(this.bytes[this.at])) this.at++;
    const word = latin(this.bytes, start, Math.min(this.at, start + 64));
    const first = word.charCodeAt(0);
    if (isDigit(first) || first === 0x2b || first === 0x2d || first === 0x2e) return this.#number(word);
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    return { type: 'keyword', keyword: word };
  }

  #number(word: string): Value {
    const value = Number(word);
    if (Number.isInteger(value) && value >= 0 && isDigit(word.charCodeAt(0))) {
      const generation = this.#reference();
      if (generation !== undefined) return { type: 'reference', number: value, generation };
    }
    return Number.isFinite(value) ? value : Number.parseFloat(word) || 0;
  }

  /** Reads the rest of `12 0 R` after the 12, and returns the generation. */
  #reference(): number | undefined {
    let at = this.at;
    while (isSpace(this.bytes[at]) && at < this.at + 8) at++;
    const start = at;
    while (isDigit(this.bytes[at]) && at < start + 6) at++;
    if (at === start) return undefined;
    const generation = latin(this.bytes, start, at);
    const space = at;
    while (isSpace(this.bytes[at]) && at < space + 8) at++;
    if (at === space || this.bytes[at] !== 0x52 || isRegular(this.bytes[at + 1])) return undefined;
    this.at = at + 1;
    return Number(generation);
  }

  #name(): string {
    const start = ++this.at;
    while (this.at < this.#end && isRegular(this.bytes[this.at])) this.at++;
    const name = latin(this.bytes, start, Math.min(this.at, start + 256));
    return name.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }

  #literal(): Value {
    const start = this.at++;
    const out: number[] = [];
    for (let open = 1; this.at < this.#end; this.at++) {
      const byte = this.bytes[this.at] ?? 0;
      if (byte === 0x28) open++;
      if (byte === 0x29 && --open === 0) break;
      if (byte === 0x5c) this.#escape(out);
      else out.push(byte);
    }
    this.at++;
    return { type: 'text', bytes: new Uint8Array(out), hex: false, start, end: this.at };
  }

  #escape(out: number[]): void {
    const byte = this.bytes[++this.at] ?? 0;
    const known = ESCAPES.get(byte);
    if (known !== undefined) out.push(known);
    else if (byte === 13 && this.bytes[this.at + 1] === 10) this.at++;
    else if (byte >= 0x30 && byte <= 0x37) out.push(this.#octal());
    else if (byte !== 10 && byte !== 13) out.push(byte);
  }

  #octal(): number {
    let value = 0;
    for (let digits = 0; digits < 3; digits++) {
      const byte = this.bytes[this.at] ?? 0;
      if (byte < 0x30 || byte > 0x37) break;
      value = value * 8 + byte - 0x30;
      this.at++;
    }
    this.at--;
    return value & 255;
  }

  #hex(): Value {
    const start = this.at++;
    const digits: number[] = [];
    for (; this.at < this.#end && this.bytes[this.at] !== 0x3e; this.at++) {
      const digit = hexDigit(this.bytes[this.at] ?? 0);
      if (digit >= 0) digits.push(digit);
    }
    this.at++;
    const bytes = new Uint8Array((digits.length + 1) >> 1);
    for (let index = 0; index < digits.length; index++) {
      const digit = digits[index] ?? 0;
      bytes[index >> 1] = (bytes[index >> 1] ?? 0) | (index % 2 === 0 ? digit << 4 : digit);
    }
    return { type: 'text', bytes, hex: true, start, end: this.at };
  }

  #list(depth: number): Value {
    this.at++;
    const list: Value[] = [];
    while (depth < DEPTH) {
      const token = this.next(depth + 1);
      if (token === undefined) break;
      if (!isKeyword(token)) list.push(token);
      else if (this.#ends(token)) return list;
    }
    if (this.bytes[this.at] === 0x5d) this.at++;
    return list;
  }

  #dictionary(depth: number): Dictionary {
    this.at += 2;
    const entries = new Map<string, Value>();
    let key: string | undefined;
    while (depth < DEPTH) {
      const token = this.next(depth + 1);
      if (token === undefined) break;
      if (isKeyword(token)) {
        if (this.#ends(token)) return { type: 'dictionary', entries };
        continue;
      }
      if (key === undefined) key = nameIn(token);
      else {
        entries.set(key, token);
        key = undefined;
      }
    }
    if (this.bytes[this.at] === 0x3e) this.at += this.bytes[this.at + 1] === 0x3e ? 2 : 1;
    return { type: 'dictionary', entries };
  }

  /** An unclosed list or dictionary ends with its object. */
  #ends({ keyword }: Keyword): boolean {
    if (keyword !== 'endobj' && keyword !== 'stream') return false;
    this.at -= keyword.length;
    return true;
  }
}

const ESCAPES = new Map(
  Object.entries({ n: 10, r: 13, t: 9, b: 8, f: 12, '(': 40, ')': 41, '\\': 92 }).map(([key, byte]) => [
    key.charCodeAt(0),
    byte,
  ]),
);

function nameIn(value: Value): string | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && value.type === 'name'
    ? value.name
    : undefined;
}
