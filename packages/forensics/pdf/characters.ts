/** The class of each byte: whitespace 1, delimiter 2, else 0 (ISO 32000-1, 7.2.2). */
const KIND = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) KIND[byte] = 1;
for (const character of '()<>[]{}/%') KIND[character.charCodeAt(0)] = 2;

export const isSpace = (byte: number | undefined) => byte !== undefined && KIND[byte] === 1;
export const isRegular = (byte: number | undefined) => byte !== undefined && KIND[byte] === 0;
export const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;
export const isDelimiter = (byte: number | undefined) => byte !== undefined && KIND[byte] === 2;

/** The value of a hexadecimal digit; -1 for any other byte. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const upper = byte & 0xdf;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1;
}

/** Up to this length, concatenation is faster than creating a buffer. */
const SHORT = 24;

/** Bytes as Latin-1 characters. */
export function latin(bytes: Uint8Array, start: number, end: number): string {
  if (start >= 0 && end - start <= SHORT) {
    let text = '';
    for (let at = start, last = Math.min(end, bytes.length); at < last; at++)
      text += String.fromCharCode(bytes[at] ?? 0);
    return text;
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', start, end);
}
