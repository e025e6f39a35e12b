import { decodePDFRawStream, PDFArray, type PDFDocument, PDFName, PDFRawStream, PDFRef } from '@cantoo/pdf-lib';
import { latinText } from './bytes.ts';
import { type Codes, codesOf } from './codes.ts';
import { bytesOf, type Token, tokenOf, tokensOf } from './content.ts';

/** The change cannot be made in this file in this way; another way, or another value, may work. */
export class NotPossible extends Error {}

interface Retyped {
  /** The stream with the value. */
  ref: PDFRef;
  /** The decoded content, before and after the change. */
  before: string;
  after: string;
  /** The page's resource name of the font that shows it. */
  font: string;
}

/**
 * Finds a text in a page's content and replaces it, in the font's own codes. Without a replacement, removes it.
 * @throws NotPossible
 */
export function retype(document: PDFDocument, page: number, before: string, after: string): Retyped {
  const wanted = before.replace(/\s/g, '');
  let font = '';
  for (const { ref, content } of contentsOf(document, page)) {
    const tokens = readable(content);
    const shows = showsOf(tokens, font);
    for (const show of shows) {
      const glyphs = glyphsOf(tokens, show.strings, codesOf(document, page, show.font));
      const found = find(glyphs, wanted);
      if (!found) continue;
      const changed = write(tokens, glyphs, found, after, codesOf(document, page, show.font));
      return { ref, before: content, after: changed.map(({ raw }) => raw).join(''), font: show.font };
    }
    font = shows.at(-1)?.font ?? font;
  }
  throw new NotPossible(`${before} is not written as text on page ${page}.`);
}

function contentsOf(document: PDFDocument, page: number): { ref: PDFRef; content: string }[] {
  const entry = document.getPage(page - 1).node.get(PDFName.of('Contents'));
  const listed = entry instanceof PDFRef ? document.context.lookup(entry) : entry;
  const refs = listed instanceof PDFArray ? listed.asArray() : [entry];
  return refs.flatMap((ref) => {
    const stream = ref instanceof PDFRef ? document.context.lookup(ref) : undefined;
    if (!(ref instanceof PDFRef) || !(stream instanceof PDFRawStream)) return [];
    return [{ ref, content: latinText(decodePDFRawStream(stream).decode()) }];
  });
}

function readable(content: string): Token[] {
  try {
    return tokensOf(content);
  } catch (error) {
    throw new NotPossible(error instanceof Error ? error.message : String(error));
  }
}

interface Show {
  font: string;
  /** The indexes of the strings among the tokens. */
  strings: number[];
}

/** The strings shown by one operator, in order. */
function showsOf(tokens: readonly Token[], before: string): Show[] {
  const shows: Show[] = [];
  let font = before;
  let operands: number[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'operator') {
      operands.push(index);
      return;
    }
    if (token.raw === 'Tf')
      font =
        operands
          .map((at) => tokens[at])
          .find((operand) => operand?.kind === 'name')
          ?.raw.slice(1) ?? font;
    if (['Tj', 'TJ', "'", '"'].includes(token.raw))
      shows.push({ font, strings: operands.filter((at) => ['string', 'hex'].includes(tokens[at]?.kind ?? '')) });
    operands = [];
  });
  return shows;
}

interface Glyph {
  token: number;
  code: string;
  text: string;
}

function glyphsOf(tokens: readonly Token[], strings: readonly number[], { width, textOf }: Codes): Glyph[] {
  return strings.flatMap((token) => {
    const bytes = bytesOf(tokens[token] ?? { kind: 'string', raw: '()' });
    const codes = bytes.match(width === 2 ? /[\s\S]{2}/g : /[\s\S]/g) ?? [];
    return codes.map((code) => ({ token, code, text: textOf(code) }));
  });
}

interface Range {
  first: number;
  last: number;
}

function find(glyphs: readonly Glyph[], wanted: string): Range | undefined {
  const places = glyphs.flatMap(({ text }, index) => [...text.replace(/\s/g, '')].map(() => index));
  const at = glyphs
    .map(({ text }) => text.replace(/\s/g, ''))
    .join('')
    .indexOf(wanted);
  const [first, last] = [places[at], places[at + wanted.length - 1]];
  return at < 0 || first === undefined || last === undefined ? undefined : { first, last };
}

function write(
  tokens: readonly Token[],
  glyphs: Glyph[],
  { first, last }: Range,
  after: string,
  codes: Codes,
): Token[] {
  const written = [...after].map((letter) => {
    const code = codes.codeOf(letter) ?? (letter === '\u00a0' ? codes.codeOf(' ') : undefined);
    if (code === undefined) throw new NotPossible(`The font has no ${letter}.`);
    return code;
  });
  const sameLength = written.length === last - first + 1;
  const changed = glyphs.map((glyph, index) => {
    if (index < first || index > last) return glyph;
    const code = sameLength ? (written[index - first] ?? '') : index === first ? written.join('') : '';
    return { ...glyph, code };
  });
  const touched = new Set(glyphs.slice(first, last + 1).map(({ token }) => token));
  return tokens.map((token, index) =>
    touched.has(index)
      ? tokenOf(
          token.kind,
          changed
            .filter((glyph) => glyph.token === index)
            .map(({ code }) => code)
            .join(''),
        )
      : token,
  );
}
