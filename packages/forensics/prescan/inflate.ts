import { constants, inflateRawSync } from 'node:zlib';
import { inflateUpToDamage } from '../pdf/damaged.ts';

const ZLIB_DEFLATE = 8;
const HEADER_BYTES = 2;

/** Whether bytes begin with a zlib header (RFC 1950, 2.2). */
export function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === ZLIB_DEFLATE && ((first << 8) | second) % 31 === 0;
}

/**
 * Inflates data with a zlib header as PDF viewers do: up to the end, or as far as truncated or damaged data go, whatever the checksum
 * says; undefined if the result exceeds `longest` bytes.
 */
export function inflateAtMost(bytes: Uint8Array, longest: number): Uint8Array | undefined {
  const data = bytes.subarray(HEADER_BYTES);
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, longest), finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLong ? undefined : inflateUpToDamage(data, longest);
  }
}
