/** How much of a document its type is told from, in bytes. */
export const BEGINNING_BYTES = 64 * 1024;

/** What no text holds: control characters other than white space. */
const NOT_TEXT = /[^\P{Cc}\t\n\f\r]/u;

/**
 * The media type that the bytes themselves show, whatever somebody called them.
 * @param beginning the first `BEGINNING_BYTES` of the document
 * @param isWhole whether nothing follows
 */
export async function mediaTypeOf(beginning: Uint8Array, isWhole: boolean): Promise<string> {
  // Loaded when a document arrives: it knows some two hundred formats, and no start waits for them.
  const { fileTypeFromBuffer } = await import('file-type');
  const known = await fileTypeFromBuffer(beginning);
  if (known) return known.mime;
  const text = readText(beginning, isWhole);
  if (text === undefined) return 'application/octet-stream';
  return /^\s*[{[]/.test(text) && (!isWhole || isJson(text)) ? 'application/json' : 'text/plain';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Undefined when it is no text in UTF-8. A character may be cut where the beginning ends. */
function readText(bytes: Uint8Array, isWhole: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return NOT_TEXT.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
