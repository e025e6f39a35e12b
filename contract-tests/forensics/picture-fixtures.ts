import sharp, { type JpegOptions, type Sharp } from 'sharp';
import type { Box, Pixels } from '../../forensics/model.ts';

/** Pictures of documents made in code: a page, a phone's photo of it, and what is done to it afterwards. */

sharp.concurrency(1);

export type Random = () => number;

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface PageOptions {
  width?: number;
  height?: number;
  /** In pixels. */
  fontSize?: number;
  paper?: string;
}

const SHOPS = ['Rewe Markt', 'Stadtwerke', 'Salaire', 'Deutsche Bahn', 'Supermercado', 'Miete März', 'Versicherung AG'];

/** A statement: rows of a date, words and an amount. */
export async function drawPage(seed: number, options: PageOptions = {}): Promise<Pixels> {
  const { width = 800, height = 1000, fontSize = 22, paper = 'white' } = options;
  const next = random(seed);
  const rows: string[] = [];
  for (let y = 3 * fontSize; y < height - 2 * fontSize; y += fontSize * 1.7) {
    const shop = SHOPS[Math.floor(next() * SHOPS.length)] ?? '';
    const [day, amount] = [String(1 + Math.floor(next() * 28)).padStart(2, '0'), (next() * 3000).toFixed(2)];
    rows.push(
      `<text x="${width * 0.06}" y="${y}">${day}.03.2024</text><text x="${width * 0.3}" y="${y}">${shop}</text>` +
        `<text x="${width * 0.94}" y="${y}" text-anchor="end">${amount.replace('.', ',')}</text>`,
    );
  }
  const head = `<text x="${width * 0.06}" y="${1.7 * fontSize}" font-weight="bold" fill="#7a1020">Kontoauszug ${seed}</text>`;
  return pixelsOfSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Liberation Sans, DejaVu Sans" font-size="${fontSize}"><rect width="100%" height="100%" fill="${paper}"/>${head}${rows.join('')}</svg>`,
  );
}

export async function pixelsOfSvg(svg: string): Promise<Pixels> {
  return pixelsOfFile(Buffer.from(svg));
}

/** As the file stores them, not turned upright. */
export async function pixelsOfFile(file: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** What a phone makes of a page that lies on a table: askew, unevenly lit, a little soft and noisy. */
export function photograph(page: Pixels, seed: number, width = page.width, height = page.height): Pixels {
  const next = random(seed ^ 0x51ed);
  const corner = () => next() * 0.05;
  const [a, b, c, d, e, f] = [corner(), corner(), corner(), corner(), corner(), corner()];
  const [tilt, light, warm] = [next() - 0.5, 0.72 + 0.2 * next(), 0.9 + 0.1 * next()];
  const [grain, soft] = [1.5 + 2.5 * next(), 0.4 + 0.4 * next()];
  const data = new Uint8Array(width * height * 3);
  const noise = softNoise(next, width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [x / width, y / height];
      const px = (-a + u * (1 + a + b) + c * v * (1 - u)) * page.width;
      const py = (-d + v * (1 + d + e) + f * u * (1 - v)) * page.height;
      const shade = light * (1 + 0.25 * tilt * (u - v)) * (1 - 0.15 * ((u - 0.5) ** 2 + (v - 0.5) ** 2));
      const at = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const tint = channel === 2 ? warm : 1;
        const value = sample(page, px, py, channel, soft) * shade * tint + (noise[at + channel] ?? 0) * grain;
        data[at + channel] = Math.max(0, Math.min(255, Math.round(value + 6)));
      }
    }
  }
  return { width, height, data };
}

/** Brown around the page; a mean of four places softens as a lens does. */
function sample({ width, height, data }: Pixels, x: number, y: number, channel: number, soft: number): number {
  if (x < 1 || y < 1 || x > width - 3 || y > height - 3) return [120, 92, 64][channel] ?? 0;
  const at = (ax: number, ay: number) => {
    const [left, top] = [Math.floor(ax), Math.floor(ay)];
    const [right, down] = [ax - left, ay - top];
    const from = (top * width + left) * 3 + channel;
    const upper = (data[from] ?? 0) * (1 - right) + (data[from + 3] ?? 0) * right;
    const lower = (data[from + width * 3] ?? 0) * (1 - right) + (data[from + width * 3 + 3] ?? 0) * right;
    return upper * (1 - down) + lower * down;
  };
  return (at(x - soft, y - soft) + at(x + soft, y - soft) + at(x - soft, y + soft) + at(x + soft, y + soft)) / 4;
}

/** About a normal distribution, with neighbours that go together, as after a camera's own clean-up. */
function softNoise(next: Random, width: number, height: number): Float32Array {
  const raw = Float32Array.from({ length: width * height * 3 }, () => (next() + next() + next() - 1.5) * 2);
  const soft = new Float32Array(raw.length);
  for (let at = 0; at < raw.length; at++) {
    const [left, above] = [raw[at - 3] ?? 0, raw[at - width * 3] ?? 0];
    soft[at] = 0.7 * (raw[at] ?? 0) + 0.4 * left + 0.4 * above;
  }
  return soft;
}

export async function jpeg(pixels: Pixels, quality: number, options: JpegOptions = {}): Promise<Uint8Array> {
  return raw(pixels)
    .jpeg({ quality, ...options })
    .toBuffer();
}

export async function png(pixels: Pixels): Promise<Uint8Array> {
  return raw(pixels).png({ compressionLevel: 3 }).toBuffer();
}

/** As messengers do: at most so many pixels along the longer side, and no metadata. */
export async function resend(file: Uint8Array, longest: number, quality: number): Promise<Uint8Array> {
  return sharp(file)
    .rotate()
    .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality })
    .toBuffer();
}

/** The colour of the paper of a place: its brightest tenth. */
export function paperAt({ width, data }: Pixels, box: Box): [number, number, number] {
  const channels: number[][] = [[], [], []];
  for (let y = box.y; y < box.y + box.height; y++)
    for (let x = box.x; x < box.x + box.width; x++)
      for (const [channel, values] of channels.entries()) values.push(data[(y * width + x) * 3 + channel] ?? 0);
  const bright = channels.map(
    (values) => values.sort((one, other) => other - one)[Math.floor(values.length * 0.3)] ?? 255,
  );
  return [bright[0] ?? 255, bright[1] ?? 255, bright[2] ?? 255];
}

/** Paper colour over a place and other words on it, as an image editor's brush and text tool do. */
export async function retype(pixels: Pixels, box: Box, text: string): Promise<Pixels> {
  const [red, green, blue] = paperAt(pixels, box);
  const patch = await pixelsOfSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${box.width}" height="${box.height}"><rect width="100%" height="100%" fill="rgb(${red},${green},${blue})"/><text x="${box.width * 0.04}" y="${box.height * 0.8}" font-family="Liberation Sans" font-size="${box.height * 0.75}" fill="rgb(${red >> 2},${green >> 2},${blue >> 2})">${text}</text></svg>`,
  );
  return paste(pixels, patch, box);
}

/** A picture, or a part of it, put over another. */
export function paste(onto: Pixels, patch: Pixels, { x, y, width, height }: Box, fromX = 0, fromY = 0): Pixels {
  const data = Uint8Array.from(onto.data);
  for (let row = 0; row < height; row++) {
    const from = ((fromY + row) * patch.width + fromX) * 3;
    data.set(patch.data.subarray(from, from + width * 3), ((y + row) * onto.width + x) * 3);
  }
  return { width: onto.width, height: onto.height, data };
}

function raw({ width, height, data }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}
