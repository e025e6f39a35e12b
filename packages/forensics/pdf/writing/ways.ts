import type { zlibSync } from 'fflate';
import type { deflate } from 'pako';
import type { PdfObject } from '../objects.ts';
import { inflate } from '../streams.ts';

/** Compression with zlib, as `pako` implements it (with the same bytes on every machine), and with `fflate`. */
export interface Packers {
  zlib: typeof deflate;
  fflate: typeof zlibSync;
}

/** Unpacked, in bytes. Any compressor packs shorter streams alike; longer ones cost more than they tell. */
const SHORTEST = 500;
const LONGEST = 9_000;
const IN_ALL = 24_000;
/** This many streams are compared, and at least this many must agree. */
const SIBLINGS = 3;
const FEWEST = 2;
/** The levels by the second byte of the data (RFC 1950, 2.2). */
const LEVELS: Readonly<Record<string, readonly (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9)[]>> = {
  '7801': [1],
  '785e': [5, 4, 3, 2],
  '789c': [6],
  '78da': [9, 8, 7],
};

/**
 * Names what compressed a stream, as in "zlib, beginning with 789c". Each stream is unpacked and packed again: if the result is the same,
 * that library packed it at that level. Results are remembered, and the total is bounded.
 */
export class Ways {
  readonly #bytes: Uint8Array;
  readonly #packers: Packers;
  readonly #known = new Map<PdfObject, string | undefined>();
  #left = IN_ALL;

  constructor(bytes: Uint8Array, packers: Packers) {
    this.#bytes = bytes;
    this.#packers = packers;
  }

  /** Undefined if the stream tells nothing. */
  of(stream: PdfObject): string | undefined {
    if (!this.#known.has(stream)) this.#known.set(stream, this.#find(stream));
    return this.#known.get(stream);
  }

  isFflate(stream: PdfObject): boolean {
    return this.of(stream)?.startsWith('fflate') === true;
  }

  /** The way shared by the first few that tell anything; undefined if they differ. */
  common(streams: readonly PdfObject[]): string | undefined {
    const ways: string[] = [];
    for (const stream of streams) {
      const way = this.of(stream);
      if (way !== undefined) ways.push(way);
      if (ways.length === SIBLINGS || new Set(ways).size > 1) break;
    }
    return ways.length >= FEWEST && new Set(ways).size === 1 ? ways[0] : undefined;
  }

  #find(stream: PdfObject): string | undefined {
    const unpacked = tellingContent(this.#bytes, stream);
    if (unpacked === undefined || stream.data === undefined || this.#left < unpacked.length) return undefined;
    this.#left -= unpacked.length;
    const packed = this.#bytes.subarray(stream.data.start, stream.data.end);
    const header = Buffer.from(packed.subarray(0, 2)).toString('hex');
    const library = this.#libraryOf(header, packed, unpacked);
    return library === undefined ? undefined : `${library}, beginning with ${header}`;
  }

  /** Undefined if both libraries pack the content the same way, as they do where it repeats itself. */
  #libraryOf(header: string, packed: Uint8Array, unpacked: Uint8Array): string | undefined {
    const { zlib, fflate } = this.#packers;
    const levels = LEVELS[header] ?? [];
    const isZlib = levels.some((level) => startsAlike(packed, zlib(unpacked, { level })));
    const isFflate = levels.some((level) => startsAlike(packed, fflate(unpacked, { level })));
    if (isZlib && isFflate) return undefined;
    return isZlib ? 'zlib' : isFflate ? 'fflate' : 'neither zlib nor fflate';
  }
}

/** The unpacked content of a stream of a length that can be compared. */
export function tellingContent(bytes: Uint8Array, { data }: PdfObject): Uint8Array | undefined {
  if (data === undefined || data.end - data.start > LONGEST) return undefined;
  try {
    const unpacked = inflate(bytes.subarray(data.start, data.end), LONGEST);
    return (unpacked?.length ?? 0) < SHORTEST ? undefined : unpacked;
  } catch {
    return undefined;
  }
}

/** A line break may stand between the data and the end of the stream. */
function startsAlike(packed: Uint8Array, again: Uint8Array): boolean {
  return packed.length - again.length <= 2 && Buffer.compare(packed.subarray(0, again.length), again) === 0;
}
