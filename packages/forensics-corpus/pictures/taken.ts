import type { Raster } from '../pdf/raster.ts';
import type { Random } from '../random.ts';
import { blank, decoded, image, pasted, png } from './pixels.ts';

/** A picture as forwarded by messengers: smaller, strongly compressed, without the camera's metadata. */
export async function throughMessenger(bytes: Uint8Array, random: Random): Promise<Uint8Array> {
  const raster = await decoded(bytes);
  const quality = random.integer(70, 80);
  const longest = random.pick([1280, 1600]);
  const small = await image(raster)
    .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality })
    .toBuffer();
  return new Uint8Array(small);
}

/** A screenshot of a page in a program's window. */
export function screenshot(page: Raster, random: Random): Promise<Uint8Array> {
  const bar = random.integer(40, 90);
  const margin = random.integer(0, 160);
  const screen = blank(page.width + 2 * margin, page.height + bar);
  const colour = random.pick([
    [32, 33, 36],
    [222, 225, 230],
    [60, 60, 65],
  ]);
  screen.data.forEach((_, at) => {
    screen.data[at] = colour[at % 3] ?? 0;
  });
  return png(pasted(screen, page, margin, bar));
}
