import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { Unreadable } from '../model.ts';
import { inflateUpToDamage } from './damaged.ts';
import { type Dictionary, dictionaryOf, listOf, nameOf, numberOf, type Value } from './objects.ts';

/** The maximum decoded size of one stream, and of all streams of one file, in bytes. */
const LONGEST = 64 * 1024 * 1024;
export const DECODED_A_FILE = 512 * 1024 * 1024;
const FILTERS = 8;

/** How many bytes may still be decoded. */
interface DecodeBudget {
  bytes: number;
}

/**
 * Decodes a stream with the filters of ISO 32000-1, 7.4. Truncated or damaged data give what precedes the damage, as in
 * viewers. Undefined if a filter is unknown or one of pictures, or if nothing precedes it.
 * @param resolve resolves a reference
 * @throws Unreadable if the decoded data exceed the limit of a stream or the budget
 */
export function decodeStream(
  data: Uint8Array,
  dictionary: Dictionary,
  resolve: (value: Value | undefined) => Value | undefined,
  budget: DecodeBudget,
): Uint8Array | undefined {
  const filters = listed(resolve(dictionary.entries.get('Filter') ?? dictionary.entries.get('F')), resolve);
  const parameters = listed(resolve(dictionary.entries.get('DecodeParms') ?? dictionary.entries.get('DP')), resolve);
  if (filters.length > FILTERS) return undefined;
  let bytes: Uint8Array | undefined = data;
  for (const [index, filter] of filters.entries()) {
    const own = dictionaryOf(parameters[index]);
    const parameter = (key: string) => (own === undefined ? undefined : numberOf(resolve(own.entries.get(key))));
    bytes = applyFilter(nameOf(filter) ?? '', bytes, { longest: Math.min(LONGEST, budget.bytes), parameter });
    if (bytes === undefined) return undefined;
    budget.bytes -= bytes.length;
    if (budget.bytes < 0) unpacksTooFar();
    if (own !== undefined) bytes = unpredict(bytes, parameter);
  }
  return bytes;
}

function listed(value: Value | undefined, resolve: (value: Value | undefined) => Value | undefined) {
  if (value === undefined || value === null) return [];
  return (
    listOf(value)
      ?.slice(0, FILTERS + 1)
      .map(resolve) ?? [value]
  );
}

type Parameter = (key: string) => number | undefined;

function applyFilter(
  filter: string,
  bytes: Uint8Array,
  { longest, parameter }: { longest: number; parameter: Parameter },
): Uint8Array | undefined {
  if (filter === 'FlateDecode' || filter === 'Fl') return inflate(bytes, longest) ?? undamaged(bytes, longest);
  if (filter === 'ASCIIHexDecode' || filter === 'AHx') return fromHex(bytes);
  if (filter === 'ASCII85Decode' || filter === 'A85') return fromBase85(bytes);
  if (filter === 'RunLengthDecode' || filter === 'RL') return fromRuns(bytes, longest);
  if (filter === 'LZWDecode' || filter === 'LZW') return fromLzw(bytes, longest, parameter('EarlyChange') ?? 1);
  return filter === 'Crypt' ? bytes : undefined;
}

/** Undefined for corrupt data. @throws Unreadable if the output exceeds `longest` bytes */
export function inflate(bytes: Uint8Array, longest: number): Uint8Array | undefined {
  const options = { maxOutputLength: Math.max(1, longest), finishFlush: constants.Z_SYNC_FLUSH };
  for (const unpack of [inflateSync, inflateRawSync]) {
    try {
      return unpack(unpack === inflateRawSync ? bytes.subarray(2) : bytes, options);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') unpacksTooFar();
    }
  }
  return undefined;
}

/** What precedes the damage. */
function undamaged(bytes: Uint8Array, longest: number): Uint8Array | undefined {
  const output = inflateUpToDamage(bytes.subarray(2), longest) ?? unpacksTooFar();
  return output.length > 0 ? output : undefined;
}

function unpacksTooFar(): never {
  throw new Unreadable('The file unpacks to more than can be examined.');
}

function fromHex(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const end = text.indexOf('>');
  const digits = (end < 0 ? text : text.slice(0, end)).replace(/[^0-9a-fA-F]/g, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
}

function fromBase85(bytes: Uint8Array): Uint8Array {
  const out = Buffer.alloc(bytes.length * 4);
  let length = 0;
  let group: number[] = [];
  const flush = (digits: number) => {
    const word = group.reduce((sum, digit) => sum * 85 + digit, 0) % 2 ** 32;
    out.writeUInt32BE(word, length);
    length += digits - 1;
    group = [];
  };
  for (const byte of bytes) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && group.length === 0) length += 4;
    else if (byte >= 0x21 && byte <= 0x75) group.push(byte - 0x21);
    if (group.length === 5) flush(5);
  }
  const rest = group.length;
  if (rest > 1) {
    while (group.length < 5) group.push(84);
    flush(rest);
  }
  return out.subarray(0, length);
}

function fromRuns(bytes: Uint8Array, longest: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const count = bytes[at++] ?? 128;
    if (count === 128) break;
    const part = count < 128 ? bytes.subarray(at, at + count + 1) : new Uint8Array(257 - count).fill(bytes[at] ?? 0);
    at += count < 128 ? count + 1 : 1;
    length += part.length;
    if (length > longest) unpacksTooFar();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** LZW (ISO 32000-1, 7.4.4). @param early by how many codes the width changes early: 1 or 0 */
function fromLzw(bytes: Uint8Array, longest: number, early: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let table: Uint8Array[] = [];
  let before: Uint8Array | undefined;
  let length = 0;
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffffff;
    bits += 8;
    const size = table.length + 257 + early;
    const width = size < 511 ? 9 : size < 1023 ? 10 : size < 2047 ? 11 : 12;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === 257) break;
    if (code === 256) {
      table = [];
      before = undefined;
      continue;
    }
    const known: Uint8Array | undefined = code < 256 ? Uint8Array.of(code) : table[code - 258];
    const part: Uint8Array | undefined = known ?? (before && Buffer.concat([before, before.subarray(0, 1)]));
    if (part === undefined) break;
    if (before !== undefined && table.length < 4096) table.push(Buffer.concat([before, part.subarray(0, 1)]));
    before = part;
    length += part.length;
    if (length > longest) unpacksTooFar();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Undoes PNG predictors (ISO 32000-1, 7.4.4.4); the TIFF predictor is for pictures only. */
function unpredict(bytes: Uint8Array, parameter: Parameter): Uint8Array {
  if ((parameter('Predictor') ?? 1) < 10) return bytes;
  const bits = (parameter('Colors') ?? 1) * (parameter('BitsPerComponent') ?? 8);
  const width = Math.ceil(((parameter('Columns') ?? 1) * bits) / 8);
  const step = Math.max(1, Math.ceil(bits / 8));
  if (!(width > 0 && width < 1_000_000)) return bytes;
  const rows = Math.ceil(bytes.length / (width + 1));
  const out = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const kind = bytes[row * (width + 1)] ?? 0;
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const left = column < step ? 0 : (out[at - step] ?? 0);
      const up = row === 0 ? 0 : (out[at - width] ?? 0);
      const corner = column < step || row === 0 ? 0 : (out[at - width - step] ?? 0);
      out[at] = (bytes[row * (width + 1) + 1 + column] ?? 0) + predicted(kind, left, up, corner);
    }
  }
  return out;
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
