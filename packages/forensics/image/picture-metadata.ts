import type { Kind } from '../model.ts';
import { jpegOf } from './jpeg.ts';
import { pngOf } from './png.ts';

/** What a picture file holds beside the picture, as text: names are searched in it, so that no format needs a parser of its own. */

const BYTES = 4_000_000;
const COMMENT = 0xfe;
/** Application data from APP1 on. */
const APPLICATION = [0xe1, 0xef] as const;
/** The segment of records of the origin. */
const RECORD = 0xeb;
/** What each piece of a record begins with: the format, numbers, and the header of the box. */
const HEADER_BYTES = 16;
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
  const [first, last] = APPLICATION;
  const isOther = (marker: number) => marker !== RECORD && marker >= first && marker <= last;
  const pieces = segments.filter(({ marker }) => marker === RECORD);
  const others = segments.filter(({ marker }) => isOther(marker) || marker === COMMENT);
  return [
    latin(Buffer.concat(pieces.map(({ start, end }) => bytes.subarray(Math.min(end, start + HEADER_BYTES), end)))),
    ...others.map(({ start, end }) => latin(bytes.subarray(start, end))),
  ];
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, BYTES)).toString('latin1');
}
