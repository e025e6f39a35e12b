import { constants } from 'node:zlib';
import { Inflate } from 'pako';

/** Both in bytes. */
const PIECE = 4096;
const CHUNK = 4096;

interface Inflated {
  output: Uint8Array;
  /** Where the piece begins that could not be inflated; undefined if none failed. */
  failedAt: number | undefined;
}

/**
 * Inflates damaged data (RFC 1951) up to the damage, as PDF viewers do: Node's zlib returns nothing of them. In two passes: the first
 * finds the piece that is damaged, the second goes through it byte by byte. Undefined if the result exceeds `longest` bytes.
 */
export function inflateUpToDamage(data: Uint8Array, longest: number): Uint8Array | undefined {
  const first = inflatePieces(data, longest, data.length);
  if (first?.failedAt === undefined) return first?.output;
  return inflatePieces(data.subarray(0, first.failedAt + PIECE), longest, first.failedAt)?.output;
}

function inflatePieces(data: Uint8Array, longest: number, bytewiseFrom: number): Inflated | undefined {
  const inflator = new Inflate({ raw: true, chunkSize: CHUNK });
  const chunks: Uint8Array[] = [];
  let length = 0;
  inflator.onData = (chunk) => {
    const bytes = new Uint8Array(chunk);
    length += bytes.length;
    chunks.push(bytes);
  };
  for (let at = 0; at < data.length; ) {
    const end = at < bytewiseFrom ? Math.min(at + PIECE, bytewiseFrom) : at + 1;
    const goesOn = inflator.push(data.subarray(at, end), constants.Z_SYNC_FLUSH);
    if (length > longest) return undefined;
    if (inflator.err < 0) return { output: Buffer.concat(chunks), failedAt: at };
    if (!goesOn) break;
    at = end;
  }
  return { output: Buffer.concat(chunks), failedAt: undefined };
}
