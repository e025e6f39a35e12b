import type { Place } from '../pdf/locate.ts';
import type { Raster } from '../pdf/raster.ts';

export interface Point {
  x: number;
  y: number;
}

/** Maps the unit square's corners (top left, top right, bottom right, bottom left) to these. Heckbert 1989, section 2.2.3. */
export type Perspective = readonly [number, number, number, number, number, number, number, number];

export function perspectiveOf(corners: readonly [Point, Point, Point, Point]): Perspective {
  const [a, b, c, d] = corners;
  const dx1 = b.x - c.x;
  const dx2 = d.x - c.x;
  const dy1 = b.y - c.y;
  const dy2 = d.y - c.y;
  const sx = a.x - b.x + c.x - d.x;
  const sy = a.y - b.y + c.y - d.y;
  const whole = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / whole;
  const h = (dx1 * sy - sx * dy1) / whole;
  return [b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x, b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y, g, h];
}

function mapped([a, b, c, d, e, f, g, h]: Perspective, u: number, v: number): Point {
  const depth = g * u + h * v + 1;
  return { x: (a * u + b * v + c) / depth, y: (d * u + e * v + f) / depth };
}

/** The bounding box of a place of the flat page (as fractions of its width and height) after the mapping. */
export function mappedPlace(perspective: Perspective, { x, y, width, height }: Place): Place {
  const corners = [mapped(perspective, x, y), mapped(perspective, x + width, y), mapped(perspective, x, y + height)];
  const all = [...corners, mapped(perspective, x + width, y + height)];
  const left = Math.min(...all.map((point) => point.x));
  const top = Math.min(...all.map((point) => point.y));
  const right = Math.max(...all.map((point) => point.x));
  return { x: left, y: top, width: right - left, height: Math.max(...all.map((point) => point.y)) - top };
}

/** Projects a flat page onto a background as a camera would see it, with bilinear interpolation. */
export function laid(page: Raster, background: Raster, perspective: Perspective): Raster {
  const [a, b, c, d, e, f, g, h] = perspective;
  // The inverse, as the adjugate of the matrix; the scale cancels out in the division.
  const [A, B, C] = [e - f * h, c * h - b, b * f - c * e];
  const [D, E, F] = [f * g - d, a - c * g, c * d - a * f];
  const [G, H, I] = [d * h - e * g, b * g - a * h, a * e - b * d];
  const data = background.data.slice();
  for (let y = 0; y < background.height; y += 1)
    for (let x = 0; x < background.width; x += 1) {
      const depth = G * x + H * y + I;
      const u = (A * x + B * y + C) / depth;
      const v = (D * x + E * y + F) / depth;
      if (u < 0 || v < 0 || u > 1 || v > 1) continue;
      sample(page, u * (page.width - 1), v * (page.height - 1), data, (y * background.width + x) * 3);
    }
  return { ...background, data };
}

function sample({ width, height, data }: Raster, x: number, y: number, into: Uint8Array, at: number): void {
  const column = Math.min(width - 2, Math.floor(x));
  const row = Math.min(height - 2, Math.floor(y));
  const [right, below] = [x - column, y - row];
  const from = (row * width + column) * 3;
  for (let channel = 0; channel < 3; channel += 1) {
    const above = (data[from + channel] ?? 0) * (1 - right) + (data[from + 3 + channel] ?? 0) * right;
    const next = from + width * 3 + channel;
    const under = (data[next] ?? 0) * (1 - right) + (data[next + 3] ?? 0) * right;
    into[at + channel] = above * (1 - below) + under * below;
  }
}
