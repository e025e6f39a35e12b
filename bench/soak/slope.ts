/** A measurement at one time. */
export interface Point {
  x: number;
  y: number;
}

/** How fast y grows with x: the median of the slopes between any two points, which is robust against outliers (Theil and Sen). */
export function slopeOf(points: readonly Point[]): number {
  const slopes = points.flatMap((from, index) =>
    points.slice(index + 1).map((to) => (to.y - from.y) / (to.x - from.x)),
  );
  return medianOf(slopes);
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
