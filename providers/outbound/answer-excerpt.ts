/** How much of an answer is kept. */
export const EXCERPT_BYTES = 1024;

const LONGEST_ENCODING = 40;

/**
 * The beginning of an answer as one line of text that any terminal and any database takes: no control characters, nothing
 * that turns the direction of writing, and no broken character at its end. What is compressed stays so: unpacked it could be of any size.
 */
export function answerExcerpt(beginning: Buffer, encoding: string | undefined): string {
  if (beginning.length === 0) return '';
  if (encoding !== undefined && !/^(identity)?$/i.test(encoding)) return `(not shown: encoded as ${plain(encoding)})`;
  // In the middle of a stream a character that is not whole is kept back.
  return oneLine(new TextDecoder().decode(beginning, { stream: true }));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}

function plain(header: string): string {
  return header.replace(/[^a-z0-9 ,_-]/gi, '').slice(0, LONGEST_ENCODING);
}
