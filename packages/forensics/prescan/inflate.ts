import { constants, inflateSync } from 'node:zlib';

const ZLIB_DEFLATE = 8;

/** Whether bytes begin with a zlib header (RFC 1950, 2.2). */
export function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === ZLIB_DEFLATE && ((first << 8) | second) % 31 === 0;
}

/** Inflates up to damage or the end; undefined if the result exceeds `longest` bytes. */
export function inflateAtMost(bytes: Uint8Array, longest: number): Uint8Array | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, longest), finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLong ? undefined : new Uint8Array();
  }
}
