import type { HuffmanReader, HuffmanTable } from './huffman.ts';
import { ZIGZAG } from './jpeg.ts';
import type { Plane } from './plane.ts';

/** How the blocks of a scan are coded: sequentially, or in one of the four kinds of progressive scans. */

interface Part {
  plane: Plane;
  progressive: boolean;
  /** The numbers of its Huffman tables. */
  dc: number;
  ac: number;
  /** Which coefficients, in coding order. */
  first: number;
  last: number;
  /** Lower bits are left to later scans; in a first scan `high` is 0. */
  high: number;
  low: number;
}

export interface Coding {
  scan: Part & { prediction: number; run: number };
  /** Decodes the next block into the levels at an index. */
  block(at: number): void;
}

const NONE: HuffmanTable = {
  short: new Uint16Array(512),
  first: new Int32Array(17),
  past: new Int32Array(17),
  begin: new Int32Array(17),
  symbols: new Uint8Array(0),
};

export function codingOf(part: Part, tables: ReadonlyMap<number, HuffmanTable>, reader: HuffmanReader): Coding {
  const scan = { ...part, prediction: 0, run: 0 };
  const dc = tables.get(part.dc) ?? NONE;
  const ac = tables.get(16 + part.ac) ?? NONE;
  if (!part.progressive) return { scan, block: (at) => sequential(scan, dc, ac, reader, at) };
  if (part.first === 0) return { scan, block: (at) => progressiveMean(scan, dc, reader, at) };
  if (part.high === 0) return { scan, block: (at) => progressiveFirst(scan, ac, reader, at) };
  return { scan, block: (at) => progressiveLater(scan, ac, reader, at) };
}

type Scan = Coding['scan'];

function sequential(scan: Scan, dc: HuffmanTable, ac: HuffmanTable, reader: HuffmanReader, at: number): void {
  const { levels } = scan.plane;
  scan.prediction += reader.signed(reader.symbol(dc) & 15);
  levels[at] = scan.prediction;
  for (let index = 1; index < 64; index++) {
    const symbol = reader.symbol(ac);
    const size = symbol & 15;
    if (size === 0) {
      if (symbol !== 0xf0) return;
      index += 15;
      continue;
    }
    index += symbol >> 4;
    const value = reader.signed(size);
    if (index < 64) levels[at + (ZIGZAG[index] ?? 0)] = value;
  }
}

function progressiveMean(scan: Scan, dc: HuffmanTable, reader: HuffmanReader, at: number): void {
  const { levels } = scan.plane;
  if (scan.high > 0) {
    levels[at] = (levels[at] ?? 0) | (reader.bits(1) << scan.low);
    return;
  }
  scan.prediction += reader.signed(reader.symbol(dc) & 15);
  levels[at] = scan.prediction * (1 << scan.low);
}

function progressiveFirst(scan: Scan, ac: HuffmanTable, reader: HuffmanReader, at: number): void {
  if (scan.run > 0) {
    scan.run--;
    return;
  }
  const { levels } = scan.plane;
  for (let index = scan.first; index <= scan.last; index++) {
    const symbol = reader.symbol(ac);
    const [zeros, size] = [symbol >> 4, symbol & 15];
    if (size === 0 && zeros < 15) {
      scan.run = (1 << zeros) - 1 + reader.bits(zeros);
      return;
    }
    index += zeros;
    if (size > 0 && index < 64) levels[at + (ZIGZAG[index] ?? 0)] = reader.signed(size) * (1 << scan.low);
  }
}

/** T.81 G.1.2.3: one more bit for each coefficient that is already there, and new coefficients of one bit in between. */
function progressiveLater(scan: Scan, ac: HuffmanTable, reader: HuffmanReader, at: number): void {
  let index = scan.first;
  while (scan.run === 0 && index <= scan.last) {
    const symbol = reader.symbol(ac);
    const [zeros, size] = [symbol >> 4, symbol & 15];
    if (size === 0 && zeros < 15) {
      scan.run = (1 << zeros) + reader.bits(zeros);
      break;
    }
    const fresh = size === 0 ? 0 : reader.bits(1) === 1 ? 1 << scan.low : -1 << scan.low;
    index = refine(scan, reader, at, index, zeros);
    if (fresh !== 0 && index <= scan.last) scan.plane.levels[at + (ZIGZAG[index] ?? 0)] = fresh;
    index++;
  }
  if (scan.run === 0) return;
  refine(scan, reader, at, index, 64);
  scan.run--;
}

/** Skips this many zeros; nonzero coefficients on the way get their bit. */
function refine(scan: Scan, reader: HuffmanReader, at: number, from: number, zeros: number): number {
  const { levels } = scan.plane;
  let left = zeros;
  for (let index = from; index <= scan.last; index++) {
    const place = at + (ZIGZAG[index] ?? 0);
    const level = levels[place] ?? 0;
    if (level === 0) {
      if (left === 0) return index;
      left--;
      continue;
    }
    if (reader.bits(1) === 0 || (level & (1 << scan.low)) !== 0) continue;
    levels[place] = level + (level > 0 ? 1 : -1) * (1 << scan.low);
  }
  return scan.last + 1;
}
