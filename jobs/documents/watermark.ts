import { fileURLToPath } from 'node:url';
import type { Preview } from '@tenant-screening/forensics/analysis';
import { html } from '../../core/html.ts';

/** The font of reports: no other is needed on the machine. */
const FONT = { font: 'Noto Sans SemiBold', file: '600SemiBold/NotoSans_600SemiBold.ttf' };
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };
const GAP = { top: 34, bottom: 34, left: 26, right: 26 };
const QUALITY = 82;
/** Narrower pictures are enlarged, so that the words fit. */
const MIN_WIDTH = 700;

/**
 * Draws who looks, and when, across a page: into the pixels, so that no copy of the picture lacks it.
 * @param words such as a name and a moment
 */
export async function watermarked(preview: Preview, words: string): Promise<Preview> {
  const tile = await tileOf(words);
  return { ...preview, picture: await stamped(preview.picture, tile) };
}

async function tileOf(words: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const fontfile = fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${FONT.file}`));
  const text = html`<span foreground="#8a1f1f" alpha="30%">${words}</span>`.markup;
  const label = await sharp({ text: { text, font: FONT.font, fontfile, dpi: 120, rgba: true } })
    .extend({ ...GAP, background: CLEAR })
    .png()
    .toBuffer();
  return sharp(label).rotate(-24, { background: CLEAR }).png().toBuffer();
}

async function stamped(picture: Uint8Array, tile: Buffer): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const page = sharp(picture).flatten({ background: '#ffffff' });
  const { width = 0 } = await sharp(picture).metadata();
  if (width < MIN_WIDTH) page.resize({ width: MIN_WIDTH });
  const { data, info } = await page.raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const cover = await sharp(tile).resize({
    width: raw.width,
    height: raw.height,
    fit: 'inside',
    withoutEnlargement: true,
  });
  return sharp(data, { raw })
    .composite([{ input: await cover.png().toBuffer(), tile: true }])
    .jpeg({ quality: QUALITY })
    .toBuffer();
}
