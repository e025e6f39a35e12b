import { crc32 } from 'node:zlib';
import { pixelsOf } from '../../forensics/image/pixels.ts';
import type { Document, Kind, Pixels } from '../../forensics/model.ts';

/** What cameras and programs put into a picture's file beside the picture. */

export interface ExifFields {
  make?: string;
  model?: string;
  software?: string;
  changedAt?: string;
  takenAt?: string;
  orientation?: number;
  width?: number;
  height?: number;
  makerNote?: Uint8Array;
  thumbnail?: Uint8Array;
}

type Value = { type: 2 | 7; bytes: Uint8Array } | { type: 4; number: number };

/** A document as the rules are given it. */
export function picture(kind: Kind, bytes: Uint8Array): Document {
  let pixels: Promise<Pixels> | undefined;
  return {
    name: `picture.${kind}`,
    kind,
    bytes,
    pages: async () => [],
    pagesRead: async () => [],
    pixels: () => {
      pixels ??= pixelsOf(bytes);
      return pixels;
    },
  };
}

/** TIFF, little-endian: the main directory, the one of Exif, and one of the small picture. */
export function exifBytes(fields: ExifFields): Uint8Array {
  const main = new Map<number, Value>();
  const exif = new Map<number, Value>();
  const text = (directory: Map<number, Value>, tag: number, value: string | undefined) => {
    if (value !== undefined) directory.set(tag, { type: 2, bytes: Buffer.from(`${value}\0`) });
  };
  const number = (directory: Map<number, Value>, tag: number, value: number | undefined) => {
    if (value !== undefined) directory.set(tag, { type: 4, number: value });
  };
  text(main, 0x010f, fields.make);
  text(main, 0x0110, fields.model);
  number(main, 0x0112, fields.orientation);
  text(main, 0x0131, fields.software);
  text(main, 0x0132, fields.changedAt);
  text(exif, 0x9003, fields.takenAt);
  if (fields.makerNote !== undefined) exif.set(0x927c, { type: 7, bytes: fields.makerNote });
  number(exif, 0xa002, fields.width);
  number(exif, 0xa003, fields.height);
  const mainLength = 2 + 12 * (main.size + 1) + 4;
  const exifAt = 8 + mainLength + heapLength(main);
  main.set(0x8769, { type: 4, number: exifAt });
  const smallAt = exifAt + 2 + 12 * exif.size + 4 + heapLength(exif);
  const small = new Map<number, Value>();
  if (fields.thumbnail !== undefined) {
    number(small, 0x0201, smallAt + 2 + 24 + 4);
    number(small, 0x0202, fields.thumbnail.length);
  }
  return Buffer.concat([
    Buffer.from('49492a0008000000', 'hex'),
    directoryBytes(main, 8, small.size > 0 ? smallAt : 0),
    directoryBytes(exif, exifAt, 0),
    ...(fields.thumbnail === undefined ? [] : [directoryBytes(small, smallAt, 0), fields.thumbnail]),
  ]);
}

/** With a segment put in behind the start. */
export function withSegment(jpeg: Uint8Array, marker: number, data: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xff00 | marker, 0);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
}

export function withExif(jpeg: Uint8Array, fields: ExifFields): Uint8Array {
  return withSegment(jpeg, 0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exifBytes(fields)]));
}

export function withXmp(jpeg: Uint8Array, attributes: string): Uint8Array {
  const packet = `<x:xmpmeta><rdf:RDF><rdf:Description ${attributes}/></rdf:RDF></x:xmpmeta>`;
  return withSegment(jpeg, 0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`));
}

/** With a chunk put in behind the header. */
export function withChunk(png: Uint8Array, type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([png.subarray(0, 33), length, body, check, png.subarray(33)]);
}

/** A record of origin with one claim and its actions, as JUMBF. */
export function manifestStore(generator: string, actions: readonly Record<string, string>[]): Uint8Array {
  const claim = jumbf('c2pa.claim', [box('cbor', cbor({ claim_generator: generator }))]);
  const done = jumbf('c2pa.actions', [box('cbor', cbor({ actions: [...actions] }))]);
  return jumbf('c2pa', [jumbf('urn:uuid:1', [jumbf('c2pa.assertions', [done]), claim])]);
}

/** In as many APP11 segments as its length takes. */
export function withManifest(jpeg: Uint8Array, store: Uint8Array, pieceLength = 60_000): Uint8Array {
  const segments: Uint8Array[] = [];
  for (let at = 8, number = 1; at < store.length; at += pieceLength, number++) {
    const head = Buffer.alloc(8);
    head.write('JP', 'latin1');
    head.writeUInt16BE(1, 2);
    head.writeUInt32BE(number, 4);
    segments.push(Buffer.concat([head, store.subarray(0, 8), store.subarray(at, at + pieceLength)]));
  }
  return segments.reverse().reduce((file, data) => withSegment(file, 0xeb, data), jpeg);
}

function jumbf(label: string, contents: readonly Uint8Array[]): Uint8Array {
  const description = box('jumd', Buffer.concat([Buffer.alloc(16), Buffer.from([3]), Buffer.from(`${label}\0`)]));
  return box('jumb', Buffer.concat([description, ...contents]));
}

function box(type: string, data: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length + 8);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data]);
}

type Json = string | Json[] | { [key: string]: Json };

function cbor(value: Json): Uint8Array {
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([cborHead(4, value.length), ...value.map(cbor)]);
  const entries = Object.entries(value);
  return Buffer.concat([cborHead(5, entries.length), ...entries.flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

function cborHead(major: number, count: number): Uint8Array {
  return count < 24 ? Buffer.from([(major << 5) | count]) : Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
}

function heapLength(directory: ReadonlyMap<number, Value>): number {
  let length = 0;
  for (const value of directory.values()) if (value.type !== 4 && value.bytes.length > 4) length += value.bytes.length;
  return length;
}

function directoryBytes(directory: ReadonlyMap<number, Value>, at: number, next: number): Uint8Array {
  const entries = [...directory].sort(([one], [other]) => one - other);
  const head = Buffer.alloc(2 + 12 * entries.length + 4);
  head.writeUInt16LE(entries.length);
  const heap: Uint8Array[] = [];
  let heapAt = at + head.length;
  for (const [index, [tag, value]] of entries.entries()) {
    const from = 2 + 12 * index;
    head.writeUInt16LE(tag, from);
    head.writeUInt16LE(value.type, from + 2);
    head.writeUInt32LE(value.type === 4 ? 1 : value.bytes.length, from + 4);
    if (value.type === 4) head.writeUInt32LE(value.number, from + 8);
    else if (value.bytes.length <= 4) head.set(value.bytes, from + 8);
    else {
      head.writeUInt32LE(heapAt, from + 8);
      heap.push(value.bytes);
      heapAt += value.bytes.length;
    }
  }
  head.writeUInt32LE(next, head.length - 4);
  return Buffer.concat([head, ...heap]);
}
