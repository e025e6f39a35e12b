import { jpegOf } from './jpeg.ts';
import { pngOf } from './png.ts';

/** Larger pictures are not examined, alone or within a file. Phones take 12 to 50 megapixels, and at most 200, which messengers reduce. */
export const MAX_MEGAPIXELS = 50;

interface Dimensions {
  width: number;
  height: number;
}

/** As stated in the file's header, before rotation. @throws Unreadable if it is neither a JPEG nor a PNG, or its header is damaged */
export function dimensionsOf(bytes: Uint8Array): Dimensions {
  const { width, height } = bytes[0] === 0x89 ? pngOf(bytes) : jpegOf(bytes);
  return { width, height };
}
