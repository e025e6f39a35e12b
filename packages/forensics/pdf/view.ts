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
/** How far an offset in a table may be off, for example after a change of line breaks. */
const SLACK = 32;

/** Which object each number refers to, for a reader that knows the bytes of the file up to `end`. */
export class View {
  readonly trailer: Dictionary;
  /** The offset after the last byte that counts. */
  readonly end: number;
  /** Newest first; empty if no cross-reference can be read. */
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

  /** Follows references, up to a limit. */
  resolve(value: Value | undefined): Value | undefined {
    let current = value;
    for (let step = 0; step < STEPS; step++) {
      const reference = referenceOf(current);
      if (reference === undefined) return current;
      current = this.object(reference.number)?.value;
    }
    return undefined;
  }

  /** A resolved entry of a dictionary or of a reference to one. */
  get(value: Value | undefined, key: string): Value | undefined {
    return this.resolve(entry(this.resolve(value), key));
  }

  dictionary(value: Value | undefined, key: string): Dictionary | undefined {
    return dictionaryOf(this.get(value, key));
  }

  list(value: Value | undefined, key: string): Value[] {
    return listOf(this.get(value, key)) ?? [];
  }

  /** The object that a chain of references ends at; undefined for a direct value. */
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

  /** The page objects in order; only some of a tree that is too large or has loops. */
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

  /** An entry of a page, or inherited from a node above it (ISO 32000-1, 7.7.3.4), unresolved. */
  inherited(page: PdfObject, key: string): Value | undefined {
    let node: Value | undefined = page.value;
    for (let level = 0; level < STEPS && node !== undefined; level++) {
      const own = entry(node, key);
      if (own !== undefined) return own;
      node = this.get(node, 'Parent');
    }
    return undefined;
  }

  /** All objects that can be reached from the trailer, and the object streams that contain them. */
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
    // A reader that finds no cross-reference takes the last object of each number.
    return this.sections.length === 0 ? candidates.at(-1) : undefined;
  }

  #within(candidates: PdfObject[], stream: number): PdfObject | undefined {
    const container = this.#standing(stream);
    return candidates.findLast((candidate) => candidate.container !== undefined && candidate.container === container);
  }

  /** Object streams are never nested (ISO 32000-1, 7.5.7), so this lookup does not recurse. */
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
