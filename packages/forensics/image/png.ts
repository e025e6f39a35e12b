import { inflateSync } from 'node:zlib';
import { Unreadable } from '../model.ts';

/** The chunks of a PNG (W3C PNG specification, third edition), read without decoding the picture. */

interface Chunk {
  type: string;
  /** The offset of the chunk's first byte, its length field. */
  offset: number;
  /** The offset of its data. */
  start: number;
  end: number;
}

export interface Png {
  width: number;
  height: number;
  chunks: Chunk[];
  /** The file's texts by keyword; the first of each keyword. */
  texts: Map<string, string>;
}

const CHUNKS = 5000;
const TEXTS = 50;
const TEXT_BYTES = 1_000_000;
const KEYWORD_BYTES = 79;

/** @throws Unreadable if it is not a PNG, or has no header with a size */
export function pngOf(bytes: Uint8Array): Png {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPng = bytes.length >= 33 && view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a;
  if (!isPng) throw new Unreadable('The file does not begin as a PNG picture does.');
  const chunks: Chunk[] = [];
  let at = 8;
  while (at + 12 <= bytes.length && chunks.length < CHUNKS) {
    const start = at + 8;
    const end = start + view.getUint32(at);
    if (end > bytes.length) break;
    const type = latin(bytes, at + 4, start);
    chunks.push({ type, offset: at, start, end });
    at = end + 4;
    if (type === 'IEND') break;
  }
  if (chunks[0]?.type !== 'IHDR') throw new Unreadable('The picture’s header is damaged.');
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width === 0 || height === 0) throw new Unreadable('The picture’s header is damaged.');
  return { width, height, chunks, texts: textsOf(bytes, chunks) };
}

function textsOf(bytes: Uint8Array, chunks: readonly Chunk[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { type, start, end } of chunks) {
    if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') continue;
    if (texts.size >= TEXTS) break;
    const keywordEnd = bytes.indexOf(0, start);
    if (keywordEnd < 0 || keywordEnd >= end || keywordEnd - start > KEYWORD_BYTES) continue;
    const keyword = latin(bytes, start, keywordEnd);
    const text = textOf(type, bytes.subarray(keywordEnd + 1, end));
    if (text !== undefined && !texts.has(keyword)) texts.set(keyword, text);
  }
  return texts;
}

function textOf(type: string, data: Uint8Array): string | undefined {
  if (type === 'tEXt') return latin(data, 0, Math.min(data.length, TEXT_BYTES));
  if (type === 'zTXt') return unpacked(data.subarray(1))?.toString('latin1');
  const languageEnd = data.indexOf(0, 2);
  const translationEnd = languageEnd < 0 ? -1 : data.indexOf(0, languageEnd + 1);
  if (translationEnd < 0) return undefined;
  const content = data.subarray(translationEnd + 1);
  if (data[0] === 1) return unpacked(content)?.toString('utf8');
  return Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, TEXT_BYTES)).toString('utf8');
}

/** Undefined if the data are damaged or too long. */
function unpacked(data: Uint8Array): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: TEXT_BYTES });
  } catch {
    return undefined;
  }
}

function latin(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
