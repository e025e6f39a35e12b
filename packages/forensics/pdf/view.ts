import {
  type Dictionary,
  dictionaryOf,
  entry,
  listOf,
  nameOf,
  type PdfObject,
  referenceOf,
  type Value,
} from './objects.ts';
import type { Section } from './xref.ts';

const PAGES = 5000;
const STEPS = 32;
/** How far an offset in a table may be off, as after a change of line breaks. */
const SLACK = 32;

/** What a reader of the file sees that knows its bytes up to some end: which object each number stands for. */
export class View {
  readonly trailer: Dictionary;
  /** After the last byte that counts. */
  readonly end: number;
  /** Newest first; empty where the cross-reference leads nowhere. */
  readonly sections: readonly Section[];
  readonly #base: number;
  readonly #byNumber: Map<number, PdfObject[]>;
  readonly #found = new Map<number, PdfObject | undefined>();

  constructor(objects: Map<number, PdfObject[]>, sections: Section[], trailer: Dictionary, end: number, base: number) {
    this.#byNumber = objects;
    this.sections = sections;
    this.trailer = trailer;
    this.end = end;
    this.#base = base;
  }

  object(number: number): PdfObject | undefined {
    if (!this.#found.has(number)) this.#found.set(number, this.#find(number));
    return this.#found.get(number);
  }

  /** What a value stands for, through references, a bounded number of steps. */
  resolve(value: Value | undefined): Value | undefined {
    let current = value;
    for (let step = 0; step < STEPS; step++) {
      const reference = referenceOf(current);
      if (reference === undefined) return current;
      current = this.object(reference.number)?.value;
    }
    return undefined;
  }

  /** An entry of a dictionary, or of what a reference stands for, resolved. */
  get(value: Value | undefined, key: string): Value | undefined {
    return this.resolve(entry(this.resolve(value), key));
  }

  dictionary(value: Value | undefined, key: string): Dictionary | undefined {
    return dictionaryOf(this.get(value, key));
  }

  list(value: Value | undefined, key: string): Value[] {
    return listOf(this.get(value, key)) ?? [];
  }

  /** The object that an entry refers to. */
  referred(value: Value | undefined): PdfObject | undefined {
    let object: PdfObject | undefined;
    let current = value;
    for (let step = 0; step < STEPS; step++) {
      const reference = referenceOf(current);
      if (reference === undefined) return object;
      object = this.object(reference.number);
      current = object?.value;
    }
    return undefined;
  }

  get catalog(): Dictionary | undefined {
    return this.dictionary(this.trailer, 'Root');
  }

  /** The objects of the pages in their order; of a tree that is too large or loops, a part. */
  pages(): PdfObject[] {
    const pages: PdfObject[] = [];
    const seen = new Set<PdfObject>();
    const waiting: (Value | undefined)[] = [entry(this.catalog, 'Pages')];
    while (waiting.length > 0 && pages.length < PAGES) {
      const object = this.referred(waiting.pop());
      if (object === undefined || seen.has(object)) continue;
      seen.add(object);
      const kids = listOf(this.resolve(entry(object.value, 'Kids')));
      if (kids === undefined || nameOf(entry(object.value, 'Type')) === 'Page') pages.push(object);
      else for (let index = kids.length - 1; index >= 0; index--) waiting.push(kids[index]);
    }
    return pages;
  }

  /** All objects that can be reached from the trailer. */
  reachable(): Set<PdfObject> {
    const reached = new Set<PdfObject>();
    const waiting: Value[] = [this.trailer];
    while (waiting.length > 0) {
      const value = waiting.pop();
      const reference = referenceOf(value);
      const object = reference && this.object(reference.number);
      if (object !== undefined && !reached.has(object)) {
        reached.add(object);
        if (object.container !== undefined) reached.add(object.container);
        waiting.push(object.value);
      } else if (Array.isArray(value)) for (const item of value) waiting.push(item);
      else for (const item of dictionaryOf(value)?.entries.values() ?? []) waiting.push(item);
    }
    return reached;
  }

  #find(number: number): PdfObject | undefined {
    const candidates = this.#byNumber.get(number)?.filter(({ offset }) => offset < this.end) ?? [];
    for (const { places } of this.sections) {
      const place = places.get(number);
      if (place === undefined) continue;
      if (place.in === 'nothing') return undefined;
      if (place.in === 'stream') return this.#within(candidates, place.stream) ?? candidates.at(-1);
      return this.#near(candidates, place.offset) ?? candidates.at(-1);
    }
    // A reader that finds no table at all takes the last object of each number.
    return this.sections.length === 0 ? candidates.at(-1) : undefined;
  }

  #within(candidates: PdfObject[], stream: number): PdfObject | undefined {
    const container = this.#standing(stream);
    return candidates.findLast((candidate) => candidate.container !== undefined && candidate.container === container);
  }

  /** An object stream lies in no other (ISO 32000-1, 7.5.7), so that looking for one never leads on to a third. */
  #standing(number: number): PdfObject | undefined {
    const candidates = this.#byNumber.get(number)?.filter(({ offset }) => offset < this.end) ?? [];
    const place = this.sections.find(({ places }) => places.has(number))?.places.get(number);
    const last = candidates.findLast(({ container }) => container === undefined);
    return place?.in === 'file' ? (this.#near(candidates, place.offset) ?? last) : undefined;
  }

  #near(candidates: PdfObject[], written: number): PdfObject | undefined {
    const direct = candidates.filter(({ container }) => container === undefined);
    for (const offset of [written + this.#base, written]) {
      const exact = direct.find((candidate) => candidate.offset === offset);
      if (exact !== undefined) return exact;
    }
    const distance = ({ offset }: PdfObject) => Math.abs(offset - written - this.#base);
    return direct.filter((candidate) => distance(candidate) <= SLACK).sort((a, b) => distance(a) - distance(b))[0];
  }
}
