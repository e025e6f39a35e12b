import type { Scaled, ScaledSize } from '../analysis.ts';
import { type Pixels, Unreadable } from '../model.ts';
import { dimensionsOf, MAX_MEGAPIXELS } from './dimensions.ts';

/**
 * Decodes pictures with sharp, in this process, without workers and without a cache that would outlive them. sharp is native code, so rules
 * import this file only when they have a picture.
 */

let loading: Promise<typeof import('sharp').default> | undefined;

/** Loaded on demand, because reading a PDF must not need native code. */
function loadSharp(): Promise<typeof import('sharp').default> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}

const FOR_PEOPLE = 85;
const MAX_PIXELS = MAX_MEGAPIXELS * 1_000_000;

/** Upright, on white where it is transparent. @throws Unreadable if it is damaged, truncated or too large */
export async function pixelsOf(bytes: Uint8Array): Promise<Pixels> {
  const { width, height } = dimensionsOf(bytes);
  if (width * height > MAX_PIXELS) throw new Unreadable(`The picture has more than ${MAX_MEGAPIXELS} megapixels.`);
  const sharp = await loadSharp();
  const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated', sequentialRead: true });
  try {
    const { data, info } = await picture
      .autoOrient()
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data: threeChannels(data, info.channels) };
  } catch {
    throw new Unreadable('The picture is damaged.');
  }
}

/** Upright, with its transparency, scaled down into a size. @throws Unreadable if it is damaged, truncated or too large */
export async function scaledPixelsOf(bytes: Uint8Array, size: ScaledSize): Promise<Scaled | 'harmful'> {
  const sharp = await loadSharp();
  const maxPixels = size.maxMegapixels * 1_000_000;
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > maxPixels) return 'harmful';
    const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'truncated' })
      .autoOrient()
      .resize(size.width, size.height, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data: fourChannels(data, info.channels) };
  } catch {
    throw new Unreadable('The picture is damaged.');
  }
}

/** For people to look at; no side is longer than `longestSide`. */
export async function asJpeg({ width, height, data }: Pixels, longestSide: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(data, { raw: { width, height, channels: 3 } })
    .resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: FOR_PEOPLE })
    .toBuffer();
}

/** sharp returns grey pictures with two channels. */
function fourChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 4) return data;
  const four = new Uint8Array((data.length / channels) * 4);
  for (let at = 0; at * channels < data.length; at++) {
    four.fill(data[at * channels] ?? 0, at * 4, at * 4 + 3);
    four[at * 4 + 3] = data[at * channels + channels - 1] ?? 0;
  }
  return four;
}

/** sharp returns grey pictures with one channel. */
function threeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const count = Math.floor(data.length / channels);
  const three = new Uint8Array(count * 3);
  for (let at = 0; at < count; at++) three.fill(data[at * channels] ?? 0, at * 3, at * 3 + 3);
  return three;
}
