import type { Pixels } from '../model.ts';
import { transformBack } from './jpeg/dct.ts';
import type { Coefficients } from './jpeg/decode.ts';
import type { Plane } from './jpeg/plane.ts';

/** A picture's brightness, and where values were clipped at the end of the scale when it was last decoded. */
export interface Brightness {
  width: number;
  height: number;
  /** About -128 to 127, by rows. */
  values: Float32Array;
  /** By blocks of eight by eight, in rows: 1 where values were, or may have been, clipped. */
  cut: Uint8Array;
  /** Blocks per row in `cut`. */
  across: number;
}

/** Within this distance from the end of the scale, ringing around letters may have exceeded it. */
const MARGIN = 6;

export function brightnessOfJpeg({ width, height, brightness, colours }: Coefficients): Brightness {
  const values = new Float32Array(width * height);
  readSamples(brightness, values, width, height);
  const across = Math.ceil(width / 8);
  const [blueness, redness] = colours.map((plane) => colourOf(plane, brightness));
  const cut = noBlocks(width, height);
  for (let y = 0; y < height; y++) {
    const bluenessRow = blueness === undefined ? 0 : Math.floor(y / blueness.scaleY) * blueness.stride;
    const rednessRow = redness === undefined ? 0 : Math.floor(y / redness.scaleY) * redness.stride;
    for (let x = 0; x < width; x++) {
      const value = (values[y * width + x] ?? 0) + 128;
      const cb = blueness?.samples[bluenessRow + Math.floor(x / blueness.scaleX)] ?? 0;
      const cr = redness?.samples[rednessRow + Math.floor(x / redness.scaleX)] ?? 0;
      const most = value + Math.max(1.402 * cr, 1.772 * cb, -0.344 * cb - 0.714 * cr);
      const least = value + Math.min(1.402 * cr, 1.772 * cb, -0.344 * cb - 0.714 * cr);
      if (most > 255 - MARGIN || least < MARGIN) cut[(y >> 3) * across + (x >> 3)] = 1;
    }
  }
  return { width, height, values, cut, across };
}

export function brightnessOfPixels({ width, height, data }: Pixels): Brightness {
  const across = Math.ceil(width / 8);
  const values = new Float32Array(width * height);
  const cut = noBlocks(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const [red, green, blue] = [data[at * 3] ?? 0, data[at * 3 + 1] ?? 0, data[at * 3 + 2] ?? 0];
      values[at] = 0.299 * red + 0.587 * green + 0.114 * blue - 128;
      const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
      if (most > 255 - MARGIN || least < MARGIN) cut[(y >> 3) * across + (x >> 3)] = 1;
    }
  }
  return { width, height, values, cut, across };
}

/** Marks only the blocks that cross the right and bottom edges, because encoders fill them arbitrarily. */
function noBlocks(width: number, height: number): Uint8Array {
  const [across, down] = [Math.ceil(width / 8), Math.ceil(height / 8)];
  return Uint8Array.from({ length: across * down }, (_, index) => {
    const over = ((index % across) + 1) * 8 > width || (Math.floor(index / across) + 1) * 8 > height;
    return over ? 1 : 0;
  });
}

function colourOf(plane: Plane, brightness: Plane) {
  const stride = plane.stride * 8;
  const samples = new Int16Array(stride * plane.down * 8);
  readSamples(plane, samples, stride, plane.down * 8);
  const scaleX = brightness.component.horizontal / plane.component.horizontal;
  const scaleY = brightness.component.vertical / plane.component.vertical;
  return { samples, stride, scaleX, scaleY };
}

type Samples = Float32Array | Int16Array;

function readSamples(plane: Plane, samples: Samples, width: number, height: number): void {
  const { across, down, stride, levels, steps } = plane;
  const block = new Float64Array(64);
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const from = (row * stride + column) * 64;
      for (let at = 0; at < 64; at++) block[at] = (levels[from + at] ?? 0) * (steps[at] ?? 0);
      transformBack(block);
      copyBlock(block, samples, width, height, column * 8, row * 8);
    }
  }
}

function copyBlock(block: Float64Array, samples: Samples, width: number, height: number, x: number, y: number) {
  const [columns, rows] = [Math.min(8, width - x), Math.min(8, height - y)];
  for (let row = 0; row < rows; row++) {
    const to = (y + row) * width + x;
    for (let column = 0; column < columns; column++) samples[to + column] = block[row * 8 + column] ?? 0;
  }
}
