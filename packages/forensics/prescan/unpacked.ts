import { constants, inflateSync } from 'node:zlib';

const ZLIB_DEFLATE = 8;

/** Whether bytes begin as data packed by zlib do (RFC 1950, 2.2). */
export function looksPacked(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === ZLIB_DEFLATE && ((first << 8) | second) % 31 === 0;
}

/** What packed bytes stand for, up to where they are damaged or end; undefined when that is more than the longest. */
export function unpacked(bytes: Uint8Array, longest: number): Uint8Array | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, longest), finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLong ? undefined : new Uint8Array();
  }
}
