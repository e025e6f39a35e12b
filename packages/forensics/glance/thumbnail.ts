import type { Document, Pixels } from '../model.ts';

/** In pixels: twice the size at which a page shows it. */
export const THUMBNAIL_SIDE = 192;
const POINTS_OF_A4 = 842;

/** The first page, small. @throws Unreadable */
export async function thumbnailOf(document: Document): Promise<Pixels> {
  // Drawn at twice the size, so that thin strokes do not vanish.
  const drawn = await document.pixels(1, (2 * THUMBNAIL_SIDE) / POINTS_OF_A4);
  return shrunk(drawn, Math.min(1, THUMBNAIL_SIDE / Math.max(drawn.width, drawn.height)));
}

/** Averages the pixels that become one. */
function shrunk({ width, height, data }: Pixels, scale: number): Pixels {
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const small = new Uint8Array(w * h * 3);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const [left, right] = [Math.floor((x * width) / w), Math.max(1, Math.ceil(((x + 1) * width) / w))];
      const [top, bottom] = [Math.floor((y * height) / h), Math.max(1, Math.ceil(((y + 1) * height) / h))];
      const count = (right - left) * (bottom - top);
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let row = top; row < bottom; row++)
          for (let column = left; column < right; column++) sum += data[(row * width + column) * 3 + channel] ?? 0;
        small[(y * w + x) * 3 + channel] = sum / count;
      }
    }
  return { width: w, height: h, data: small };
}
