import { Unreadable } from '../model.ts';
import { dictionaryOf, entry, nameOf, numberOf, type PdfObject, type Value } from '../pdf/objects.ts';
import type { Structure } from '../pdf/structure.ts';
import type { View } from '../pdf/view.ts';
import { brightnessOfJpeg } from './brightness.ts';
import { coefficientsOf } from './jpeg/decode.ts';
import { jpegOf } from './jpeg/jpeg.ts';
import type { Grey } from './likeness.ts';

const PIXELS = 16_000_000;

/**
 * The brightness of a picture in a PDF, from 0 to 255, decoded without native code; undefined if it is stored in a way that is not
 * supported here (JPEG 2000, fax, palettes), has more than 16 million pixels, or is damaged.
 */
export function greyOf(structure: Structure, view: View, picture: PdfObject): Grey | undefined {
  try {
    const filters = filtersOf(view, picture.value);
    return filters.length === 1 && filters[0] === 'DCTDecode'
      ? fromJpeg(structure, picture)
      : fromSamples(structure, view, picture);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function filtersOf(view: View, value: Value): (string | undefined)[] {
  const written = view.resolve(entry(dictionaryOf(value), 'Filter'));
  return (Array.isArray(written) ? written : [written]).slice(0, 4).map((filter) => nameOf(view.resolve(filter)));
}

function fromJpeg({ bytes, encrypted }: Structure, { data }: PdfObject): Grey | undefined {
  if (data === undefined || encrypted) return undefined;
  const file = bytes.subarray(data.start, data.end);
  const { frame } = jpegOf(file);
  if (frame.width * frame.height > PIXELS) return undefined;
  const { width, height, values } = brightnessOfJpeg(coefficientsOf(file));
  return { width, height, data: values.map((value) => value + 128) };
}

function fromSamples(structure: Structure, view: View, picture: PdfObject): Grey | undefined {
  const number = (key: string) => numberOf(view.get(picture.value, key)) ?? 0;
  const [width, height, bits] = [number('Width'), number('Height'), number('BitsPerComponent')];
  const channels = channelsOf(view, view.get(picture.value, 'ColorSpace'));
  const isSize = Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0;
  if (!isSize || width * height > PIXELS || channels === undefined || (bits !== 8 && !(bits === 1 && channels === 1)))
    return undefined;
  const samples = structure.decoded(picture);
  const stride = Math.ceil((width * bits * channels) / 8);
  if (samples === undefined || samples.length < stride * height) return undefined;
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * stride;
      data[y * width + x] = bits === 1 ? bit(samples, at, x) : brightness(samples, at + x * channels, channels);
    }
  }
  const [from, to] = view.list(picture.value, 'Decode').map(numberOf);
  return { width, height, data: (from ?? 0) > (to ?? 1) ? data.map((value) => 255 - value) : data };
}

function bit(samples: Uint8Array, at: number, x: number): number {
  return (((samples[at + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) * 255;
}

function brightness(samples: Uint8Array, at: number, channels: number): number {
  const [red = 0, green = 0, blue = 0] = [samples[at], samples[at + 1], samples[at + 2]];
  return channels === 1 ? red : 0.299 * red + 0.587 * green + 0.114 * blue;
}

function channelsOf(view: View, space: Value | undefined): 1 | 3 | undefined {
  const [kind, profile] = Array.isArray(space) ? space : [space];
  const name = nameOf(view.resolve(kind));
  if (name === 'DeviceGray' || name === 'CalGray') return 1;
  if (name === 'DeviceRGB' || name === 'CalRGB') return 3;
  const count = name === 'ICCBased' ? view.get(profile, 'N') : undefined;
  return count === 1 || count === 3 ? count : undefined;
}
