import { jpegOf, START_OF_SCAN } from '../image/jpeg.ts';
import { pngOf } from '../image/png.ts';
import { inflateAtMost } from './inflate.ts';
import { checkPixels, Refused, refuseBomb } from './refused.ts';

const MIB = 1024 * 1024;
/** Decoding processes all pixels once for each progressive scan. */
const SCANS = 100;
const SCANNED_MEGAPIXELS = 1500;
const MAX_CHUNK_BYTES = 8 * MIB;

/** @throws Refused, and Unreadable for a picture without dimensions */
export function prescanJpeg(bytes: Uint8Array): { width: number; height: number } {
  const { width, height, segments } = jpegOf(bytes);
  checkPixels(width, height);
  const scans = segments.filter(({ marker }) => marker === START_OF_SCAN).length;
  if (scans > SCANS || (scans * width * height) / 1_000_000 > SCANNED_MEGAPIXELS)
    throw new Refused('The picture is drawn over so often that it cannot be one of a camera.');
  return { width, height };
}

/** @throws Refused, and Unreadable for a picture without dimensions */
export function prescanPng(bytes: Uint8Array): { width: number; height: number } {
  const { width, height, chunks } = pngOf(bytes);
  checkPixels(width, height);
  for (const { type, start, end } of chunks) checkChunk(type, bytes.subarray(start, end));
  return { width, height };
}

/** Texts and colour profiles, which readers inflate whole (PNG, third edition, 11.3.2.3 and 11.3.3). */
function checkChunk(type: string, data: Uint8Array): void {
  if (type !== 'iCCP' && type !== 'zTXt' && type !== 'iTXt') return;
  const keywordEnd = data.indexOf(0);
  // In iTXt the language and the translated keyword precede the text, each terminated by NUL.
  const start = type === 'iTXt' ? data.indexOf(0, data.indexOf(0, keywordEnd + 3) + 1) + 1 : keywordEnd + 2;
  if (inflateAtMost(data.subarray(start), MAX_CHUNK_BYTES) === undefined) refuseBomb();
}
