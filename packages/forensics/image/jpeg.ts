import { cached } from '../cached.ts';
import { Unreadable } from '../model.ts';

/**
 * The marker segments of a JPEG (ITU-T T.81, annex B), read without decoding the picture. Tolerates what cameras and messengers write (fill
 * bytes, rubbish between segments, a missing end), within the bounds of the constants below.
 */

export interface Segment {
  /** The second byte of the marker, as 0xe1 for APP1. */
  marker: number;
  /** The offset of the data after the length. */
  start: number;
  end: number;
}

export interface Jpeg {
  width: number;
  height: number;
  segments: Segment[];
}

const SEGMENTS = 2000;
export const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** @throws Unreadable if it is not a JPEG, or has no frame header with a size */
export const jpegOf: (bytes: Uint8Array) => Jpeg = cached((bytes) => {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new Unreadable('The file does not begin as a JPEG picture does.');
  const segments = segmentsOf(bytes);
  const frame = segments.find(({ marker }) => isFrame(marker));
  const size = frame && sizeIn(bytes, frame);
  if (size === undefined) throw new Unreadable('The picture’s header is damaged.');
  return { ...size, segments };
});

function segmentsOf(bytes: Uint8Array): Segment[] {
  const segments: Segment[] = [];
  let at = 2;
  while (segments.length < SEGMENTS) {
    const offset = nextMarker(bytes, at);
    const marker = offset === undefined ? END_OF_IMAGE : (bytes[offset + 1] ?? 0);
    if (offset === undefined || marker === END_OF_IMAGE) break;
    const start = Math.min(offset + 4, bytes.length);
    const end = Math.min(Math.max(offset + 2 + word(bytes, offset + 2), start), bytes.length);
    segments.push({ marker, start, end });
    at = marker === START_OF_SCAN ? (nextMarker(bytes, end) ?? bytes.length) : end;
  }
  return segments;
}

/** The offset of the next marker that is not a stuffed byte, a fill byte or a restart. */
function nextMarker(bytes: Uint8Array, from: number): number | undefined {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && at + 1 < bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    const skipped = marker === 0 || marker === 0xff || marker === 1 || (marker >= 0xd0 && marker <= 0xd8);
    if (!skipped) return at;
    at = bytes.indexOf(0xff, at + 1);
  }
  return undefined;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function sizeIn(bytes: Uint8Array, { start, end }: Segment) {
  const components = bytes[start + 5] ?? 0;
  const [height, width] = [word(bytes, start + 1), word(bytes, start + 3)];
  const isWhole = start + 6 + 3 * components <= end && components >= 1 && components <= 4;
  return isWhole && width > 0 && height > 0 ? { width, height } : undefined;
}

function word(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
