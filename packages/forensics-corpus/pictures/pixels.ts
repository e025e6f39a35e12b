import sharp, { type Sharp } from 'sharp';
import type { Place } from '../pdf/locate.ts';
import type { Raster } from '../pdf/raster.ts';
import type { Random } from '../random.ts';

/** Pixel operations shared by several kinds of pictures. */

export function blank(width: number, height: number): Raster {
  return { width, height, data: new Uint8Array(width * height * 3).fill(255) };
}

/** Sensor noise: roughly normal in brightness, and weaker in each colour. */
export function withNoise(raster: Raster, strength: number, random: Random): Raster {
  const grain = Float32Array.from({ length: 8192 }, () => random.bell() * 1.4 * strength);
  const tint = Float32Array.from({ length: 8191 }, () => random.bell() * 0.7 * strength);
  const start = random.integer(0, 8191);
  const data = new Uint8Array(raster.data.length);
  let turn = start;
  for (let at = 0; at < data.length; at += 3) {
    // Steps without a common period, so that no pattern becomes visible.
    turn = (turn * 1103 + 12_345) & 0x7fffffff;
    const grey = grain[(turn >> 8) & 8191] ?? 0;
    for (let channel = 0; channel < 3; channel += 1) {
      const value = (raster.data[at + channel] ?? 0) + grey + (tint[((turn >> 5) + channel * 2711) % 8191] ?? 0);
      data[at + channel] = Math.max(0, Math.min(255, Math.round(value)));
    }
  }
  return { ...raster, data };
}

export function image({ width, height, data }: Raster): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

export async function decoded(bytes: Uint8Array): Promise<Raster> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

export async function jpeg(raster: Raster, quality: number, subsampled = true): Promise<Uint8Array> {
  const chromaSubsampling = subsampled ? '4:2:0' : '4:4:4';
  return new Uint8Array(await image(raster).jpeg({ quality, chromaSubsampling }).toBuffer());
}

export async function png(raster: Raster): Promise<Uint8Array> {
  return new Uint8Array(await image(raster).png().toBuffer());
}

/** Rounded to whole pixels and clipped to the picture. */
export function clipped(place: Place, { width, height }: Raster, padding = 0): Place {
  const x = Math.max(0, Math.floor(place.x - padding));
  const y = Math.max(0, Math.floor(place.y - padding));
  const right = Math.min(width, Math.ceil(place.x + place.width + padding));
  const bottom = Math.min(height, Math.ceil(place.y + place.height + padding));
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) };
}

export function cropped({ width, data }: Raster, place: Place): Raster {
  const rows = Array.from({ length: place.height }, (_, row) => {
    const from = ((place.y + row) * width + place.x) * 3;
    return data.subarray(from, from + place.width * 3);
  });
  return { width: place.width, height: place.height, data: new Uint8Array(Buffer.concat(rows)) };
}

/** A copy with the patch pasted in. */
export function pasted(raster: Raster, patch: Raster, x: number, y: number): Raster {
  const data = raster.data.slice();
  for (let row = 0; row < patch.height; row += 1) {
    const line = patch.data.subarray(row * patch.width * 3, (row + 1) * patch.width * 3);
    data.set(line, ((y + row) * raster.width + x) * 3);
  }
  return { ...raster, data };
}
