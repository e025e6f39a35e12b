import type { Box, Pixels } from '../model.ts';

/** Compares what two pictures show: brightness only, place by place. */

export interface Grey {
  width: number;
  height: number;
  data: Float32Array;
}

export interface Window {
  /** In pixels of the compared pictures, which have the same size. */
  box: Box;
  /** 1 for the same content, 0 for unrelated content, negative for inverted content. */
  likeness: number;
}

/** Standard deviation: a window with less in both pictures is inconclusive. */
const TEXTURE = 10;

export function shrunk({ width, height, data }: Pixels, toWidth: number, toHeight: number): Grey {
  const brightness = (at: number) =>
    0.299 * (data[at * 3] ?? 0) + 0.587 * (data[at * 3 + 1] ?? 0) + 0.114 * (data[at * 3 + 2] ?? 0);
  return means(width, height, brightness, toWidth, toHeight);
}

export function shrunkGrey({ width, height, data }: Grey, toWidth: number, toHeight: number): Grey {
  return means(width, height, (at) => data[at] ?? 0, toWidth, toHeight);
}

/** Each pixel is the mean of the larger picture's pixels that it covers. */
function means(
  width: number,
  height: number,
  valueAt: (at: number) => number,
  toWidth: number,
  toHeight: number,
): Grey {
  const small = new Float32Array(toWidth * toHeight);
  const counts = new Uint32Array(toWidth * toHeight);
  for (let y = 0; y < height; y++) {
    const row = Math.min(toHeight - 1, Math.floor((y * toHeight) / height)) * toWidth;
    for (let x = 0; x < width; x++) {
      const to = row + Math.min(toWidth - 1, Math.floor((x * toWidth) / width));
      small[to] = (small[to] ?? 0) + valueAt(y * width + x);
      counts[to] = (counts[to] ?? 0) + 1;
    }
  }
  return { width: toWidth, height: toHeight, data: small.map((sum, at) => sum / Math.max(1, counts[at] ?? 1)) };
}

/** Compares pictures of the same size in windows that overlap by half. Windows without texture are omitted. */
export function windowsOf(one: Grey, other: Grey, size: number): Window[] {
  const windows: Window[] = [];
  for (let y = 1; y + size < one.height; y += size / 2) {
    for (let x = 1; x + size < one.width; x += size / 2) {
      const box = { x, y, width: size, height: size };
      const likeness = likenessIn(box, one, other);
      if (likeness !== undefined) windows.push({ box, likeness });
    }
  }
  return windows;
}

/** @returns undefined without texture in one of the shifts; most windows of a page are blank, and have none in the first */
function likenessIn(box: Box, one: Grey, other: Grey): number | undefined {
  let most = Number.NEGATIVE_INFINITY;
  for (const [right, down] of SHIFTS) {
    const { likeness, texture } = compared(one, other, box, right, down);
    if (texture < TEXTURE) return undefined;
    most = Math.max(most, likeness);
  }
  return most;
}

/** Programs that scale pictures differ by up to a pixel. */
const SHIFTS = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const));

/** Twice the covariance divided by the sum of the variances: different content lowers it, and so does content in only one of the two. */
function compared(one: Grey, other: Grey, { x, y, width, height }: Box, right: number, down: number) {
  let [sumOne, sumOther, squaresOne, squaresOther, products] = [0, 0, 0, 0, 0];
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) {
      const a = one.data[row * one.width + column] ?? 0;
      const b = other.data[(row + down) * other.width + column + right] ?? 0;
      sumOne += a;
      sumOther += b;
      squaresOne += a * a;
      squaresOther += b * b;
      products += a * b;
    }
  }
  const count = width * height;
  const varianceOne = squaresOne / count - (sumOne / count) ** 2;
  const varianceOther = squaresOther / count - (sumOther / count) ** 2;
  const covariance = products / count - (sumOne / count) * (sumOther / count);
  return {
    likeness: (2 * covariance) / Math.max(1e-6, varianceOne + varianceOther),
    texture: Math.sqrt(Math.max(0, varianceOne, varianceOther)),
  };
}
