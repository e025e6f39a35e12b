import type { Sharp } from 'sharp';
import { contrast } from '../../../core/rules/brand-colours.ts';
import { keptSize } from '../../../core/rules/logos.ts';
import type { Logo } from '../../../db/access/landlord-brands.ts';
import { BEGINNING_BYTES, mediaTypeOf } from '../../../providers/documents/media-type.ts';
import { OperatorError } from '../cli/faults.ts';
import { streamGivenFile } from '../cli/read-file.ts';

const MAX_MIB = 2;
const MAX_MEGAPIXELS = 16;

const formats: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/**
 * Decodes a picture and re-encodes it, so that only its pixels are kept, in a bounded size.
 * @throws OperatorError when it is not a PNG, JPEG or WebP, too large or damaged
 */
export async function readLogo(typed: string): Promise<Logo> {
  const bytes = await readBounded(typed);
  const beginning = bytes.subarray(0, BEGINNING_BYTES);
  // Sharp reads many more formats than should reach its decoders.
  if (!formats.includes(await mediaTypeOf(beginning, beginning.length === bytes.length)))
    throw new OperatorError(
      /<svg[\s>]/i.test(beginning.toString('latin1'))
        ? 'the logo is an SVG, which may hold programs; export it as a PNG'
        : 'the logo is not a PNG, JPEG or WebP',
    );
  // Native code, loaded only for this command.
  const { default: sharp } = await import('sharp');
  const picture = () =>
    sharp(bytes, { limitInputPixels: MAX_MEGAPIXELS * 1_000_000, failOn: 'truncated' })
      .autoOrient()
      .toColourspace('srgb');
  try {
    const { width = 0, height = 0 } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > MAX_MEGAPIXELS * 1_000_000)
      throw new OperatorError(`the logo has more than ${MAX_MEGAPIXELS} megapixels`);
    return await encoded(picture(), await groundFor(picture()));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError('the logo is damaged');
  }
}

async function encoded(picture: Sharp, background: string): Promise<Logo> {
  const { data, info } = await picture
    .flatten({ background })
    .resize({ ...keptSize, fit: 'inside', withoutEnlargement: true })
    .png({ palette: true, effort: 10 })
    .toBuffer({ resolveWithObject: true });
  return { content: data, width: info.width, height: info.height };
}

/** Fills transparent areas with white or black, whichever contrasts more with the rest: pages and mails have light and dark modes. */
async function groundFor(picture: Sharp): Promise<string> {
  const { data } = await picture
    .resize({ width: 64, height: 64, fit: 'fill' })
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const sums = [0, 0, 0];
  let visible = 0;
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0;
    visible += alpha;
    for (const channel of sums.keys()) sums[channel] = (sums[channel] ?? 0) + alpha * (data[at + channel] ?? 0);
  }
  if (visible === 0) throw new OperatorError('the logo is entirely transparent');
  const average = `#${sums
    .map((sum) =>
      Math.round(sum / visible)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
  return contrast(average, '#ffffff') >= MIN_CONTRAST ? '#ffffff' : '#000000';
}

/** Keeps white except for pale logos. */
const MIN_CONTRAST = 1.5;

async function readBounded(typed: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of streamGivenFile(typed)) {
    size += piece.length;
    if (size > MAX_MIB * 1024 * 1024) throw new OperatorError(`the logo is larger than ${MAX_MIB} MiB`);
    pieces.push(piece);
  }
  if (size === 0) throw new OperatorError('the logo is empty');
  return Buffer.concat(pieces);
}
