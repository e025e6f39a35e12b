/** The size of a kept excerpt. */
export const MAX_EXCERPT_BYTES = 1024;

const MAX_ENCODING_LENGTH = 40;

/**
 * The beginning of a response as one line of text that is safe for terminals and databases: no control or bidirectional characters,
 * and no truncated one at the end. Compressed content stays compressed: decompressed, it could be of any size.
 */
export function answerExcerpt(beginning: Buffer, encoding: string | undefined): string {
  if (beginning.length === 0) return '';
  if (encoding !== undefined && !/^(identity)?$/i.test(encoding)) return `(not shown: encoded as ${plain(encoding)})`;
  // Streaming mode withholds a truncated character.
  return oneLine(new TextDecoder().decode(beginning, { stream: true }));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}

function plain(header: string): string {
  return header.replace(/[^a-z0-9 ,_-]/gi, '').slice(0, MAX_ENCODING_LENGTH);
}
