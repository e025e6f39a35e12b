import type { Logo } from '../../../db/access/landlord-brands.ts';
import {
  type LogoFault,
  MAX_LOGO_BYTES,
  MAX_LOGO_MEGAPIXELS,
  MAX_LOGO_MIB,
  readLogo,
} from '../../../jobs/access/logo.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { OperatorError } from '../cli/faults.ts';
import { streamGivenFile } from '../cli/read-file.ts';

const FAULTS: Record<LogoFault, string> = {
  empty: 'is empty',
  heavy: `is larger than ${MAX_LOGO_MIB} MiB`,
  vector: 'is an SVG, which may hold programs; export it as a PNG',
  kind: 'is not a PNG, JPEG or WebP',
  large: `has more than ${MAX_LOGO_MEGAPIXELS} megapixels, or needs too much memory or time`,
  damaged: 'is damaged',
  transparent: 'is entirely transparent',
};

/** @throws OperatorError when the file is no logo */
export async function logoIn(runtime: Pick<Runtime, 'forensics'>, typed: string): Promise<Logo> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of streamGivenFile(typed)) {
    size += piece.length;
    pieces.push(piece);
    if (size > MAX_LOGO_BYTES) break;
  }
  const logo = await readLogo(runtime, Buffer.concat(pieces));
  if (typeof logo === 'string') throw new OperatorError(`the logo ${FAULTS[logo]}`);
  return logo;
}
