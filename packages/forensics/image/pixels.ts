import type { Sharp } from 'sharp';
import { type Pixels, Unreadable } from '../model.ts';
import { dimensionsOf, MOST_MEGAPIXELS } from './dimensions.ts';

/**
 * Pictures decoded by sharp, in this process, without workers and without a cache that would outlive them. It is native
 * code, so that rules import this file only when they have a picture before them.
 */

let loading: Promise<typeof import('sharp').default> | undefined;

/** Loaded when a picture is decoded: it is native code, which reading a PDF must not need. */
function loadSharp(): Promise<typeof import('sharp').default> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}

const FOR_PEOPLE = 85;
const MOST_PIXELS = MOST_MEGAPIXELS * 1_000_000;

/** Upright, on white where it is transparent. @throws Unreadable when it is damaged, cut short or too large. */
export async function pixelsOf(bytes: Uint8Array): Promise<Pixels> {
  return decoded(bytes, (picture) => picture.autoOrient());
}

/** Not turned upright: as the file's own blocks and small pictures lie. @throws Unreadable */
export async function storedPixelsOf(bytes: Uint8Array): Promise<Pixels> {
  return decoded(bytes, (picture) => picture);
}

async function decoded(bytes: Uint8Array, turn: (picture: Sharp) => Sharp): Promise<Pixels> {
  const { width, height } = dimensionsOf(bytes);
  if (width * height > MOST_PIXELS) throw new Unreadable(`The picture has more than ${MOST_MEGAPIXELS} megapixels.`);
  const sharp = await loadSharp();
  const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'truncated', sequentialRead: true });
  try {
    const { data, info } = await turn(picture)
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data: threeChannels(data, info.channels) };
  } catch {
    throw new Unreadable('The picture is damaged.');
  }
}

/** For people to look at, no longer than a side. */
export async function asJpeg({ width, height, data }: Pixels, longestSide: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(data, { raw: { width, height, channels: 3 } })
    .resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: FOR_PEOPLE })
    .toBuffer();
}

/** Grey pictures come with one channel. */
function threeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const count = Math.floor(data.length / channels);
  const three = new Uint8Array(count * 3);
  for (let at = 0; at < count; at++) three.fill(data[at * channels] ?? 0, at * 3, at * 3 + 3);
  return three;
}
