const CODES = 12;

/** Tells what an operator shows, by the codes of its font: their number and the first of them. */
export function keyOf(codes: readonly number[]): string {
  return `${codes.length} ${codes.slice(0, CODES).join(' ')}`;
}

/** The keys of a string whose font has codes of one byte, and of one whose font has codes of two. */
export function keysOf(bytes: Uint8Array): string[] {
  const pairs = Array.from(
    { length: bytes.length >> 1 },
    (_, at) => ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0),
  );
  return [keyOf([...bytes]), ...(bytes.length % 2 === 0 ? [keyOf(pairs)] : [])];
}
