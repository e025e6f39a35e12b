import type { Pixels } from '../model.ts';

export interface Grey {
  width: number;
  height: number;
  data: Uint8Array;
  /** Its size relative to the original picture, along a side. */
  scale: number;
}

/** An A4 page at 200 dots per inch has 3.9 million pixels; more costs seconds and reads no better. */
const MAX_PIXELS = 4_000_000;

/** A picture in shades of grey, scaled down by averaging if it has more pixels than OCR needs. */
export function greyOf(pixels: Pixels): Grey {
  const { width, height, data } = pixels;
  if (width * height <= MAX_PIXELS) return { width, height, data: shadesOf(pixels), scale: 1 };
  const scale = Math.sqrt(MAX_PIXELS / (width * height));
  const small = { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
  const sums = new Uint32Array(small.width * small.height);
  const counts = new Uint16Array(sums.length);
  const columns = new Uint32Array(width);
  for (let x = 0; x < width; x++) columns[x] = Math.min(small.width - 1, Math.floor(x * scale));
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.min(small.height - 1, Math.floor(y * scale)) * small.width;
    for (let x = 0; x < width; x++, at += 3) {
      const target = row + (columns[x] ?? 0);
      sums[target] = (sums[target] ?? 0) + luma(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
      counts[target] = (counts[target] ?? 0) + 1;
    }
  }
  const grey = new Uint8Array(sums.length);
  for (let index = 0; index < grey.length; index++) grey[index] = (sums[index] ?? 0) / (counts[index] || 1);
  return { ...small, data: grey, scale };
}

function shadesOf({ data, width, height }: Pixels): Uint8Array {
  const shades = new Uint8Array(width * height);
  for (let to = 0, from = 0; to < shades.length; to++, from += 3)
    shades[to] = luma(data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0);
  return shades;
}

/** As a portable grey map, which is cheap to write. */
export function portableGreyMap({ width, height, data }: Grey): Uint8Array {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(head.length + data.length);
  file.set(head);
  file.set(data, head.length);
  return file;
}

/** With the weights of ITU-R BT.601. */
function luma(red: number, green: number, blue: number): number {
  return (77 * red + 150 * green + 29 * blue) >> 8;
}
