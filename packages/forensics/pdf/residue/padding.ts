import { inflateSync } from 'node:zlib';
import type { Evidence } from '../../rule.ts';
import { entry, listOf, nameOf, type PdfObject } from '../objects.ts';
import type { Structure } from '../structure.ts';
import { contentStreams } from './content.ts';

const PAGES = 300;
const LONGEST = 32 * 1024 * 1024;
/** A single byte may terminate a string in the writer's programming language. */
const FILLER = 2;

/** Page contents whose compressed data end before their stream does, with zeros or spaces in the rest. */
export function filledUp(structure: Structure): Evidence[] {
  if (structure.encrypted) return [];
  const { bytes } = structure;
  return structure.current
    .pages()
    .slice(0, PAGES)
    .flatMap((page, index) =>
      contentStreams(structure.current, page).flatMap((stream) => {
        const filler = fillerOf(bytes, stream);
        if (filler === 0 || stream.data === undefined) return [];
        return [{ page: index + 1, offset: stream.data.end - filler, length: filler }];
      }),
    );
}

function fillerOf(bytes: Uint8Array, { value, data }: PdfObject): number {
  const filter = entry(value, 'Filter');
  const list = listOf(filter);
  const name = nameOf(list === undefined ? filter : list[0]);
  if (data === undefined || name !== 'FlateDecode' || (list !== undefined && list.length > 1)) return 0;
  const encoded = bytes.subarray(data.start, data.end);
  const last = encoded.at(-1);
  if (last !== 0 && last !== 32) return 0;
  const used = lengthUsed(encoded);
  if (used === undefined || encoded.length - used < FILLER) return 0;
  return encoded.subarray(used).every((byte) => byte === last) ? encoded.length - used : 0;
}

function lengthUsed(encoded: Uint8Array): number | undefined {
  try {
    const read: unknown = inflateSync(encoded, { maxOutputLength: LONGEST, info: true });
    const engine = typeof read === 'object' && read !== null && 'engine' in read ? read.engine : undefined;
    const written =
      typeof engine === 'object' && engine !== null && 'bytesWritten' in engine ? engine.bytesWritten : undefined;
    return typeof written === 'number' ? written : undefined;
  } catch {
    return undefined;
  }
}
