import { Unreadable } from '../model.ts';
import { type Decryption, decryptionOf } from './encryption.ts';
import { isObjectStream, ObjectScan, objectsWithin } from './object-scan.ts';
import {
  type Dictionary,
  dictionaryOf,
  emptyDictionary,
  entry,
  listOf,
  nameOf,
  numberOf,
  type PdfObject,
  referenceOf,
  textOf,
  type Value,
} from './objects.ts';
import { type Revision, revisionsOf } from './revisions.ts';
import { DECODED_A_FILE, decodeStream } from './streams.ts';
import { isKeyword, Tokens } from './tokens.ts';
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
  readonly #budget: { bytes: number };
  readonly #decodeBudget = { bytes: DECODED_A_FILE };
  readonly #scan: ObjectScan;
  readonly #header: { offset: number; version: string };
  readonly #read = new Map<number, Section | undefined>();
  /** Found before all objects are, so that lengths of streams can be looked up. */
  #sections: Section[] = [];
  #decryption: Decryption | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#budget = { bytes: bytes.length * 8 + 4_000_000 };
    this.#header = this.#readHeader();
    this.#scan = new ObjectScan(bytes, this.#budget, (number) => this.#lengthOf(number));
  }

  structure(): Structure {
    const revisions = revisionsOf(this.#bytes);
    const newest = revisions.at(-1);
    const chains = revisions.slice(-VIEWS).map((revision) => ({ revision, sections: this.#sectionsOf(revision) }));
    this.#sections = chains.findLast(({ sections }) => sections.length > 0)?.sections ?? [];
    const top = this.#scan.all();
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

  #readHeader() {
    const beginning = this.#text.toString('latin1', 0, 1024 + 16);
    const found = /%PDF-(\d\.\d)?/.exec(beginning);
    return { offset: found?.index ?? 0, version: found?.[1] ?? '' };
  }

  #sectionsOf({ xref }: Revision): Section[] {
    if (xref === undefined) return [];
    return sectionsFrom(
      {
        bytes: this.#bytes,
        budget: this.#budget,
        base: this.#header.offset,
        objectAt: (offset) => this.#scan.at(offset),
        decode: (object) => this.#decode(object, (value) => value),
        known: this.#read,
      },
      xref,
    );
  }

  #decode(object: PdfObject, resolve: (value: Value | undefined) => Value | undefined): Uint8Array | undefined {
    const dictionary = dictionaryOf(object.value);
    if (object.data === undefined || dictionary === undefined) return undefined;
    const data = this.#bytes.subarray(object.data.start, object.data.end);
    return decodeStream(this.#decryption?.data(object, data) ?? data, dictionary, resolve, this.#decodeBudget);
  }

  #lengthOf(number: number): number | undefined {
    for (const { places } of this.#sections) {
      const place = places.get(number);
      if (place === undefined) continue;
      if (place.in !== 'file') return undefined;
      for (const offset of [place.offset + this.#header.offset, place.offset]) {
        const object = this.#scan.at(offset);
        if (object?.number === number) return numberOf(object.value);
      }
      return undefined;
    }
    return undefined;
  }

  /** Among objects of the same number the last counts, because the newest save decides. */
  #unlock(top: PdfObject[]): void {
    const trailer = this.#sections[0]?.trailer ?? this.#trailerBefore(top, this.#bytes.length);
    const written = trailer.entries.get('Encrypt');
    const number = referenceOf(written)?.number;
    const object = top.findLast((candidate) => candidate.number === number);
    const dictionary = dictionaryOf(object?.value ?? written);
    if (dictionary === undefined) return;
    this.#decryption = decryptionOf(
      dictionary,
      textOf(listOf(trailer.entries.get('ID'))?.[0])?.bytes ?? new Uint8Array(0),
    );
    for (const other of top) if (other.number !== number) this.#decryption.texts(other);
  }

  #withStreams(top: PdfObject[]): PdfObject[] {
    return top.flatMap((object) => {
      if (!isObjectStream(object)) return [object];
      const data = this.#decode(object, (value) => value);
      return data === undefined ? [object] : [object, ...objectsWithin(object, data, this.#budget)];
    });
  }

  /** For a file whose cross-reference leads nowhere: the last trailer before its end, or else the catalog itself. */
  #trailerBefore(objects: PdfObject[], end: number): Dictionary {
    for (let at = this.#text.lastIndexOf('trailer', end), tries = 0; at >= 0 && tries < 20; tries++) {
      const value = new Tokens(this.#bytes, at + 7, end, this.#budget).next();
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
