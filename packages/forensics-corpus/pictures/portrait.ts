import type { Random } from '../random.ts';
import { blank, image, jpeg, withNoise } from './pixels.ts';

/** A synthetic face with plausible light and dark areas, as the photo on the card. */
export async function portrait(random: Random): Promise<Uint8Array> {
  const raster = blank(312, 400);
  const skin = random.pick([
    [225, 185, 160],
    [190, 140, 110],
    [120, 80, 60],
  ]);
  const hair = random.pick([
    [40, 30, 25],
    [120, 85, 50],
    [90, 90, 90],
  ]);
  const coat = [random.integer(20, 160), random.integer(20, 160), random.integer(40, 180)];
  const { data, width } = raster;
  for (let at = 0; at < data.length; at += 3) {
    const x = ((at / 3) % width) / width - 0.5;
    const y = Math.floor(at / 3 / width) / 400;
    const colour = colourAt(x, y, skin, hair, coat);
    const light = 1 - 0.25 * (x + 0.5) - 0.1 * y;
    for (let channel = 0; channel < 3; channel += 1) data[at + channel] = (colour[channel] ?? 0) * light;
  }
  const soft = await image(raster).blur(2.2).raw().toBuffer();
  return jpeg(withNoise({ ...raster, data: new Uint8Array(soft) }, 2, random), 88);
}

function colourAt(x: number, y: number, skin: number[], hair: number[], coat: number[]): number[] {
  const within = (cx: number, cy: number, rx: number, ry: number) => ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1;
  if (within(-0.09, 0.42, 0.035, 0.018) || within(0.09, 0.42, 0.035, 0.018)) return [35, 30, 30];
  if (within(0, 0.6, 0.08, 0.02)) return [150, 80, 80];
  if (within(0, 0.46, 0.23, 0.27)) return y < 0.3 ? hair : skin;
  if (within(0, 0.4, 0.27, 0.28)) return hair;
  if (within(0, 1, 0.48, 0.28)) return coat;
  return [215, 220, 225];
}
