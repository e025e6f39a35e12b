import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { type Colour, type Drawing, type Face, leftOf, type Mark, type Sheet, standardNames } from '../drawing.ts';
import { latin, pdfDate, winAnsi } from '../pdf/bytes.ts';
import { creators, type Producer } from './producer.ts';

/** Writes PDF 1.4 object by object, as the printing software of mainframes does: uncompressed, or with its own Flate. */
export const byHand: Producer = {
  name: 'by-hand',
  allLetters: false,
  pictures: true,
  deterministic: true,
  async write(drawing, created, random) {
    const compressed = random.chance(0.5);
    const eol = random.chance(0.3) ? '\r\n' : '\n';
    const producer = random.pick(['AFP2PDF 5.4', 'PrintServ/390', 'Xpress Doc Composer 3.2', ...creators]);
    const info = `<< /Title (${escaped(drawing.title)}) /Producer (${producer}) /CreationDate (${pdfDate(created)}) >>`;
    return assembled(objectsOf(drawing, compressed, info), eol, random.chance(0.6));
  },
};

const faces = Object.keys(standardNames) as Face[];
const FONTS = 4;
const FIRST_PAGE = FONTS + faces.length;

/** Bodies of objects, numbered from 1: catalogue, pages, info, fonts, then each page with its content and pictures. */
function objectsOf(drawing: Drawing, compressed: boolean, info: string): string[] {
  const pages: string[] = [];
  const kids: number[] = [];
  for (const sheet of drawing.sheets) {
    const number = FIRST_PAGE + pages.length;
    kids.push(number);
    const pictures = sheet.marks.filter((mark) => mark.kind === 'picture');
    const names = pictures.map((_, index) => `/Im${index} ${number + 2 + index} 0 R`).join(' ');
    const fonts = faces.map((_, index) => `/F${index} ${FONTS + index} 0 R`).join(' ');
    pages.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${sheet.width} ${sheet.height}] /Contents ${number + 1} 0 R /Resources << /Font << ${fonts} >> /XObject << ${names} >> >> >>`,
      stream('', latin(contentOf(sheet)), compressed),
      ...pictures.map(({ bytes }) => jpegObject(bytes)),
    );
  }
  const fonts = faces.map(
    (face) => `<< /Type /Font /Subtype /Type1 /BaseFont /${standardNames[face]} /Encoding /WinAnsiEncoding >>`,
  );
  const tree = `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`;
  return ['<< /Type /Catalog /Pages 2 0 R >>', tree, info, ...fonts, ...pages];
}

function contentOf({ marks, height }: Sheet): string {
  let pictures = 0;
  return marks
    .map((mark) => (mark.kind === 'picture' ? picture(mark, height, pictures++) : operators(mark, height)))
    .join('\n');
}

function operators(mark: Exclude<Mark, { kind: 'picture' }>, height: number): string {
  if (mark.kind === 'rect')
    return `${shown(mark.fill)} rg ${fixed(mark.x)} ${fixed(height - mark.y - mark.height)} ${fixed(mark.width)} ${fixed(mark.height)} re f`;
  const { size, face, colour, y, text } = mark;
  const place = `1 0 0 1 ${fixed(leftOf(mark))} ${fixed(height - y)} Tm`;
  return `BT ${shown(colour)} rg /F${faces.indexOf(face)} ${size} Tf ${place} (${escaped(text)}) Tj ET`;
}

function picture(mark: Extract<Mark, { kind: 'picture' }>, height: number, index: number): string {
  return `q ${fixed(mark.width)} 0 0 ${fixed(mark.height)} ${fixed(mark.x)} ${fixed(height - mark.y - mark.height)} cm /Im${index} Do Q`;
}

/** Reads only what a baseline JPEG needs: the size from its frame header. */
function jpegObject(bytes: Uint8Array): string {
  const { width, height, components } = jpegSize(bytes);
  const space = components === 1 ? 'DeviceGray' : 'DeviceRGB';
  const about = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /${space} /BitsPerComponent 8 /Filter /DCTDecode`;
  return stream(about, bytes, false);
}

export function jpegSize(bytes: Uint8Array): { width: number; height: number; components: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at < bytes.length - 9; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xc2)
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7), components: view.getUint8(at + 9) };
  }
  throw new Error('A JPEG without a frame.');
}

function stream(about: string, data: Uint8Array, compressed: boolean): string {
  const body = compressed ? deflateSync(data) : data;
  const filter = compressed ? ' /Filter /FlateDecode' : '';
  return `<< ${about} /Length ${body.length}${filter} >>\nstream\n${Buffer.from(body).toString('latin1')}\nendstream`;
}

function assembled(objects: readonly string[], eol: string, withId: boolean): Uint8Array {
  let text = `%PDF-1.4${eol}%âãÏÓ${eol}`;
  const offsets = objects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj${eol}${body}${eol}endobj${eol}`;
    return offset;
  });
  const start = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const id = createHash('md5').update(text).digest('hex');
  const ids = withId ? ` /ID [<${id}> <${id}>]` : '';
  text += `xref${eol}0 ${objects.length + 1}${eol}0000000000 65535 f \n${entries}`;
  text += `trailer${eol}<< /Size ${objects.length + 1} /Root 1 0 R /Info 3 0 R${ids} >>${eol}startxref${eol}${start}${eol}%%EOF${eol}`;
  return latin(text);
}

function escaped(text: string): string {
  return winAnsi(text).replace(/[\\()]/g, '\\$&');
}

function shown(colour: Colour): string {
  return colour.map(fixed).join(' ');
}

function fixed(number: number): string {
  return String(Number(number.toFixed(3)));
}
