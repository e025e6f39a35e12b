import sharp from 'sharp';
import type { Pixels } from '../model.ts';
import { pixelsOf } from './pixels.ts';

const QUALITY = 90;
const LONGEST_SIDE = 1600;
/** This share of the differences is at most white; the rest is stretched over the scale, but never more than this many times. */
const WHITE = 0.995;
const STRONGEST = 64;

/**
 * What saving a picture once more as a JPEG would change, made visible: upright, at most 1600 pixels a side, black where
 * nothing changes, and white where most does. Parts from elsewhere may be brighter than parts like them; letters and edges always are. @throws
 * Unreadable
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
    .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: small };
}

/** The level that all but a few are at most. */
function highOf(levels: Uint8Array): number {
  const counts = new Float64Array(256);
  for (const level of levels) counts[level] = (counts[level] ?? 0) + 1;
  let below = 0;
  return counts.findIndex((count) => {
    below += count;
    return below >= WHITE * levels.length;
  });
}
