/**
 * Detects whether numbers that are rounded to one step were rounded to another, coarser one before: their histogram then has peaks and gaps
 * at regular intervals, like a comb. After T. Bianchi and A. Piva, "Image forgery localization via block-grained analysis of JPEG
 * artifacts", IEEE TIFS 7(3), 2012, with a fitted slope instead of a second compression.
 */

export interface Comb {
  /** The step of the earlier rounding, in the unit of `Rounding.step`. */
  earlierStep: number;
  /** How much better it explains the numbers than a single rounding does, in nats per number. */
  gain: number;
  /** By size of a level (0 is unused): evidence for the earlier rounding, in nats; negative if it speaks against it. */
  evidence: Float64Array;
}

/**
 * Parameters of the search for combs: the value of a level, and the standard deviation of the noise between the roundings, in the same
 * unit.
 */
export interface Rounding {
  step: number;
  noise: number;
}

const COARSEST = 80;
const RANGE = 320;
const LEVELS = 255;
/** The share of numbers that fit no comb, for any reason. */
const STRAY = 0.05;

/** Below this size a level may be pure noise. */
export function leastLevel({ step, noise }: Rounding): number {
  return Math.max(1, Math.ceil((2 * noise) / step + 0.5));
}

/** This many sizes of levels are useful; larger ones are rare. */
export function usefulLevels(step: number): number {
  return Math.max(8, Math.min(LEVELS, Math.floor(RANGE / step)));
}

/** Finds combs for many histograms. Tables are cached, because many histograms have the same steps. */
export class CombFinder {
  private readonly teeth = new Map<string, { mass: Float64Array; log: Float64Array }>();

  /** The best comb for a histogram by size of level, of at least `least` numbers; its gain may be negligible. */
  find(histogram: Float64Array, rounding: Rounding, least: number): Comb | undefined {
    const count = sum(histogram);
    if (count < least) return undefined;
    const slope = slopeOf(histogram, count);
    slope.fill(0, 0, leastLevel(rounding));
    const share = sum(slope);
    let best: { earlierStep: number; gain: number; expected: number } | undefined;
    for (let earlierStep = 2; earlierStep <= COARSEST; earlierStep++) {
      const { mass, log } = this.tooth(earlierStep, rounding, histogram.length);
      const expected = Math.log(dot(slope, mass) / share);
      const gain = dot(histogram, log) / count - expected;
      if (best === undefined || gain > best.gain) best = { earlierStep, gain, expected };
    }
    if (best === undefined) return undefined;
    const { earlierStep, gain, expected } = best;
    const { log } = this.tooth(earlierStep, rounding, histogram.length);
    return { earlierStep, gain, evidence: log.map((value, level) => (level === 0 ? 0 : value - expected)) };
  }

  /** How much more often each level occurs than after a single rounding, and the logarithm of that. */
  private tooth(earlierStep: number, { step, noise }: Rounding, length: number) {
    const key = `${earlierStep} ${step} ${noise} ${length}`;
    const known = this.teeth.get(key);
    if (known !== undefined) return known;
    const mass = new Float64Array(length);
    for (let level = 1; level < length; level++) {
      const [from, to] = [(level - 0.5) * step, (level + 0.5) * step];
      const last = Math.ceil((to + 4 * noise) / earlierStep);
      let within = 0;
      for (let tooth = Math.floor((from - 4 * noise) / earlierStep); tooth <= last; tooth++) {
        const at = tooth * earlierStep;
        within += normal((to - at) / noise) - normal((from - at) / noise);
      }
      mass[level] = (1 - STRAY) * within * (earlierStep / step) + STRAY;
    }
    const made = { mass, log: mass.map((value, level) => (level === 0 ? 0 : Math.log(value))) };
    this.teeth.set(key, made);
    return made;
  }
}

/**
 * How the frequency of levels declines with their size after a single rounding: two geometric series, fitted by expectation maximisation.
 */
function slopeOf(histogram: Float64Array, count: number): Float64Array {
  let mean = 0;
  for (let level = 1; level < histogram.length; level++) mean += (level * (histogram[level] ?? 0)) / count;
  let share = 0.5;
  let steep = Math.max(0.05, 1 - 1 / Math.max(1.05, mean / 2));
  let flat = Math.max(0.1, 1 - 1 / (2 * mean));
  for (let round = 0; round < 12; round++) {
    const [some, others] = [
      { count: 0, sum: 0 },
      { count: 0, sum: 0 },
    ];
    for (let level = 1; level < histogram.length; level++) {
      const found = histogram[level] ?? 0;
      if (found === 0) continue;
      const one = share * (1 - steep) * steep ** (level - 1);
      const other = (1 - share) * (1 - flat) * flat ** (level - 1);
      const part = found * (one / (one + other + 1e-300));
      some.count += part;
      some.sum += part * level;
      others.count += found - part;
      others.sum += (found - part) * level;
    }
    share = some.count / count;
    steep = limited(1 - some.count / (some.sum + 1e-9));
    flat = limited(1 - others.count / (others.sum + 1e-9));
  }
  const slope = histogram.map((_, level) =>
    level === 0 ? 0 : share * (1 - steep) * steep ** (level - 1) + (1 - share) * (1 - flat) * flat ** (level - 1),
  );
  const total = sum(slope);
  return slope.map((value) => value / total);
}

function limited(ratio: number): number {
  return Math.min(0.995, Math.max(0.01, ratio));
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function dot(one: Float64Array, other: Float64Array): number {
  let total = 0;
  for (let at = 1; at < one.length; at++) total += (one[at] ?? 0) * (other[at] ?? 0);
  return total;
}

/** The normal distribution's share below a value (Abramowitz and Stegun 7.1.26). */
function normal(value: number): number {
  const size = Math.abs(value) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * size);
  const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const above = 0.5 * tail * Math.exp(-size * size);
  return value >= 0 ? 1 - above : above;
}
