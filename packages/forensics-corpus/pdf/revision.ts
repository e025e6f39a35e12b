import { deflateSync } from 'node:zlib';
import { type PDFDocument, PDFRef } from '@cantoo/pdf-lib';
import { concatenated, latin, latinText } from './bytes.ts';

/** An object of a revision: its number and the text between `obj` and `endobj`. */
export interface Body {
  number: number;
  body: string;
}

/**
 * Appends a revision to the file according to ISO 32000-1, 7.5.6, with the file's kind of cross-reference and nothing else: no date and no
 * author. @param document of the same bytes
 */
export function withRevision(
  bytes: Uint8Array,
  document: PDFDocument,
  bodies: readonly Body[],
  entries = '',
): Uint8Array {
  const text = latinText(bytes);
  const previous = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text.slice(-200))?.[1] ?? Number.NaN);
  if (Number.isNaN(previous)) throw new Error('The file has no end.');
  let appended = text.endsWith('\n') ? '' : '\n';
  const offsets = bodies.map(({ number, body }) => {
    const offset = bytes.length + appended.length;
    appended += `${number} 0 obj\n${body}\nendobj\n`;
    return { number, offset };
  });
  const size = Math.max(document.context.largestObjectNumber, ...bodies.map(({ number }) => number)) + 1;
  const { Root, Info, ID } = document.context.trailerInfo;
  const kept = [Root && `/Root ${Root}`, Info && !entries.includes('/Info') && `/Info ${Info}`, ID && `/ID ${ID}`];
  const trailer = `${kept.filter(Boolean).join(' ')} /Prev ${previous} ${entries}`;
  const start = bytes.length + appended.length;
  const isTable = text.slice(previous, previous + 4) === 'xref';
  appended += isTable ? table(offsets, size, trailer) : stream(offsets, size, trailer, start);
  return concatenated(bytes, latin(`${appended}startxref\n${start}\n%%EOF\n`));
}

interface Offset {
  number: number;
  offset: number;
}

function table(offsets: readonly Offset[], size: number, trailer: string): string {
  const sections = offsets.map(({ number, offset }) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`);
  return `xref\n${sections.join('')}trailer\n<< /Size ${size} ${trailer} >>\n`;
}

function stream(offsets: readonly Offset[], size: number, trailer: string, start: number): string {
  const all = [...offsets, { number: size, offset: start }];
  const rows = Buffer.concat(
    all.map(({ offset }) => {
      const row = Buffer.alloc(7);
      row.writeUInt8(1, 0);
      row.writeUInt32BE(offset, 1);
      return row;
    }),
  );
  const data = deflateSync(rows);
  const index = all.map(({ number }) => `${number} 1`).join(' ');
  const about = `/Type /XRef /Size ${size + 1} /W [1 4 2] /Index [${index}] /Filter /FlateDecode /Length ${data.length}`;
  return `${size} 0 obj\n<< ${about} ${trailer} >>\nstream\n${data.toString('latin1')}\nendstream\nendobj\n`;
}

/** Formats content as the body of an object. */
export function contentBody(content: string, compressed: boolean): string {
  const data = compressed ? deflateSync(latin(content)) : latin(content);
  const filter = compressed ? ' /Filter /FlateDecode' : '';
  return `<< /Length ${data.length}${filter} >>\nstream\n${latinText(data)}\nendstream`;
}

export function numberOf(object: unknown): number {
  if (object instanceof PDFRef) return object.objectNumber;
  throw new Error('Not a reference.');
}
