import sharp from 'sharp';
import { type Place, scaled } from '../pdf/locate.ts';
import type { Raster } from '../pdf/raster.ts';
import { clipped, cropped, decoded, image, jpeg, pasted } from '../pictures/pixels.ts';
import { seen, type View } from '../pictures/scene.ts';
import type { Random } from '../random.ts';

/**
 * Pastes the new value into the picture of the old one, as with an image editor: the piece comes from another, separately
 * compressed picture, and the result is saved again. @param edited the flat page with the new value
 */
export async function splicedIn(original: Uint8Array, edited: Raster, view: View, place: Place, random: Random) {
  const base = await decoded(original);
  const other = await seen(edited, { ...view, noise: view.noise * (0.4 + random.number() * 0.8) }, random);
  const source = random.chance(0.7) ? await decoded(await jpeg(other, random.integer(55, 96))) : other;
  const scaled = await sized(source, base);
  const box = clipped(scaledPlace(place, view, base), base, 2);
  return { bytes: await jpeg(pasted(base, cropped(scaled, box), box.x, box.y), random.integer(78, 96)), place: box };
}

/** Copies another value of the same picture over this one. */
export async function copiedWithin(original: Uint8Array, from: Place, to: Place, random: Random) {
  const base = await decoded(original);
  const [source, target] = [clipped(from, base, 1), clipped(to, base, 1)];
  const patch = await image(cropped(base, source))
    .resize(target.width, target.height, { fit: 'fill' })
    .raw()
    .toBuffer();
  const piece = { width: target.width, height: target.height, data: new Uint8Array(patch) };
  return { bytes: await jpeg(pasted(base, piece, target.x, target.y), random.integer(80, 97)), place: target };
}

/** Maps a place through a view to the pixels of a picture that may have been scaled down since. */
export function scaledPlace(place: Place, view: View, picture: Raster): Place {
  return scaled(place, picture.width / view.width);
}

async function sized(raster: Raster, { width, height }: Raster): Promise<Raster> {
  if (raster.width === width && raster.height === height) return raster;
  const { data } = raster;
  const resized = await sharp(data, { raw: { width: raster.width, height: raster.height, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  return { width, height, data: new Uint8Array(resized) };
}
