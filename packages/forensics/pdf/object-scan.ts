import { latin } from './characters.ts';
import { dictionaryOf, entry, nameOf, numberOf, type PdfObject, referenceOf, type Value } from './objects.ts';
import { type Budget, BudgetSpent, budgetFor, isKeyword, readOr, Tokens } from './tokens.ts';

export const MAX_OBJECTS = 300_000;

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isSpace = (byte: number | undefined) =>
  byte !== undefined && (byte === 32 || (byte >= 9 && byte <= 13) || byte === 0);

/**
 * Reads indirect objects where they are, ignoring the cross-reference table. Linear in the length of the file: once the budget for
 * reading bytes repeatedly is spent, an object ends where the next one begins.
 */
export class ObjectScan {
  readonly bytes: Uint8Array;
  readonly #text: Buffer;
  readonly #budget: Budget;
  /** Resolves a stream length that is given as an indirect object. */
  readonly #lengthOf: (number: number) => number | undefined;
  /** The last search for `endstream`, so that no part of a file is searched twice. */
  #searched = { from: 0, found: -2 };

  constructor(bytes: Uint8Array, budget: Budget, lengthOf: (number: number) => number | undefined) {
    this.bytes = bytes;
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#budget = budget;
    this.#lengthOf = lengthOf;
  }

  /** The objects of the file in order, up to a limit, without those inside stream data. */
  all(): PdfObject[] {
    const found: PdfObject[] = [];
    for (let at = this.#text.indexOf('obj'); at >= 0 && found.length < MAX_OBJECTS; ) {
      const start = this.#startOf(at);
      const object = start === undefined ? undefined : this.at(start);
      if (object !== undefined) found.push(object);
      at = this.#text.indexOf('obj', object === undefined ? at + 3 : this.#after(object, at));
    }
    return found;
  }

  /** An unterminated object, such as a string without its closing bracket, must not swallow the objects after it. */
  #after(object: PdfObject, keyword: number): number {
    const isEnded = object.data !== undefined || latin(this.bytes, object.end - 6, object.end) === 'endobj';
    return isEnded ? Math.max(object.end, keyword + 3) : keyword + 3;
  }

  /** The offset of `12 0 obj`, given the offset of its `obj`. */
  #startOf(keyword: number): number | undefined {
    let at = keyword;
    for (let numbers = 0; numbers < 2; numbers++) {
      const end = at;
      while (at > 0 && end - at < 16 && isSpace(this.bytes[at - 1])) at--;
      if (at === end && numbers > 0) return undefined;
      const last = at;
      while (at > 0 && last - at < 10 && isDigit(this.bytes[at - 1])) at--;
      if (at === last) return undefined;
    }
    return at;
  }

  /** The object that begins at an offset. */
  at(offset: number): PdfObject | undefined {
    const head = this.#headAt(offset);
    if (head === undefined) return undefined;
    const start = offset + head[0].length;
    if (this.#budget.bytes >= 0) {
      try {
        return this.#read(head, offset, new Tokens(this.bytes, start, this.bytes.length, this.#budget));
      } catch (error) {
        if (!(error instanceof BudgetSpent)) throw error;
      }
    }
    const next = this.#text.indexOf('obj', start);
    const end = next < 0 ? this.bytes.length : next;
    return this.#read(head, offset, new Tokens(this.bytes, start, end, budgetFor(end - start)));
  }

  /** The value of an object that is only a number. Reads no more than its first bytes, so looking up a length never recurses. */
  numberAt(offset: number): { number: number; value: number } | undefined {
    const head = this.#headAt(offset);
    const start = offset + (head?.[0].length ?? 0);
    const value = /^[\s\0]{0,16}(\d{1,12})[\s\0]{1,16}(?![\s\0\d])/.exec(latin(this.bytes, start, start + 64))?.[1];
    return head === undefined || value === undefined ? undefined : { number: Number(head[1]), value: Number(value) };
  }

  #headAt(offset: number): RegExpExecArray | undefined {
    const beginning = latin(this.bytes, offset, offset + 64);
    return /^[\s\0]{0,8}(\d{1,10})[\s\0]{1,16}(\d{1,10})[\s\0]{0,16}obj/.exec(beginning) ?? undefined;
  }

  #read(head: RegExpExecArray, offset: number, tokens: Tokens): PdfObject {
    const first = tokens.next();
    const value: Value = first === undefined || isKeyword(first) ? null : first;
    const object: PdfObject = {
      number: Number(head[1]),
      generation: Number(head[2]),
      offset: offset + (head[0].length - head[0].trimStart().length),
      end: tokens.at,
      value,
    };
    if (!isKeyword(first)) this.#finish(object, tokens);
    return object;
  }

  #finish(object: PdfObject, tokens: Tokens): void {
    tokens.skip();
    if (dictionaryOf(object.value) !== undefined && latin(this.bytes, tokens.at, tokens.at + 6) === 'stream') {
      const start = this.#dataStart(tokens.at + 6);
      const end = this.#dataEnd(object.value, start);
      object.data = { start, end };
      tokens.at = end;
      tokens.skip();
      if (latin(this.bytes, tokens.at, tokens.at + 9) === 'endstream') tokens.at += 9;
      tokens.skip();
    }
    if (latin(this.bytes, tokens.at, tokens.at + 6) === 'endobj') tokens.at += 6;
    object.end = tokens.at;
  }

  #dataStart(after: number): number {
    let at = after;
    while (this.bytes[at] === 32) at++;
    if (this.bytes[at] === 13) at++;
    if (this.bytes[at] === 10) at++;
    return at;
  }

  #dataEnd(value: Value, start: number): number {
    const written = entry(value, 'Length');
    const reference = referenceOf(written);
    const length = reference === undefined ? numberOf(written) : this.#lengthOf(reference.number);
    if (length !== undefined && length >= 0 && Number.isInteger(length) && start + length <= this.bytes.length) {
      const behind = latin(this.bytes, start + length, start + length + 12);
      if (/^[\s\0]{0,3}endstream/.test(behind)) return start + length;
    }
    const found = this.#endstream(start);
    if (found < 0) return this.bytes.length;
    const lineBreak =
      this.bytes[found - 1] === 10 ? (this.bytes[found - 2] === 13 ? 2 : 1) : this.bytes[found - 1] === 13 ? 1 : 0;
    return Math.max(start, found - lineBreak);
  }

  #endstream(from: number): number {
    const { from: before, found } = this.#searched;
    if (found === -2 || from < before || (found >= 0 && found < from)) {
      this.#searched = { from, found: this.#text.indexOf('endstream', from) };
    }
    return this.#searched.found;
  }
}

/** The objects of an object stream (ISO 32000-1, 7.5.7), given its decoded data, up to where the budget is spent. */
export function objectsWithin(container: PdfObject, data: Uint8Array): PdfObject[] {
  const budget = budgetFor(data.length);
  const count = Math.min(MAX_OBJECTS, numberOf(entry(container.value, 'N')) ?? 0);
  const first = Math.max(0, Math.floor(numberOf(entry(container.value, 'First')) ?? 0));
  const head = new Tokens(data, 0, first, budget);
  const found: PdfObject[] = [];
  for (let index = 0; index < count; index++) {
    const number = readOr(head);
    const offset = readOr(head);
    if (typeof number !== 'number' || typeof offset !== 'number') break;
    const value = readOr(new Tokens(data, first + Math.max(0, Math.floor(offset)), data.length, budget));
    if (value === undefined || isKeyword(value)) continue;
    const { offset: start, end } = container;
    found.push({ number, generation: 0, offset: start, end, value, container });
  }
  return found;
}

export const isObjectStream = (object: PdfObject) => nameOf(entry(object.value, 'Type')) === 'ObjStm';
