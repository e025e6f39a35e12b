import { entry, listOf, type PdfObject, referenceOf, textOf } from '../objects.ts';
import type { Structure } from '../structure.ts';
import { isKeyword, type Token, Tokens } from '../tokens.ts';
import type { View } from '../view.ts';

/** The limit for one page or one stream. */
const LONGEST = 8_000_000;

const PARTS = 500;

/** The streams that a page draws, in order, as a reader of one version of the file finds them. */
export function contentStreams(view: View, page: PdfObject, most = PARTS): PdfObject[] {
  const contents = entry(page.value, 'Contents');
  const parts = listOf(view.resolve(contents)) ?? [contents];
  return parts.slice(0, most).flatMap((part) => view.referred(part) ?? []);
}

/**
 * The content of a page, joined as viewers do: without parts that cannot be decoded, and up to a limit. Undefined if no part can be
 * decoded.
 */
export function pageContent(structure: Structure, page: PdfObject): Uint8Array | undefined {
  const parts = contentStreams(structure.current, page).flatMap((stream) => structure.decoded(stream) ?? []);
  if (parts.length === 0) return undefined;
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')])).subarray(0, LONGEST);
}

/** The tokens of content in order, with their offsets; inline pictures are skipped. */
export function* contentTokens(data: Uint8Array): Generator<{ token: Token; start: number; end: number }> {
  const tokens = new Tokens(data, 0, data.length, { bytes: data.length * 4 + 1000 });
  while (tokens.at < data.length) {
    tokens.skip();
    const start = tokens.at;
    const token = tokens.next();
    if (token === undefined) tokens.at++;
    else yield { token, start, end: tokens.at };
    if (isKeyword(token) && token.keyword === 'ID') tokens.at = pictureEnd(data, tokens.at);
  }
}

function pictureEnd(data: Uint8Array, from: number): number {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  for (let at = text.indexOf('EI', from); at >= 0; at = text.indexOf('EI', at + 2)) {
    if (/^\s$/.test(String.fromCharCode(data[at - 1] ?? 0)) && /^\s?$/.test(String.fromCharCode(data[at + 2] ?? 32)))
      return at + 2;
  }
  return data.length;
}

/**
 * The bytes that content shows as text, without the spacing between them: codes of its fonts, not characters.
 *
 * @param enough reads no further than to this many bytes
 */
export function shownBytes(data: Uint8Array, enough = Number.POSITIVE_INFINITY): Buffer {
  const shown: Uint8Array[] = [];
  let length = 0;
  let waiting: Uint8Array[] = [];
  for (const { token } of contentTokens(data)) {
    if (!isKeyword(token)) {
      for (const part of listOf(token) ?? [token]) {
        const text = textOf(part);
        if (text !== undefined) waiting.push(text.bytes);
      }
      continue;
    }
    if (['Tj', 'TJ', "'", '"'].includes(token.keyword)) {
      shown.push(...waiting);
      length += waiting.reduce((sum, part) => sum + part.length, 0);
      if (length >= enough) break;
    }
    waiting = [];
  }
  return Buffer.concat(shown);
}

/** The share of the longer of two texts, from 0 to 1, that the other contains in pieces of four bytes at any position. */
export function likeness(first: Buffer, second: Buffer): number {
  const counts = new Map<number, number>();
  const pieces = (text: Buffer) => Math.max(0, text.length - 3);
  for (let at = 0; at < pieces(first); at++)
    counts.set(first.readUInt32BE(at), (counts.get(first.readUInt32BE(at)) ?? 0) + 1);
  let shared = 0;
  for (let at = 0; at < pieces(second); at++) {
    const left = counts.get(second.readUInt32BE(at)) ?? 0;
    if (left === 0) continue;
    counts.set(second.readUInt32BE(at), left - 1);
    shared++;
  }
  const most = Math.max(pieces(first), pieces(second));
  return most === 0 ? 0 : shared / most;
}

/**
 * The file with other content on a page, added as a revision so that it can be read like any other. Undefined if the file cannot be
 * extended: it is encrypted, or has no working cross-reference.
 */
export function withContent(structure: Structure, page: PdfObject, content: Uint8Array): Uint8Array | undefined {
  const { bytes, current, encrypted, header } = structure;
  const xref = structure.revisions.findLast((revision) => revision.xref !== undefined)?.xref;
  const root = referenceOf(current.trailer.entries.get('Root'));
  const streams = contentStreams(current, page);
  if (encrypted || xref === undefined || root === undefined || streams.length === 0) return undefined;
  const offset = bytes.length - header.offset;
  let added = '\n';
  const rows = streams.map(({ number, generation }, index) => {
    const data = index === 0 ? Buffer.from(content).toString('latin1') : '';
    const row = `${number} 1\n${String(offset + added.length).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`;
    added += `${number} ${generation} obj\n<< /Length ${data.length} >>\nstream\n${data}\nendstream\nendobj\n`;
    return row;
  });
  const start = offset + added.length;
  const size = structure.objects.reduce((most, { number }) => Math.max(most, number), 0) + 1;
  const trailer = `<< /Size ${size} /Root ${root.number} ${root.generation} R /Prev ${xref - header.offset} >>`;
  added += `xref\n${rows.join('')}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`;
  return new Uint8Array(Buffer.concat([bytes, Buffer.from(added, 'latin1')]));
}
