import { Unreadable } from '../model.ts';
import { type Decryption, decryptionOf } from './encryption.ts';
import { isObjectStream, MOST_OBJECTS, ObjectScan, objectsWithin } from './object-scan.ts';
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
 * How a PDF is put together, read by our own lenient reader: every object that stands in the file, reached or not, and what
 * the file was in each of its revisions.
 */
export interface Structure {
  bytes: Uint8Array;
  header: { offset: number; version: string };
  linearised: boolean;
  /** Such a file still opens without a password, and everything here is decrypted. */
  encrypted: boolean;
  revisions: Revision[];
  /** In the order of the file; those in object streams right behind their stream. */
  objects: PdfObject[];
  /** The last revision. */
  current: View;
  /** The file as it was in each revision; the last is `current`. */
  views: View[];
  /** What a stream stands for; undefined without data, where a filter is one of pictures or unknown. @throws Unreadable */
  decoded(object: PdfObject): Uint8Array | undefined;
}

const known = new WeakMap<Uint8Array, Structure | Unreadable>();
const VIEWS = 60;

/** Reads once for the same bytes. @throws Unreadable for what is no PDF, too large or locked by a password */
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
  /** Found before all objects are, so that lengths of streams can be looked up. */
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
    // The newest first: what older ones cost must not keep it from being read.
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
    const current = views.at(-1);
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

  /** All objects; of a file with too many, those after the limit to which its sections refer. */
  #standing(): PdfObject[] {
    const first = this.#scan.all();
    if (first.length < MOST_OBJECTS) return first;
    const last = first.at(-1)?.offset ?? 0;
    const offsets = new Set<number>();
    for (const { places } of this.#sections)
      for (const place of places.values())
        if (place.in === 'file' && offsets.size < MOST_OBJECTS) offsets.add(place.offset + this.#header.offset);
    const later = [...offsets].filter((offset) => offset > last).sort((a, b) => a - b);
    return [...first, ...later.flatMap((offset) => this.#scan.at(offset) ?? [])];
  }

  #readHeader() {
    const beginning = this.#text.toString('latin1', 0, 1024 + 16);
    const found = /%PDF-(\d\.\d)?/.exec(beginning);
    return { offset: found?.index ?? 0, version: found?.[1] ?? '' };
  }

  /** What stands behind the last marker and says nothing of where its sections are changes nothing of what readers follow. */
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

  /** For what is read before the file is: a stream that cannot be decoded is passed, and harms no other. */
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

  /** Those in object streams that the cross-reference names come first, should there be too many. */
  #withStreams(top: PdfObject[]): PdfObject[] {
    const named = new Set<number>();
    for (const { places } of this.#sections)
      for (const place of places.values()) if (place.in === 'stream') named.add(place.stream);
    const streams = Map.groupBy(top.filter(isObjectStream), ({ number }) => named.has(number));
    const within = new Map<PdfObject, PdfObject[]>();
    let count = 0;
    for (const stream of [...(streams.get(true) ?? []), ...(streams.get(false) ?? [])]) {
      if (count > MOST_OBJECTS) break;
      const data = this.#decodeAlone(stream);
      const objects = data === undefined ? [] : objectsWithin(stream, data);
      count += objects.length;
      within.set(stream, objects);
    }
    return top.flatMap((object) => [object, ...(within.get(object) ?? [])]);
  }

  /** For a file whose cross-reference leads nowhere: the last trailer before its end, or else the catalog itself. */
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
