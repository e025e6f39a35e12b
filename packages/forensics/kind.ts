import type { Kind } from './model.ts';

/** PDF readers search this many bytes for the header. */
export const HEAD_BYTES = 1024;

/** Signatures of other formats that people submit by mistake. */
const OTHERS: readonly (readonly [at: number, mark: string, name: string])[] = [
  [0, 'PK\x03\x04', 'a Word, Excel or ZIP file'],
  [0, '\xd0\xcf\x11\xe0', 'an older Word or Excel file'],
  [4, 'ftypavif', 'a picture in AVIF'],
  [4, 'ftyphe', 'a photo in HEIC'],
  [4, 'ftypmif1', 'a photo in HEIC'],
  [8, 'WEBP', 'a picture in WebP'],
  [0, 'GIF8', 'a picture in GIF'],
  [0, 'II*\0', 'a picture in TIFF'],
  [0, 'MM\0*', 'a picture in TIFF'],
  [0, 'BM', 'a picture in BMP'],
  [0, '{\\rtf', 'a text in RTF'],
  [0, '<!DOCTYPE html', 'a web page'],
  [0, '<html', 'a web page'],
  [0, '{', 'data in JSON'],
];

/** The kind of a file by its first bytes, regardless of its name; undefined when it cannot be analysed. */
export function kindOf(head: Uint8Array): Kind | undefined {
  const text = latin(head);
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  return text.includes('%PDF-') ? 'pdf' : undefined;
}

/** Why a file of another format cannot be analysed. */
export function otherKind(head: Uint8Array): string {
  const text = latin(head);
  const looksLike = OTHERS.find(([at, mark]) => text.startsWith(mark, at))?.[2];
  return `The file is not a PDF, JPEG or PNG${looksLike ? `; it looks like ${looksLike}` : ''}.`;
}

function latin(head: Uint8Array): string {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES)).toString('latin1');
}
