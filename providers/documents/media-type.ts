import { parsedJson } from '../../core/text.ts';

/** Number of bytes that the type is detected from. */
export const BEGINNING_BYTES = 64 * 1024;

const PDF_HEADER_BYTES = 1024;

/** Control characters other than white space never occur in text. */
const NOT_TEXT = /[^\P{Cc}\t\n\f\r]/u;

/** By the bytes, not the declared type. @param beginning the first `BEGINNING_BYTES` @param isWhole nothing follows */
export async function mediaTypeOf(beginning: Uint8Array, isWhole: boolean): Promise<string> {
  // Loaded on first use: it knows some two hundred formats, which would slow down the start.
  const { fileTypeFromBuffer } = await import('file-type');
  const known = await fileTypeFromBuffer(beginning);
  if (known) return known.mime;
  if (hasPdfHeader(beginning)) return 'application/pdf';
  const text = readText(beginning, isWhole);
  if (text === undefined) return 'application/octet-stream';
  return /^\s*[{[]/.test(text) && (!isWhole || parsedJson(text) !== undefined) ? 'application/json' : 'text/plain';
}

/** Readers accept a header anywhere in the first 1,024 bytes (PDF 1.7 reference, appendix H.3.4.1): some portals send a line before it. */
function hasPdfHeader(beginning: Uint8Array): boolean {
  return Buffer.from(beginning.subarray(0, PDF_HEADER_BYTES)).includes('%PDF-');
}

/** Undefined unless valid UTF-8. The last character may be truncated. */
function readText(bytes: Uint8Array, isWhole: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return NOT_TEXT.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
