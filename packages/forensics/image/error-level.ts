import sharp from 'sharp';
import type { Pixels } from '../model.ts';
import { pixelsOf } from './pixels.ts';

const QUALITY = 90;
const MAX_SIDE_PIXELS = 1600;
/** Differences are amplified until this share of them is at most white, but never by more than this factor. */
const WHITE = 0.995;
const STRONGEST = 64;

/**
 * Visualizes what saving a picture once more as a JPEG would change: upright, at most 1600 pixels a side, black where nothing changes and
 * white where most does. Inserted parts may be brighter than similar parts, but letters and edges are always bright. @throws Unreadable
 */
export async function errorLevelMap(bytes: Uint8Array): Promise<Pixels> {
  const { width, height, data } = await pixelsOf(bytes);
  const raw = { raw: { width, height, channels: 3 as const } };
  const again = await sharp(data, raw).jpeg({ quality: QUALITY }).toBuffer();
  const saved = await sharp(again).raw().toBuffer();
  const levels = new Uint8Array(data.length);
  for (let at = 0; at < levels.length; at++) levels[at] = Math.abs((data[at] ?? 0) - (saved[at] ?? 0));
  const times = Math.min(STRONGEST, 255 / Math.max(1, highOf(levels)));
  for (let at = 0; at < levels.length; at++) levels[at] = Math.min(255, Math.round(times * (levels[at] ?? 0)));
  const { data: small, info } = await sharp(levels, raw)
    .resize(MAX_SIDE_PIXELS, MAX_SIDE_PIXELS, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: small };
}

/** The level that at least this share of the values does not exceed. */
function highOf(levels: Uint8Array): number {
  const counts = new Float64Array(256);
  for (const level of levels) counts[level] = (counts[level] ?? 0) + 1;
  let below = 0;
  return counts.findIndex((count) => {
    below += count;
    return below >= WHITE * levels.length;
  });
}
