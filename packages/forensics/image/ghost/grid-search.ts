import type { Brightness } from '../brightness.ts';
import { transform } from '../jpeg/dct.ts';
import { ZIGZAG } from '../jpeg/jpeg.ts';
import { CombFinder, leastLevel } from './comb.ts';
import { isCut, readBlock } from './earlier-save.ts';

/** Finds the block grid of an earlier save in a picture that was cropped since, or that is no longer a JPEG. */

interface GridPlace {
  x: number;
  y: number;
}

const SAMPLES = 1200;
const FREQUENCIES = 9;
const LEVELS = 160;
const NUMBERS = 150;
const GAIN = 0.12;
/** The best position must exceed the next by this factor. */
const LEAD = 2;
/** Sum of squared deviations from the mean of a block; below this, there is only paper. */
const TEXTURE = 2000;

/** Tries the 64 positions on textured blocks, except `without`. Undefined if none stands out. */
export function findGrid(brightness: Brightness, noise: number, without: GridPlace | undefined): GridPlace | undefined {
  const samples = samplesOf(brightness);
  if (samples.length < NUMBERS) return undefined;
  const finder = new CombFinder();
  const gains: { x: number; y: number; gain: number }[] = [];
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) {
      if (x === without?.x && y === without.y) continue;
      gains.push({ x, y, gain: gainAt(brightness, samples, x, y, noise, finder) });
    }
  }
  gains.sort((one, other) => other.gain - one.gain);
  const [best, next] = gains;
  if (best === undefined || next === undefined || best.gain < GAIN || best.gain < LEAD * next.gain) return undefined;
  return { x: best.x, y: best.y };
}

/** The pixel positions of textured blocks without clipped values, spread over the picture. */
function samplesOf(brightness: Brightness): GridPlace[] {
  const { across, width, height } = brightness;
  const block = new Float64Array(64);
  const all: GridPlace[] = [];
  for (let y = 0; y + 16 <= height; y += 8) {
    for (let x = 0; x + 16 <= width; x += 8) {
      if (brightness.cut[(y >> 3) * across + (x >> 3)] === 1 || isCut(brightness, x + 7, y + 7)) continue;
      readBlock(brightness, x, y, block);
      if (spread(block) >= TEXTURE) all.push({ x, y });
    }
  }
  const every = Math.max(1, all.length / SAMPLES);
  return Array.from({ length: Math.min(SAMPLES, all.length) }, (_, index) => all[Math.floor(index * every)]).filter(
    (place) => place !== undefined,
  );
}

function gainAt(
  brightness: Brightness,
  samples: readonly GridPlace[],
  x: number,
  y: number,
  noise: number,
  finder: CombFinder,
): number {
  const histograms = Array.from({ length: FREQUENCIES }, () => new Float64Array(LEVELS));
  const least = leastLevel({ step: 1, noise });
  const block = new Float64Array(64);
  for (const sample of samples) {
    readBlock(brightness, sample.x + x, sample.y + y, block);
    transform(block);
    for (const [index, histogram] of histograms.entries()) {
      const level = Math.round(Math.abs(block[ZIGZAG[index + 1] ?? 0] ?? 0));
      if (level >= least && level < LEVELS) histogram[level] = (histogram[level] ?? 0) + 1;
    }
  }
  const gains = histograms.map((histogram) => finder.find(histogram, { step: 1, noise }, NUMBERS)?.gain ?? 0);
  return gains.reduce((total, gain) => total + Math.max(0, gain), 0) / FREQUENCIES;
}

function spread(block: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (const value of block) {
    sum += value;
    squares += value * value;
  }
  return squares - (sum * sum) / 64;
}
