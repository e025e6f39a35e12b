import type { Place } from '../pdf/locate.ts';
import type { Raster } from '../pdf/raster.ts';
import type { Random } from '../random.ts';
import { laid, mappedPlace, type Perspective, perspectiveOf } from './perspective.ts';
import { blank, image, withNoise } from './pixels.ts';

/** How a flat page becomes a picture. The same view of another page gives the picture that an honest camera would have taken of it. */
export interface View {
  width: number;
  height: number;
  perspective: Perspective;
  background: Raster;
  /** The brightness over the whole picture, as a fraction. */
  light: Float32Array;
  noise: number;
  softness: number;
}

/** A handheld photo of a page on a table, in room light. @param aspect of the page: width divided by height */
export async function photoView(aspect: number, random: Random, pixels = 2_000_000): Promise<View> {
  const upright = aspect < 1;
  const long = Math.round(Math.sqrt(pixels * (4 / 3)));
  const short = Math.round(long * 0.75);
  const [width, height] = upright ? [short, long] : [long, short];
  const pageHeight = Math.min(height * 0.9, (width * 0.9) / aspect);
  const [w, h] = [pageHeight * aspect, pageHeight];
  const [left, top] = [(width - w) / 2, (height - h) / 2];
  const moved = (x: number, y: number) => ({
    x: x + random.bell() * width * 0.012,
    y: y + random.bell() * height * 0.012,
  });
  const corners = [moved(left, top), moved(left + w, top), moved(left + w, top + h), moved(left, top + h)] as const;
  return {
    width,
    height,
    perspective: perspectiveOf(corners),
    background: await table(width, height, random),
    light: lightOf(width, height, 0.55 + random.number() * 0.25, random),
    noise: 1.2 + random.number() * 2.5,
    softness: 0.5 + random.number() * 0.4,
  };
}

/** A scan: nearly straight, evenly lit, little noise. @param scale from the page's raster to the scan's */
export function scanView({ width, height }: Raster, random: Random): View {
  const turn = (random.number() - 0.5) * 0.016;
  const shift = { x: random.number() * 4, y: random.number() * 4 };
  const turned = (x: number, y: number) => ({ x: x - y * turn + shift.x, y: y + x * turn + shift.y });
  const corners = [turned(0, 0), turned(width, 0), turned(width, height), turned(0, height)] as const;
  return {
    width,
    height,
    perspective: perspectiveOf(corners),
    background: blank(width, height),
    light: new Float32Array(width * height).fill(0.97 + random.number() * 0.03),
    noise: 0.6 + random.number() * 1.6,
    softness: 0.4 + random.number() * 0.3,
  };
}

export async function seen(page: Raster, view: View, random: Random): Promise<Raster> {
  const flat = laid(page, view.background, view.perspective);
  const { data } = flat;
  for (let pixel = 0; pixel < view.light.length; pixel += 1)
    for (let channel = 0; channel < 3; channel += 1) {
      const at = pixel * 3 + channel;
      data[at] = Math.min(255, (data[at] ?? 0) * (view.light[pixel] ?? 1));
    }
  const soft = await image(flat).blur(view.softness).raw().toBuffer();
  return withNoise({ ...flat, data: new Uint8Array(soft) }, view.noise, random);
}

/** Maps a place of the page, in pixels of its raster, to the picture. */
export function seenPlace({ x, y, width, height }: Place, page: Raster, view: View): Place {
  const shares = { x: x / page.width, y: y / page.height, width: width / page.width, height: height / page.height };
  return mappedPlace(view.perspective, shares);
}

async function table(width: number, height: number, random: Random): Promise<Raster> {
  const colour = random.pick([
    [122, 86, 58],
    [70, 70, 74],
    [180, 170, 155],
    [52, 40, 34],
  ]);
  const small = blank(Math.ceil(width / 8), Math.ceil(height / 40));
  small.data.forEach((_, at) => {
    small.data[at] = Math.max(0, Math.min(255, (colour[at % 3] ?? 0) + random.bell() * 14));
  });
  const grown = await image(small).resize(width, height, { kernel: 'cubic', fit: 'fill' }).raw().toBuffer();
  return { width, height, data: new Uint8Array(grown) };
}

/** Light that falls off to one side and to the corners. */
function lightOf(width: number, height: number, least: number, random: Random): Float32Array {
  const [fromX, fromY] = [random.number(), random.number()];
  const light = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const distance = Math.hypot(x / width - fromX, y / height - fromY) / Math.SQRT2;
      light[y * width + x] = 1 - (1 - least) * distance * distance;
    }
  return light;
}
