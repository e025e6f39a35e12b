import { Unreadable } from '../model.ts';
import { type Decryption, decryptionOf } from './encryption.ts';
import { isObjectStream, MAX_OBJECTS, ObjectScan, objectsWithin } from './object-scan.ts';
import {
  type Dictionary,
  dictionaryOf,
  emptyDictionary,
  entry,
  listOf,
  nameOf,
  type PdfObject,
  textOf,
  type Value,
} from './objects.ts';
import { type Revision, revisionsOf } from './revisions.ts';
import { DECODED_A_FILE, decodeStream } from './streams.ts';
import { budgetFor, isKeyword, readOr, Tokens } from './tokens.ts';
import { View } from './view.ts';
import { type Section, sectionsFrom } from './xref.ts';

/**
 * The structure of a PDF as read by our own lenient reader: every object in the file, reachable or not, and the state of the
 * file in each revision.
 */
export interface Structure {
  bytes: Uint8Array;
  header: { offset: number; version: string };
  linearised: boolean;
  /** True for an encrypted file that opens without a password; texts and decoded streams are decrypted. */
  encrypted: boolean;
  revisions: Revision[];
  /** In the order of the file; objects in an object stream follow that stream. */
  objects: PdfObject[];
  /** The view of the last revision. */
  current: View;
  /** One for each of `revisions`; the last is `current`. */
  views: View[];
  /** A stream's decoded data; undefined without data, for picture and unknown filters, and if corrupt. @throws Unreadable */
  decoded(object: PdfObject): Uint8Array | undefined;
}

const known = new WeakMap<Uint8Array, Structure | Unreadable>();
const VIEWS = 60;

/** Cached by byte array. @throws Unreadable if the file is no PDF, too large, or encrypted and cannot be opened */
export function structureOf(bytes: Uint8Array): Structure {
  const before = known.get(bytes) ?? readOnce(bytes);
  if (before instanceof Unreadable) throw before;
  return before;
}

function readOnce(bytes: Uint8Array): Structure | Unreadable {
  let result: Structure | Unreadable;
  try {
    result = new Reading(bytes).structure();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    result = error;
  }
  known.set(bytes, result);
  return result;
}

class Reading {
  readonly #bytes: Uint8Array;
  readonly #text: Buffer;
  readonly #sectionBudget: { bytes: number };
  readonly #decodeBudget = { bytes: DECODED_A_FILE };
  readonly #charged = new WeakSet<PdfObject>();
  readonly #scan: ObjectScan;
  readonly #header: { offset: number; version: string };
  readonly #read = new Map<number, Section | undefined>();
  /** Known before the objects, so that stream lengths can be looked up. */
  #sections: Section[] = [];
  #decryption: Decryption | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#sectionBudget = budgetFor(bytes.length + 500_000);
    this.#header = this.#readHeader();
    this.#scan = new ObjectScan(bytes, budgetFor(bytes.length + 500_000), (number) => this.#lengthOf(number));
  }

  structure(): Structure {
    const revisions = revisionsOf(this.#bytes);
    const newest = revisions.at(-1);
    // Newest first: the cost of older revisions must not keep the newest from being read.
    const chains = revisions
      .slice(-VIEWS)
      .map((revision, index, all) => ({ revision, before: all[index - 1] }))
      .reverse()
      .map(({ revision, before }) => ({ revision, sections: this.#sectionsOf(revision, before) }))
      .reverse();
    this.#sections = chains.findLast(({ sections }) => sections.length > 0)?.sections ?? [];
    const top = this.#standing();
    this.#unlock(top);
    const objects = this.#withStreams(top);
    if (objects.length === 0 || newest === undefined) throw new Unreadable('The file holds nothing of a PDF.');
    const byNumber = Map.groupBy(objects, ({ number }) => number);
    const views = chains.map(({ revision, sections }) => {
      const trailer = sections[0]?.trailer ?? this.#trailerBefore(objects, revision.end);
      return new View(byNumber, sections, trailer, revision.end, this.#header.offset);
    });
    const read = views.at(-1);
    const current = read && (this.#rebuilt(read, byNumber, objects) ?? read);
    if (current !== undefined) views[views.length - 1] = current;
    if (current === undefined) throw new Unreadable('The file holds nothing of a PDF.');
    return {
      bytes: this.#bytes,
      header: this.#header,
      linearised: entry(top[0]?.value, 'Linearized') !== undefined,
      encrypted: this.#decryption !== undefined,
      revisions: revisions.slice(-VIEWS),
      objects,
      current,
      views,
      decoded: (object) => this.#decode(object, (value) => current.resolve(value)),
    };
  }

  /** As viewers do where the cross-reference leads to no page: the last object of each number counts. */
  #rebuilt(read: View, byNumber: Map<number, PdfObject[]>, objects: PdfObject[]): View | undefined {
    if (read.pages().length > 0) return undefined;
    const trailer = this.#trailerBefore(objects, read.end);
    const view = new View(byNumber, [], trailer, read.end, this.#header.offset);
    return view.pages().length > 0 ? view : undefined;
  }

  /** All objects. If a file has too many: the first ones, and later ones that its sections refer to. */
  #standing(): PdfObject[] {
    const first = this.#scan.all();
    if (first.length < MAX_OBJECTS) return first;
    const last = first.at(-1)?.offset ?? 0;
    const offsets = new Set<number>();
    for (const { places } of this.#sections)
      for (const place of places.values())
        if (place.in === 'file' && offsets.size < MAX_OBJECTS) offsets.add(place.offset + this.#header.offset);
    const later = [...offsets].filter((offset) => offset > last).sort((a, b) => a - b);
    return [...first, ...later.flatMap((offset) => this.#scan.at(offset) ?? [])];
  }

  #readHeader() {
    const beginning = this.#text.toString('latin1', 0, 1024 + 16);
    const found = /%PDF-(\d\.\d)?/.exec(beginning);
    return { offset: found?.index ?? 0, version: found?.[1] ?? '' };
  }

  /** Bytes after the last marker without a `startxref` leave the previous cross-reference in force for readers. */
  #sectionsOf({ xref: own, start }: Revision, before: Revision | undefined): Section[] {
    const xref = own ?? (this.#text.indexOf('startxref', start) < 0 ? before?.xref : undefined);
    if (xref === undefined) return [];
    return sectionsFrom(
      {
        bytes: this.#bytes,
        budget: this.#sectionBudget,
        base: this.#header.offset,
        objectAt: (offset) => this.#scan.at(offset),
        decode: (object) => this.#decodeAlone(object),
        known: this.#read,
      },
      xref,
    );
  }

  #decode(object: PdfObject, resolve: (value: Value | undefined) => Value | undefined): Uint8Array | undefined {
    const dictionary = dictionaryOf(object.value);
    if (object.data === undefined || dictionary === undefined) return undefined;
    const data = this.#bytes.subarray(object.data.start, object.data.end);
    const budget = this.#charged.has(object) ? { bytes: DECODED_A_FILE } : this.#decodeBudget;
    this.#charged.add(object);
    return decodeStream(this.#decryption?.data(object, data) ?? data, dictionary, resolve, budget);
  }

  /** For streams needed before the structure exists: one that cannot be decoded is skipped and does not affect others. */
  #decodeAlone(object: PdfObject): Uint8Array | undefined {
    try {
      return this.#decode(object, (value) => value);
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  #lengthOf(number: number): number | undefined {
    for (const { places } of this.#sections) {
      const place = places.get(number);
      if (place === undefined) continue;
      if (place.in !== 'file') return undefined;
      for (const offset of [place.offset + this.#header.offset, place.offset]) {
        const found = this.#scan.numberAt(offset);
        if (found?.number === number) return found.value;
      }
      return undefined;
    }
    return undefined;
  }

  #unlock(top: PdfObject[]): void {
    const trailer = this.#sections[0]?.trailer ?? this.#trailerBefore(top, this.#bytes.length);
    const standing = Map.groupBy(top, ({ number }) => number);
    const view = new View(standing, this.#sections, trailer, this.#bytes.length, this.#header.offset);
    const written = trailer.entries.get('Encrypt');
    const object = view.referred(written);
    const dictionary = dictionaryOf(object?.value ?? written);
    if (dictionary === undefined) return;
    const id = textOf(view.resolve(listOf(view.get(trailer, 'ID'))?.[0]));
    this.#decryption = decryptionOf(dictionary, id?.bytes ?? new Uint8Array(0));
    for (const other of top) if (other !== object) this.#decryption.texts(other);
  }

  /** Reads object streams named in the cross-reference first, in case there are too many objects. */
  #withStreams(top: PdfObject[]): PdfObject[] {
    const named = new Set<number>();
    for (const { places } of this.#sections)
      for (const place of places.values()) if (place.in === 'stream') named.add(place.stream);
    const streams = Map.groupBy(top.filter(isObjectStream), ({ number }) => named.has(number));
    const within = new Map<PdfObject, PdfObject[]>();
    let count = 0;
    for (const stream of [...(streams.get(true) ?? []), ...(streams.get(false) ?? [])]) {
      if (count > MAX_OBJECTS) break;
      const data = this.#decodeAlone(stream);
      const objects = data === undefined ? [] : objectsWithin(stream, data);
      count += objects.length;
      within.set(stream, objects);
    }
    return top.flatMap((object) => [object, ...(within.get(object) ?? [])]);
  }

  /** For a file without a usable cross-reference: the last trailer before `end`, or else the last cross-reference stream or catalog. */
  #trailerBefore(objects: PdfObject[], end: number): Dictionary {
    for (let at = this.#text.lastIndexOf('trailer', end), tries = 0; at >= 0 && tries < 20; tries++) {
      const value = readOr(new Tokens(this.#bytes, at + 7, end, budgetFor(500_000)));
      if (value !== undefined && !isKeyword(value) && entry(value, 'Root') !== undefined)
        return dictionaryOf(value) ?? emptyDictionary;
      at = at === 0 ? -1 : this.#text.lastIndexOf('trailer', at - 1);
    }
    const last = (type: string) =>
      objects.findLast((object) => object.end <= end && nameOf(entry(object.value, 'Type')) === type);
    const stream = dictionaryOf(last('XRef')?.value);
    if (stream !== undefined) return stream;
    const catalog = last('Catalog');
    if (catalog === undefined) return emptyDictionary;
    const { number, generation } = catalog;
    return { type: 'dictionary', entries: new Map([['Root', { type: 'reference', number, generation }]]) };
  }
}
