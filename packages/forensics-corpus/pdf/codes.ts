import { decodePDFRawStream, PDFDict, type PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import { fromWinAnsi, latinText } from './bytes.ts';

/** The characters of a font's codes, in a content stream. */
export interface Codes {
  /** Bytes per code. */
  width: 1 | 2;
  textOf(code: string): string;
  /** Undefined when the font, as embedded in the file, lacks a letter. */
  codeOf(letter: string): string | undefined;
}

export function codesOf(document: PDFDocument, page: number, name: string): Codes {
  const fonts = document
    .getPage(page - 1)
    .node.Resources()
    ?.lookup(PDFName.of('Font'), PDFDict);
  const font = fonts?.lookup(PDFName.of(name), PDFDict);
  const width = font?.lookup(PDFName.of('Subtype')) === PDFName.of('Type0') ? 2 : 1;
  const map = font?.lookup(PDFName.of('ToUnicode'));
  if (!(map instanceof PDFRawStream)) return windowsCodes;
  const texts = unicodeOf(latinText(decodePDFRawStream(map).decode()));
  const codes = new Map([...texts].map(([code, text]) => [text, code]));
  return { width, textOf: (code) => texts.get(code) ?? '', codeOf: (letter) => codes.get(letter) };
}

const windowsCodes: Codes = {
  width: 1,
  textOf: fromWinAnsi,
  codeOf: (letter) => (letter.charCodeAt(0) < 256 ? letter : undefined),
};

/** ISO 32000-1, 9.10.3: maps codes to text, singly and in ranges. */
function unicodeOf(map: string): Map<string, string> {
  const texts = new Map<string, string>();
  const bytes = (hex: string) => Buffer.from(hex.replace(/\s/g, ''), 'hex').toString('latin1');
  const text = (hex: string) => Buffer.from(hex.replace(/\s/g, ''), 'hex').swap16().toString('utf16le');
  for (const [, body = ''] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code = '', value = ''] of body.matchAll(/<([^>]*)>\s*<([^>]*)>/g))
      texts.set(bytes(code), text(value));
  for (const [, body = ''] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from = '', to = '', first, list] of body.matchAll(
      /<([^>]*)>\s*<([^>]*)>\s*(?:<([^>]*)>|\[([^\]]*)\])/g,
    )) {
      const start = Number.parseInt(from, 16);
      const values = list === undefined ? [] : [...list.matchAll(/<([^>]*)>/g)].map(([, value = '']) => text(value));
      const end = Number.parseInt(to, 16);
      for (let code = start; code <= end && code - start < 65_536; code += 1) {
        const value = list === undefined && first ? next(text(first), code - start) : values[code - start];
        if (value !== undefined) texts.set(bytes(code.toString(16).padStart(from.length, '0')), value);
      }
    }
  return texts;
}

function next(text: string, steps: number): string {
  return `${text.slice(0, -1)}${String.fromCharCode((text.charCodeAt(text.length - 1) || 0) + steps)}`;
}
