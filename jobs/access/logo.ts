import type { ForensicEngine, Scaled } from '@tenant-screening/forensics/analysis';
import { encodePng } from '@tenant-screening/forensics/encode-png';
import { newId } from '../../core/ids.ts';
import { contrast } from '../../core/rules/brand-colours.ts';
import { keptSize } from '../../core/rules/logos.ts';
import type { Logo } from '../../db/access/landlord-brands.ts';
import { BEGINNING_BYTES, mediaTypeOf } from '../../providers/documents/media-type.ts';

export const MAX_LOGO_MIB = 2;
export const MAX_LOGO_BYTES = MAX_LOGO_MIB * 1024 * 1024;
export const MAX_LOGO_MEGAPIXELS = 16;

/** Keeps white except for pale logos. */
const MIN_CONTRAST = 1.5;

const formats: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/** What is wrong with a file: `kind` is neither PNG, JPEG nor WebP, `vector` an SVG, which may hold programs. */
export type LogoFault = 'empty' | 'heavy' | 'vector' | 'kind' | 'large' | 'damaged' | 'transparent';

/** Decodes a picture in the sandbox and encodes its pixels again, so that nothing else is kept, in a bounded size. */
export async function readLogo(
  { forensics }: { forensics: Pick<ForensicEngine, 'scale'> },
  bytes: Uint8Array,
): Promise<Logo | LogoFault> {
  if (bytes.length === 0) return 'empty';
  if (bytes.length > MAX_LOGO_BYTES) return 'heavy';
  const beginning = Buffer.from(bytes.subarray(0, BEGINNING_BYTES));
  // Many more formats should not reach the decoders.
  if (!formats.includes(await mediaTypeOf(beginning, beginning.length === bytes.length)))
    return /<svg[\s>]/i.test(beginning.toString('latin1')) ? 'vector' : 'kind';
  const picture = {
    id: newId(),
    name: 'logo',
    async *read() {
      yield bytes;
    },
  };
  const scaled = await forensics.scale(picture, { ...keptSize, maxMegapixels: MAX_LOGO_MEGAPIXELS });
  if (typeof scaled === 'string') return scaled === 'harmful' ? 'large' : 'damaged';
  const { width, height } = scaled;
  const ground = groundFor(scaled);
  if (ground === undefined) return 'transparent';
  return { content: Buffer.from(encodePng({ width, height, data: on(ground, scaled) })), width, height };
}

/**
 * Fills transparent areas with white or black, whichever contrasts more with the rest: pages and mails have light and dark modes.
 * @returns undefined when nothing is visible
 */
function groundFor({ data }: Scaled): 0 | 255 | undefined {
  const sums = [0, 0, 0];
  let visible = 0;
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0;
    visible += alpha;
    for (const channel of sums.keys()) sums[channel] = (sums[channel] ?? 0) + alpha * (data[at + channel] ?? 0);
  }
  if (visible === 0) return undefined;
  const hex = sums.map((sum) =>
    Math.round(sum / visible)
      .toString(16)
      .padStart(2, '0'),
  );
  return contrast(`#${hex.join('')}`, '#ffffff') >= MIN_CONTRAST ? 255 : 0;
}

/** The pixels without transparency. */
function on(ground: number, { data }: Scaled): Uint8Array {
  const opaque = new Uint8Array((data.length / 4) * 3);
  for (let pixel = 0; pixel * 4 < data.length; pixel++) {
    const alpha = (data[pixel * 4 + 3] ?? 0) / 255;
    for (let channel = 0; channel < 3; channel++)
      opaque[pixel * 3 + channel] = Math.round(alpha * (data[pixel * 4 + channel] ?? 0) + (1 - alpha) * ground);
  }
  return opaque;
}
