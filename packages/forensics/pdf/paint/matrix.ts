import type { Box } from '../../model.ts';

/** a, b, c, d, e, f of PDF 32000-1, 8.3.3. */
export type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Applies `inner` first, then `outer`. */
export function combined(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function placed(matrix: Matrix, x: number, y: number): { x: number; y: number } {
  const [a, b, c, d, e, f] = matrix;
  return { x: a * x + c * y + e, y: b * x + d * y + f };
}

/** Undefined for a singular matrix. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const size = a * d - b * c;
  if (size === 0) return undefined;
  return [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size];
}

/** A matrix of six numbers; undefined for anything else. */
export function matrixOf(value: unknown): Matrix | undefined {
  if (!(Array.isArray(value) || ArrayBuffer.isView(value))) return undefined;
  const [a, b, c, d, e, f]: unknown[] = Array.from(value as ArrayLike<unknown>);
  return [a, b, c, d, e, f].every((number) => Number.isFinite(number))
    ? ([a, b, c, d, e, f] as unknown as Matrix)
    : undefined;
}

/** The bounding box of a transformed rectangle, given by two corners. */
export function surrounding(matrix: Matrix, left: number, bottom: number, right: number, top: number): Box {
  const corners = [
    placed(matrix, left, bottom),
    placed(matrix, right, bottom),
    placed(matrix, left, top),
    placed(matrix, right, top),
  ];
  return boxAround(corners);
}

export function boxAround(points: readonly { x: number; y: number }[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return left <= right ? { x: left, y: top, width: right - left, height: bottom - top } : nowhere;
}

export const nowhere: Box = { x: 0, y: 0, width: 0, height: 0 };

/** The intersection of two boxes; without area if they do not overlap. */
export function common(one: Box, other: Box): Box {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : { x, y, width: 0, height: 0 };
}

export function union(one: Box, other: Box): Box {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}

export function area(box: Box): number {
  return box.width * box.height;
}

/** The share of a box, from 0 to 1, that lies in another one. */
export function partWithin(box: Box, other: Box): number {
  const size = area(box);
  return size > 0 ? area(common(box, other)) / size : 0;
}
