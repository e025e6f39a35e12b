import type { Kind } from '../model.ts';
import { applicationData, jpegOf } from './jpeg/jpeg.ts';
import { pngOf } from './png.ts';

/** What a picture file holds beside the picture, as text: names are searched in it, so that no format needs a parser of its own. */

const BYTES = 4_000_000;
const COMMENT = 0xfe;
const CHUNKS: ReadonlySet<string> = new Set(['caBX', 'eXIf']);

/** Application data and comments of a JPEG, texts and records of a PNG, one per line. @throws Unreadable */
export function metadataOf(kind: Kind, bytes: Uint8Array): string {
  return (kind === 'png' ? ofPng(bytes) : ofJpeg(bytes)).join('\n');
}

function ofPng(bytes: Uint8Array): string[] {
  const { chunks, texts } = pngOf(bytes);
  const records = chunks
    .filter(({ type }) => CHUNKS.has(type))
    .map(({ start, end }) => latin(bytes.subarray(start, end)));
  return [...records, ...[...texts].map(([keyword, text]) => `${keyword}: ${text}`)];
}

/** The pieces of a record of the origin (ISO/IEC 18477-3, B.2) are joined without the headers between them. */
function ofJpeg(bytes: Uint8Array): string[] {
  const { segments } = jpegOf(bytes);
  const pieces = segments.flatMap((segment) => applicationData(bytes, segment, 11, 'JP')?.subarray(14) ?? []);
  const others = segments.filter(
    ({ marker }) => (marker > 0xe0 && marker < 0xeb) || (marker > 0xeb && marker <= 0xef) || marker === COMMENT,
  );
  return [latin(Buffer.concat(pieces)), ...others.map(({ start, end }) => latin(bytes.subarray(start, end)))];
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, BYTES)).toString('latin1');
}
