/** Small PDFs written by hand, A4, with coordinates in points from the top left. */

const HEIGHT = 842;
const WIDTH = 595;

export type Objects = Record<number, string>;

export interface Text {
  size?: number;
  /** F1 Helvetica, F2 Helvetica-Bold, F3 Courier, F4 another copy of Helvetica. */
  font?: 'F1' | 'F2' | 'F3' | 'F4';
  /** Operators before the text, as in "1 1 1 rg". */
  state?: string;
}

/** Content that paints a text whose base line begins at a point. */
export function text(x: number, y: number, words: string, { size = 10, font = 'F1', state = '' }: Text = {}): string {
  const shown = words.replace(/[\\()]/g, (character) => `\\${character}`);
  return `q ${state} BT /${font} ${size} Tf ${x} ${HEIGHT - y} Td (${shown}) Tj ET Q\n`;
}

/** The same, ending at a point, as amounts do. Helvetica's figures are 0.556 of the size broad, its stops and commas 0.278. */
export function amount(right: number, y: number, words: string, style: Text = {}): string {
  const size = style.size ?? 10;
  const broad = [...words].reduce(
    (sum, character) => sum + (/[.,]/.test(character) ? 0.278 : /-/.test(character) ? 0.333 : 0.556),
    0,
  );
  const width = style.font === 'F3' ? words.length * 0.6 : broad;
  return text(right - width * size, y, words, style);
}

/** Content that fills a rectangle given by its top left. */
export function rectangle(x: number, y: number, width: number, height: number, colour = '1 1 1'): string {
  return `q ${colour} rg ${x} ${HEIGHT - y - height} ${width} ${height} re f Q\n`;
}

/** Content that draws a picture of the page's resources, given by its top left. */
export function picture(x: number, y: number, width: number, height: number, name = 'I1'): string {
  return `q ${width} 0 0 ${height} ${x} ${HEIGHT - y - height} cm /${name} Do Q\n`;
}

/** Corners of an annotation, from its top left. */
export function corners(x: number, y: number, width: number, height: number): string {
  return `[${x} ${HEIGHT - y - height} ${x + width} ${HEIGHT - y}]`;
}

const FONTS = ['Helvetica', 'Helvetica-Bold', 'Courier', 'Helvetica'];
const FIRST_PAGE = 20;

export function stream(content: string, entries = ''): string {
  return `<< ${entries} /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`;
}

/** Of a page: its content has the number after that of the page. */
export function pageNumber(index: number): number {
  return FIRST_PAGE + 2 * index;
}

export function pageObject(index: number, entries = ''): string {
  const fonts = FONTS.map((_, at) => `/F${at + 1} ${10 + at} 0 R`).join(' ');
  const pictures = '/XObject << /I1 15 0 R >>';
  const states = '/ExtGState << /Half << /ca 0.5 >> /Multiply << /BM /Multiply >> /None << /ca 0 >> >>';
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${pageNumber(index) + 1} 0 R
/Resources << /Font << ${fonts} >> ${pictures} ${states} >> ${entries} >>`;
}

/** A flat picture of one colour, 20 x 10 pixels. */
export function flatPicture(grey = 255, entries = ''): string {
  const pixels = String.fromCharCode(grey).repeat(200);
  const about = '/Type /XObject /Subtype /Image /Width 20 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceGray';
  return stream(pixels, `${about} ${entries}`);
}

/** The objects of a PDF with pages of this content. */
export function objectsOf(contents: readonly string[], entries = ''): Objects {
  const kids = contents.map((_, index) => `${pageNumber(index)} 0 R`).join(' ');
  const objects: Objects = {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    15: flatPicture(),
  };
  for (const [at, name] of FONTS.entries()) {
    const copy = at === 3 ? '/Name /Copy' : '';
    objects[10 + at] = `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding ${copy} >>`;
  }
  for (const [index, content] of contents.entries()) {
    objects[pageNumber(index)] = pageObject(index, entries);
    objects[pageNumber(index) + 1] = stream(content);
  }
  return objects;
}

export function pdfOf(contents: readonly string[], objects: Objects = {}, entries = ''): Uint8Array {
  return saved(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'), { ...objectsOf(contents, entries), ...objects });
}

/** The file with these objects saved behind it, as an incremental update. */
export function updated(file: Uint8Array, objects: Objects): Uint8Array {
  return saved(file, objects);
}

function saved(file: Uint8Array, objects: Objects): Uint8Array {
  const before = Buffer.from(file);
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(before.toString('latin1'))?.[1];
  let body = '';
  let table = 'xref\n';
  if (previous === undefined) table += '0 1\n0000000000 65535 f \n';
  for (const [number, object] of Object.entries(objects)) {
    const offset = before.length + body.length;
    body += `${number} 0 obj\n${object}\nendobj\n`;
    table += `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`;
  }
  const trailer = `trailer\n<< /Size 100 /Root 1 0 R ${previous === undefined ? '' : `/Prev ${previous}`} >>\n`;
  const end = `startxref\n${before.length + body.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.concat([before, Buffer.from(body + table + trailer + end, 'latin1')]));
}
