import type { Pixels } from '../../model.ts';
import { type Brightness, brightnessOfJpeg, brightnessOfPixels } from '../brightness.ts';
import { coefficientsOf } from '../jpeg/decode.ts';
import type { Plane } from '../jpeg/plane.ts';
import { qualityOf } from '../jpeg/quantisation.ts';
import { type EarlierSave, earlierSaveOf, savedBlocks, shiftedBlocks } from './earlier-save.ts';
import { findGrid } from './grid-search.ts';
import { type Ghost, ghostsOf, sayings } from './places.ts';

/** Finds places that were not in the picture when the rest was first saved as a JPEG. */

export interface GhostSearch {
  /** The approximate quality of the earlier save, from 1 to 100. */
  earlierQuality: number;
  /** Most certain first. */
  ghosts: Ghost[];
  /** The score of the most certain place, whether or not it suffices for a finding; 0 if no place contradicts the rest. */
  score: number;
}

/** The noise that rounding to whole pixels adds to coefficients. */
const PIXEL_NOISE = 0.4;
/** A save this coarse leaves no trace of another grid. */
const COARSE = 2.5;
/** Relative to the estimated noise. */
const GUESSES = [1, 1.5, 2.2, 3];

/**
 * Undefined if the picture shows no earlier save, or too little of one.
 * @throws Unreadable as coefficientsOf does
 */
export function ghostsInJpeg(bytes: Uint8Array): GhostSearch | undefined {
  const coefficients = coefficientsOf(bytes);
  const brightness = brightnessOfJpeg(coefficients);
  const same = earlierSaveOf(savedBlocks(coefficients.brightness, brightness, PIXEL_NOISE));
  return searched(same ?? croppedSave(brightness, roundingNoise(coefficients.brightness)), brightness);
}

/** For a lossless picture, which may once have been a JPEG. */
export function ghostsInPixels(pixels: Pixels): GhostSearch | undefined {
  const brightness = brightnessOfPixels(pixels);
  const place = findGrid(brightness, PIXEL_NOISE, undefined);
  return searched(place && earlierSaveOf(shiftedBlocks(brightness, place.x, place.y, PIXEL_NOISE)), brightness);
}

/** An earlier save on another grid. Its noise can only be guessed: the guess that leaves the fewest contradictory blocks is used. */
function croppedSave(brightness: Brightness, noise: number): EarlierSave | undefined {
  if (noise > COARSE) return undefined;
  const place = findGrid(brightness, noise, { x: 0, y: 0 });
  if (place === undefined) return undefined;
  const blocks = shiftedBlocks(brightness, place.x, place.y, noise);
  let best: { save: EarlierSave; purity: number } | undefined;
  for (const times of GUESSES) {
    const save = earlierSaveOf({ ...blocks, noise: times * noise });
    if (save === undefined) continue;
    const { purity } = sayings(save);
    if (best === undefined || purity > best.purity) best = { save, purity };
  }
  return best?.save;
}

/** The noise that saving with these steps adds to a coefficient on another grid: the root mean square error of the low frequencies. */
function roundingNoise({ steps }: Plane): number {
  const low = [0, 1, 2, 3, 8, 9, 10, 16, 17, 24].map((at) => (steps[at] ?? 0) ** 2 / 12);
  return Math.sqrt(low.reduce((sum, one) => sum + one, 0) / low.length + PIXEL_NOISE ** 2);
}

function searched(save: EarlierSave | undefined, { width, height }: Brightness): GhostSearch | undefined {
  const candidates = save && ghostsOf(save, width, height);
  if (save === undefined || candidates === undefined) return undefined;
  return {
    earlierQuality: qualityOf(save.steps).quality,
    ghosts: candidates.filter(({ sure }) => sure),
    score: candidates[0]?.score ?? 0,
  };
}
