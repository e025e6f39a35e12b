import { jpegOf } from './jpeg/jpeg.ts';
import { pngOf } from './png.ts';

/** Larger pictures are not looked at, here or in a file. Phones make 12 to 50, the largest of them 200, which messengers reduce. */
export const MOST_MEGAPIXELS = 50;

interface Dimensions {
  width: number;
  height: number;
}

/** As the file's header says, before the picture is turned upright. @throws Unreadable when it is neither JPEG nor PNG. */
export function dimensionsOf(bytes: Uint8Array): Dimensions {
  const { width, height } = bytes[0] === 0x89 ? pngOf(bytes) : jpegOf(bytes).frame;
  return { width, height };
}
