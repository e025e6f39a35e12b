import type { Brightness } from '../brightness.ts';
import { transform } from '../jpeg/dct.ts';
import { ZIGZAG } from '../jpeg/jpeg.ts';
import type { Plane } from '../jpeg/plane.ts';
import { type Comb, CombFinder, leastLevel, type Rounding, usefulLevels } from './comb.ts';

/** The picture as blocks on one of the 64 possible grids of eight by eight. */
interface Blocks {
  /** The position of the first block, in pixels. */
  originX: number;
  originY: number;
  across: number;
  down: number;
  stride: number;
  /** 64 levels per block, by rows. */
  levels: Int16Array;
  /** The value of a level, by position in the block. */
  steps: ArrayLike<number>;
  noise: number;
  /** By block, `across` per row: 1 where no statement is possible. */
  cut: Uint8Array;
}

/** Evidence that the picture was a JPEG before its last save, and how clearly each block shows it. */
export interface EarlierSave {
  blocks: Blocks;
  /** By position in the block; 0 if unknown. */
  steps: Uint16Array;
  /** Mean over the frequencies, in nats per coefficient. */
  gain: number;
  /** By block, in nats: positive if it shows the earlier save, negative if it should but does not. */
  evidence: Float32Array;
  /** By block: the number of usable coefficients, and the sum of their sizes. */
  counts: Uint8Array;
  strengths: Float32Array;
}

/** In coding order: at higher frequencies, too little is left in pictures of documents. */
const FREQUENCIES = 27;
const NUMBERS = 200;
const GAIN = 0.15;
const MIN_FREQUENCIES = 5;
/**
 * Usable frequencies that a block needs in each direction. If all rows or all columns of a block are alike, as along the edge of a sheet,
 * their rounding errors are alike too, and add up to more than the assumed noise.
 */
const BOTH_WAYS = 2;

/** The block grid of the last save, which an edit that keeps the picture's size does not move. */
export function savedBlocks(plane: Plane, { cut }: Brightness, noise: number): Blocks {
  const { across, down, stride, levels, steps } = plane;
  return { originX: 0, originY: 0, across, down, stride, levels, steps, noise, cut };
}

/** The blocks of a picture on another grid, with coefficients rounded to whole numbers. */
export function shiftedBlocks(brightness: Brightness, originX: number, originY: number, noise: number): Blocks {
  const across = Math.floor((brightness.width - originX) / 8);
  const down = Math.floor((brightness.height - originY) / 8);
  const levels = new Int16Array(across * down * 64);
  const cut = new Uint8Array(across * down);
  const block = new Float64Array(64);
  for (let index = 0; index < across * down; index++) {
    const [x, y] = [originX + (index % across) * 8, originY + Math.floor(index / across) * 8];
    cut[index] = isCut(brightness, x, y) ? 1 : 0;
    if (cut[index] === 1) continue;
    readBlock(brightness, x, y, block);
    transform(block);
    for (let at = 0; at < 64; at++) levels[index * 64 + at] = Math.round(block[at] ?? 0);
  }
  const steps = new Uint8Array(64).fill(1);
  return { originX, originY, across, down, stride: across, levels, steps, noise, cut };
}

export function readBlock({ width, values }: Brightness, x: number, y: number, block: Float64Array): void {
  for (let row = 0; row < 8; row++) {
    const from = (y + row) * width + x;
    for (let column = 0; column < 8; column++) block[row * 8 + column] = values[from + column] ?? 0;
  }
}

export function isCut({ cut, across }: Brightness, x: number, y: number): boolean {
  const [left, top, right, bottom] = [x >> 3, (y >> 3) * across, (x + 7) >> 3, ((y + 7) >> 3) * across];
  return cut[top + left] === 1 || cut[top + right] === 1 || cut[bottom + left] === 1 || cut[bottom + right] === 1;
}

interface Found {
  at: number;
  comb: Comb;
  least: number;
}

/** Undefined if the picture shows no earlier save, or too little of one. */
export function earlierSaveOf(blocks: Blocks): EarlierSave | undefined {
  const finder = new CombFinder();
  const combs: Found[] = [];
  for (let index = 1; index <= FREQUENCIES; index++) {
    const at = ZIGZAG[index] ?? 0;
    const rounding: Rounding = { step: blocks.steps[at] ?? 1, noise: blocks.noise };
    const comb = finder.find(histogramOf(blocks, at, rounding), rounding, NUMBERS);
    if (comb !== undefined && comb.gain >= GAIN) combs.push({ at, comb, least: leastLevel(rounding) });
  }
  if (combs.length < MIN_FREQUENCIES) return undefined;
  const steps = new Uint16Array(64);
  for (const { at, comb } of combs) steps[at] = comb.earlierStep;
  const gain = combs.reduce((total, { comb }) => total + comb.gain, 0) / combs.length;
  return { blocks, steps, gain, ...evidenceOf(blocks, combs) };
}

function histogramOf({ levels, across, down, stride, cut }: Blocks, at: number, rounding: Rounding): Float64Array {
  const histogram = new Float64Array(usefulLevels(rounding.step) + 1);
  const least = leastLevel(rounding);
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      if (cut[row * across + column] === 1) continue;
      const level = Math.abs(levels[(row * stride + column) * 64 + at] ?? 0);
      if (level >= least && level < histogram.length) histogram[level] = (histogram[level] ?? 0) + 1;
    }
  }
  return histogram;
}

function evidenceOf({ levels, across, down, stride, cut, steps }: Blocks, combs: readonly Found[]) {
  const evidence = new Float32Array(across * down);
  const counts = new Uint8Array(across * down);
  const strengths = new Float32Array(across * down);
  for (let index = 0; index < across * down; index++) {
    if (cut[index] === 1) continue;
    const from = (Math.floor(index / across) * stride + (index % across)) * 64;
    let [sum, count, vertical, horizontal, strength] = [0, 0, 0, 0, 0];
    for (const { at, comb, least } of combs) {
      const level = Math.abs(levels[from + at] ?? 0);
      if (level < least || level >= comb.evidence.length) continue;
      sum += comb.evidence[level] ?? 0;
      count++;
      strength += level * (steps[at] ?? 1);
      if (at >= 8) vertical++;
      if (at % 8 > 0) horizontal++;
    }
    if (vertical < BOTH_WAYS || horizontal < BOTH_WAYS) continue;
    evidence[index] = sum;
    counts[index] = count;
    strengths[index] = strength;
  }
  return { evidence, counts, strengths };
}
