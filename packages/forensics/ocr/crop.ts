import type { Box } from '../model.ts';
import type { Grey } from './grey.ts';

/** In pixels: Tesseract reads print of this height best. */
const HEIGHT = 40;
const MAX_ENLARGED = 4;
const MARGIN = 0.35;
const MAX_WIDTH_PIXELS = 3000;

/**
 * A part of a picture with a margin, enlarged by interpolation so that its print has a good height.
 *
 * @param box in pixels of the picture
 * @param larger enlarges further, so that a second reading sees different pixels
 */
export function cropped(picture: Grey, box: Box, larger = 1): Grey {
  const margin = Math.max(3, MARGIN * box.height);
  const left = Math.max(0, Math.floor(box.x - margin));
  const top = Math.max(0, Math.floor(box.y - margin));
  const width = Math.max(1, Math.min(picture.width, Math.ceil(box.x + box.width + margin)) - left);
  const height = Math.max(1, Math.min(picture.height, Math.ceil(box.y + box.height + margin)) - top);
  const wanted = Math.min(MAX_ENLARGED, Math.max(1, HEIGHT / Math.max(1, box.height))) * larger;
  const scale = Math.min(wanted, MAX_WIDTH_PIXELS / width);
  const large = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const data = new Uint8Array(large.width * large.height);
  for (let y = 0; y < large.height; y++) {
    for (let x = 0; x < large.width; x++) {
      const at = { x: left + (x + 0.5) / scale - 0.5, y: top + (y + 0.5) / scale - 0.5 };
      data[y * large.width + x] = between(picture, at.x, at.y);
    }
  }
  return { ...large, data, scale: picture.scale * scale };
}

/** Bilinear interpolation. */
function between({ width, height, data }: Grey, x: number, y: number): number {
  const [left, top] = [
    Math.min(width - 1, Math.max(0, Math.floor(x))),
    Math.min(height - 1, Math.max(0, Math.floor(y))),
  ];
  const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)];
  const [across, down] = [Math.min(1, Math.max(0, x - left)), Math.min(1, Math.max(0, y - top))];
  const at = (column: number, row: number) => data[row * width + column] ?? 0;
  const upper = at(left, top) * (1 - across) + at(right, top) * across;
  const lower = at(left, bottom) * (1 - across) + at(right, bottom) * across;
  return upper * (1 - down) + lower * down;
}
