import type { Segment } from './jpeg.ts';

/** A table of codes. Codes are found by their first bits. */
export interface HuffmanTable {
  /** By the next nine bits: a code's length (upper byte) and symbol (lower byte); 0 for a longer code. */
  short: Uint16Array;
  /** For longer codes, by length: the first code of that length, one past its last, and the index of its first symbol. */
  first: Int32Array;
  past: Int32Array;
  begin: Int32Array;
  symbols: Uint8Array;
}

const HUFFMAN = 0xc4;
const SHORT = 9;

/** The tables in force at a scan, by class (0 for DC, 1 for AC) times 16 plus number. */
export function huffmanTables(
  bytes: Uint8Array,
  segments: readonly Segment[],
  before: number,
): Map<number, HuffmanTable> {
  const tables = new Map<number, HuffmanTable>();
  for (const { marker, offset, start, end } of segments) {
    if (offset >= before) break;
    for (let at = start; marker === HUFFMAN && at + 17 <= end; ) {
      const lengths = bytes.subarray(at + 1, at + 17);
      const count = lengths.reduce((sum, length) => sum + length, 0);
      if (count > 256 || at + 17 + count > end) break;
      tables.set(bytes[at] ?? 0, huffmanTable(lengths, bytes.subarray(at + 17, at + 17 + count)));
      at += 17 + count;
    }
  }
  return tables;
}

function huffmanTable(lengths: Uint8Array, symbols: Uint8Array): HuffmanTable {
  const short = new Uint16Array(1 << SHORT);
  const [first, past, begin] = [new Int32Array(17), new Int32Array(17), new Int32Array(17)];
  let [code, index] = [0, 0];
  for (let length = 1; length <= 16; length++) {
    const count = lengths[length - 1] ?? 0;
    first[length] = code;
    past[length] = code + count;
    begin[length] = index;
    for (let one = 0; one < count && length <= SHORT; one++) {
      const from = (code + one) << (SHORT - length);
      short.fill((length << 8) | (symbols[index + one] ?? 0), from, from + (1 << (SHORT - length)));
    }
    code = (code + count) << 1;
    index += count;
  }
  return { short, first, past, begin, symbols };
}

/** Reads the bits of a scan. After the end or at a marker it supplies zeros, and is `ended` once they are too many to be padding. */
export class HuffmanReader {
  ended = false;
  private readonly bytes: Uint8Array;
  private readonly end: number;
  private at: number;
  private held = 0;
  private count = 0;
  /** The number of zero bits supplied since the last restart. */
  private padding = 0;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  symbol(table: HuffmanTable): number {
    if (this.count < 16) this.fill();
    const entry = table.short[(this.held >>> (this.count - SHORT)) & ((1 << SHORT) - 1)] ?? 0;
    if (entry !== 0) {
      this.count -= entry >> 8;
      return entry & 0xff;
    }
    for (let length = SHORT + 1; length <= 16; length++) {
      const code = (this.held >>> (this.count - length)) & ((1 << length) - 1);
      if (code >= (table.past[length] ?? 0)) continue;
      this.count -= length;
      return table.symbols[(table.begin[length] ?? 0) + code - (table.first[length] ?? 0)] ?? 0;
    }
    this.ended = true;
    return 0;
  }

  /** At most 16. */
  bits(count: number): number {
    if (count === 0) return 0;
    if (this.count < count) this.fill();
    this.count -= count;
    return (this.held >>> this.count) & ((1 << count) - 1);
  }

  /** A number of this many bits, negative if they begin with 0 (T.81 figure F.12). */
  signed(size: number): number {
    if (size === 0) return 0;
    const value = this.bits(size);
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }

  /** Moves past the next restart marker. */
  restart(): void {
    this.held = 0;
    this.count = 0;
    this.padding = 0;
    for (; this.at + 1 < this.end; this.at++) {
      const next = this.bytes[this.at + 1] ?? 0;
      if (this.bytes[this.at] !== 0xff || next < 0xd0 || next > 0xd7) continue;
      this.at += 2;
      this.ended = false;
      return;
    }
    this.ended = true;
  }

  private fill(): void {
    while (this.count <= 16) {
      this.held = ((this.held & 0xffff) << 8) | this.nextByte();
      this.count += 8;
    }
    if (this.padding > 64) this.ended = true;
  }

  private nextByte(): number {
    const byte = this.bytes[this.at] ?? 0;
    if (this.at >= this.end || (byte === 0xff && this.bytes[this.at + 1] !== 0)) {
      this.padding += 8;
      return 0;
    }
    this.at += byte === 0xff ? 2 : 1;
    return byte;
  }
}
