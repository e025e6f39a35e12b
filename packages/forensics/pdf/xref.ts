import { latin } from './characters.ts';
import { type Dictionary, dictionaryOf, listOf, nameOf, numberOf, type PdfObject, type Value } from './objects.ts';
import { sectionAt } from './revisions.ts';
import { type Budget, BudgetSpent, isKeyword, Tokens } from './tokens.ts';

/** Where an object is: at an offset as written in the file, in an object stream, or deleted. */
export type Place =
  | { in: 'file'; offset: number; generation: number }
  | { in: 'stream'; stream: number; index: number }
  | { in: 'nothing' };

/** A cross-reference section (ISO 32000-1, 7.5.4 and 7.5.8). */
export interface Section {
  kind: 'table' | 'stream';
  /** The offset where it begins. */
  offset: number;
  places: Map<number, Place>;
  trailer: Dictionary;
  /** First object number and count of each subsection, as written. */
  subsections: [number, number][];
}

const SECTIONS = 1000;
const ENTRIES = 1_000_000;

/** What reading a section requires. */
interface XrefReader {
  bytes: Uint8Array;
  budget: Budget;
  /** Added to offsets written in the file. */
  base: number;
  /** The object that begins at an offset, if any. */
  objectAt(offset: number): PdfObject | undefined;
  decode(object: PdfObject): Uint8Array | undefined;
  /** Sections already read, by offset: later revisions continue earlier sections. */
  known: Map<number, Section | undefined>;
}

/** A section and those that it continues, newest first; loops are cut. Empty if there is none at the offset. */
export function sectionsFrom(reader: XrefReader, offset: number): Section[] {
  const sections: Section[] = [];
  const seen = new Set<number>();
  const waiting = [offset];
  let entries = 0;
  while (waiting.length > 0 && sections.length < SECTIONS && entries < ENTRIES) {
    const at = waiting.shift() ?? 0;
    if (seen.has(at)) continue;
    seen.add(at);
    const section = reader.known.has(at) ? reader.known.get(at) : readSection(reader, at);
    reader.known.set(at, section);
    if (section === undefined) continue;
    sections.push(section);
    entries += section.places.size;
    // The stream of a hybrid file takes precedence over the section that the table continues.
    for (const key of ['XRefStm', 'Prev']) {
      const next = place(reader, numberOf(section.trailer.entries.get(key)));
      if (next !== undefined) waiting.push(next);
    }
  }
  return sections;
}

function place({ bytes, base }: XrefReader, offset: number | undefined): number | undefined {
  if (offset === undefined) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return sectionAt(text, offset + base) ?? sectionAt(text, offset);
}

/** A section that takes too long to read counts as broken. */
function readSection(reader: XrefReader, offset: number): Section | undefined {
  if (latin(reader.bytes, offset, offset + 4) !== 'xref') return readStream(reader, offset);
  try {
    return readTable(reader, offset);
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined;
    throw error;
  }
}

function readTable({ bytes, budget }: XrefReader, offset: number): Section | undefined {
  const places = new Map<number, Place>();
  const subsections: [number, number][] = [];
  const tokens = new Tokens(bytes, offset + 4, bytes.length, budget);
  for (;;) {
    const first = tokens.next();
    if (isKeyword(first)) {
      const trailer = first.keyword === 'trailer' ? tokens.next() : undefined;
      if (trailer === undefined || isKeyword(trailer)) return undefined;
      const dictionary = dictionaryOf(trailer);
      return dictionary && { kind: 'table', offset, places, trailer: dictionary, subsections };
    }
    const count = tokens.next();
    if (typeof first !== 'number' || typeof count !== 'number') return undefined;
    subsections.push([first, count]);
    for (let index = 0; index < count && places.size < ENTRIES; index++) {
      const row = readRow(tokens, first + index, places);
      if (row === 'broken') return undefined;
      if (row === 'over') break;
    }
  }
}

/** A table may announce more rows than it has. */
function readRow(tokens: Tokens, number: number, places: Map<number, Place>): 'read' | 'over' | 'broken' {
  const before = tokens.at;
  const offset = tokens.next();
  if (isKeyword(offset) && offset.keyword === 'trailer') {
    tokens.at = before;
    return 'over';
  }
  const generation = tokens.next();
  const use = tokens.next();
  if (typeof offset !== 'number' || typeof generation !== 'number' || !isKeyword(use)) return 'broken';
  if (use.keyword === 'n' && offset > 0) places.set(number, { in: 'file', offset, generation });
  else places.set(number, { in: 'nothing' });
  return 'read';
}

function readStream(reader: XrefReader, offset: number): Section | undefined {
  const object = reader.objectAt(offset);
  const trailer = dictionaryOf(object?.value);
  if (object === undefined || trailer === undefined || nameOf(trailer.entries.get('Type')) !== 'XRef') return undefined;
  const data = reader.decode(object);
  const widths = listOf(trailer.entries.get('W'))?.map((width) => numberOf(width) ?? 0) ?? [];
  if (data === undefined || widths.length < 3) return undefined;
  const subsections = pairs(listOf(trailer.entries.get('Index')) ?? [0, trailer.entries.get('Size') ?? 0]);
  return { kind: 'stream', offset, places: readRows(data, widths, subsections), trailer, subsections };
}

function pairs(list: Value[]): [number, number][] {
  const found: [number, number][] = [];
  for (let index = 0; index + 1 < list.length && found.length < 100_000; index += 2) {
    found.push([numberOf(list[index]) ?? 0, numberOf(list[index + 1]) ?? 0]);
  }
  return found;
}

function readRows(data: Uint8Array, widths: number[], subsections: [number, number][]): Map<number, Place> {
  const places = new Map<number, Place>();
  const [first = 0, second = 0, third = 0] = widths.map((width) => Math.min(8, Math.max(0, Math.floor(width))));
  const row = first + second + third;
  let at = 0;
  for (const [start, count] of subsections) {
    for (let index = 0; index < count && row > 0 && at + row <= data.length && places.size < ENTRIES; index++) {
      const kind = first === 0 ? 1 : whole(data, at, first);
      const middle = whole(data, at + first, second);
      const last = whole(data, at + first + second, third);
      places.set(start + index, placeOf(kind, middle, last));
      at += row;
    }
  }
  return places;
}

function placeOf(kind: number, middle: number, last: number): Place {
  if (kind === 1) return { in: 'file', offset: middle, generation: last };
  return kind === 2 ? { in: 'stream', stream: middle, index: last } : { in: 'nothing' };
}

function whole(data: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let index = at; index < at + width; index++) value = value * 256 + (data[index] ?? 0);
  return value;
}
