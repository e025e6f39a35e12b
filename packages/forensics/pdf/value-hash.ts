import { createHash, type Hash } from 'node:crypto';
import type { PdfObject, Value } from './objects.ts';
import type { View } from './view.ts';

const NODES = 400_000;
const DEPTH = 60;

/** Entries that refer back to the document, or do not affect what is drawn. */
const PASSED = new Set([
  'Parent',
  'P',
  'StructParent',
  'StructParents',
  'Metadata',
  'LastModified',
  'PieceInfo',
  'Length',
]);

/** Hashes values by content instead of object number, so that the same drawing is recognised in two versions of a file. */
export class ValueHash {
  readonly #bytes: Uint8Array;
  readonly #view: View;
  readonly #data = new Map<PdfObject, string>();
  readonly #known = new Map<PdfObject, string>();
  #nodes = 0;

  constructor(bytes: Uint8Array, view: View) {
    this.#bytes = bytes;
    this.#view = view;
  }

  /** Undefined if there is too much to hash. */
  of(value: Value | undefined): string | undefined {
    const object = this.#view.referred(value);
    const known = object && this.#known.get(object);
    if (known !== undefined) return known;
    const own = this.#hashOf(value);
    if (object !== undefined && own !== undefined) this.#known.set(object, own);
    return own;
  }

  #hashOf(value: Value | undefined): string | undefined {
    const hash = createHash('sha1');
    this.#add(hash, value, [], 0);
    return this.#nodes > NODES ? undefined : hash.digest('hex');
  }

  #add(hash: Hash, value: Value | undefined, above: PdfObject[], depth: number): void {
    if (++this.#nodes > NODES || depth > DEPTH) return;
    if (value === undefined || value === null || typeof value !== 'object') hash.update(`${value} `);
    else if (Array.isArray(value)) {
      hash.update('[');
      for (const item of value) this.#add(hash, item, above, depth + 1);
      hash.update(']');
    } else if (value.type === 'name') hash.update(`/${value.name} `);
    else if (value.type === 'text') hash.update('(').update(value.bytes).update(')');
    else if (value.type === 'reference') this.#object(hash, this.#view.object(value.number), above, depth);
    else {
      hash.update('<');
      for (const key of [...value.entries.keys()].sort()) {
        if (PASSED.has(key)) continue;
        hash.update(`/${key} `);
        this.#add(hash, value.entries.get(key), above, depth + 1);
      }
      hash.update('>');
    }
  }

  #object(hash: Hash, object: PdfObject | undefined, above: PdfObject[], depth: number): void {
    if (object === undefined) hash.update('null ');
    else if (above.includes(object)) hash.update(`up ${above.length - above.indexOf(object)} `);
    else {
      this.#add(hash, object.value, [...above, object], depth + 1);
      if (object.data !== undefined) hash.update(this.#dataOf(object));
    }
  }

  #dataOf(object: PdfObject): string {
    const before = this.#data.get(object);
    if (before !== undefined || object.data === undefined) return before ?? '';
    const digest = createHash('sha1').update(this.#bytes.subarray(object.data.start, object.data.end)).digest('hex');
    this.#data.set(object, digest);
    return digest;
  }
}
