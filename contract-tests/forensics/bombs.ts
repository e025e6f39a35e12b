import { deflateSync } from 'node:zlib';
import { encodePng } from '../../forensics/encode-png.ts';
import { type Objects, objectsOf, pdfOf, text } from './pdf-fixtures.ts';
import { withChunk } from './picture-files.ts';

/** Files made to do harm to whoever reads them. */

const MIB = 1024 * 1024;
const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

function streamOf(data: Uint8Array, entries: string): string {
  return `<< ${entries} /Length ${data.length} >>\nstream\n${latin(data)}\nendstream`;
}

const BLANKS = deflateSync(Buffer.alloc(80 * MIB, ' '), { level: 1 });

const PAGE = text(50, 50, 'Payslip');

/** A PDF whose page paints a stream. */
function painting(object: string, objects: Objects = {}): Uint8Array {
  return pdfOf([PAGE], { 21: object, ...objects });
}

/** Nodes of a page tree that have each other for children. */
function loop(): Uint8Array {
  return pdfOf([PAGE], {
    2: '<< /Type /Pages /Kids [30 0 R] /Count 1 >>',
    30: '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 30 0 R] /Count 1 >>',
  });
}

function widePicture(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const small = Buffer.from(encodePng({ width: 1, height: 1, data: new Uint8Array(3) }));
  header.set(small.subarray(24, 29), 8);
  header.copy(small, 16);
  return small;
}

/** What must be refused, and the word that its reason has. */
export const refused: Record<string, { bytes: () => Uint8Array; reason: RegExp }> = {
  'a page of 80 MB in 350 KB': {
    bytes: () => painting(streamOf(BLANKS, '/Filter /FlateDecode')),
    reason: /unpacks to far more/,
  },
  'a bomb in a bomb': {
    bytes: () => painting(streamOf(deflateSync(BLANKS), '/Filter [/FlateDecode /FlateDecode]')),
    reason: /unpacks to far more/,
  },
  'packed six times over': {
    bytes: () => {
      let data: Uint8Array = Buffer.from(PAGE);
      for (let layer = 0; layer < 6; layer++) data = deflateSync(data);
      return painting(streamOf(data, `/Filter [${'/FlateDecode '.repeat(6)}]`));
    },
    reason: /unpacks to far more/,
  },
  'a bomb whose filter is spelt in another way': {
    bytes: () => painting(streamOf(BLANKS, '/Filter /Fl#61teDecode')),
    reason: /unpacks to far more/,
  },
  'a bomb as a stream of objects': {
    bytes: () => pdfOf([PAGE], { 40: streamOf(BLANKS, '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode') }),
    reason: /unpacks to far more/,
  },
  'many streams that are harmless alone': {
    bytes: () => {
      const part = streamOf(deflateSync(Buffer.alloc(40 * MIB), { level: 1 }), '/Filter /FlateDecode');
      return pdfOf([PAGE], Object.fromEntries(Array.from({ length: 10 }, (_, index) => [50 + index, part])));
    },
    reason: /unpacks to far more/,
  },
  'a bomb of runs of one byte': {
    bytes: () => {
      const runs = Buffer.alloc(2 * MIB, Uint8Array.of(129, 32));
      return painting(streamOf(runs, '/Filter /RunLengthDecode'));
    },
    reason: /unpacks to far more/,
  },
  '10,000 pages': {
    bytes: () => {
      const kids = Array.from({ length: 10_000 }, (_, index) => 100 + index);
      const pages = kids.map((number) => [number, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>']);
      const tree = `<< /Type /Pages /Kids [${kids.map((number) => `${number} 0 R`).join(' ')}] /Count 10000 >>`;
      return pdfOf([PAGE], { ...Object.fromEntries(pages), 2: tree });
    },
    reason: /more than 500 pages/,
  },
  'one page 10,000 times over': {
    bytes: () => pdfOf([PAGE], { 2: `<< /Type /Pages /Kids [${'20 0 R '.repeat(10_000)}] /Count 10000 >>` }),
    reason: /more than 500 pages/,
  },
  'lists in lists, 100,000 deep': {
    bytes: () => pdfOf([PAGE], { 60: '['.repeat(100_000) }),
    reason: /nested/,
  },
  'a picture of 2,500 megapixels in a PDF': {
    bytes: () => {
      const entries = '/Subtype /Image /Width 50000 /Height 50000 /BitsPerComponent 1 /ColorSpace /DeviceGray';
      return pdfOf([PAGE], { 15: streamOf(Buffer.alloc(10), entries) });
    },
    reason: /2500 megapixels/,
  },
  'a PNG of 10,000 megapixels': { bytes: () => widePicture(100_000, 100_000), reason: /10000 megapixels/ },
  'a PNG with a bomb for a colour profile': {
    bytes: () => {
      const profile = Buffer.concat([Buffer.from('icc\0\0'), BLANKS]);
      return withChunk(encodePng({ width: 8, height: 8, data: new Uint8Array(192) }), 'iCCP', profile);
    },
    reason: /unpacks to far more/,
  },
  'nothing at all': { bytes: () => new Uint8Array(), reason: /not a PDF, JPEG or PNG/ },
  'a Word document called .pdf': {
    bytes: () => Buffer.from('PK\u0003\u0004word/document.xml'),
    reason: /looks like a Word, Excel or ZIP file/,
  },
  'a JPEG that is nothing but its first bytes': {
    bytes: () => Uint8Array.of(0xff, 0xd8, 0xff, 0xe0),
    reason: /damaged/,
  },
};

/** What may be read as far as it goes, but must do no harm. */
export const confusing: Record<string, () => Uint8Array> = {
  'pages that are their own parents': loop,
  'objects that refer to themselves': () => {
    const { 20: page = '', ...others } = objectsOf([PAGE]);
    return pdfOf([PAGE], { ...others, 20: page.replace('/MediaBox [0 0 595 842]', '/MediaBox 20 0 R'), 61: '61 0 R' });
  },
  'a page whose content is the page': () => {
    const { 20: page = '' } = objectsOf([PAGE]);
    return pdfOf([PAGE], { 20: page.replace('/Contents 21 0 R', '/Contents [20 0 R 2 0 R 99 0 R]') });
  },
  'a form that paints itself': () => {
    const form = '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /I1 15 0 R >> >>';
    return pdfOf(['/I1 Do'], { 15: `<< ${form} /Length 6 >>\nstream\n/I1 Do\nendstream` });
  },
  'a page as large as a continent': () =>
    pdfOf([PAGE], { 20: (objectsOf([PAGE])[20] ?? '').replace('595 842', '9e9 9e9') }),
  'a cross-reference that begins at itself': () =>
    Buffer.from(`${latin(pdfOf([PAGE])).replace(/startxref\s+\d+/, 'startxref\n9')}`, 'latin1'),
  'a header and nothing else': () => Buffer.from('%PDF-1.7\n'),
  'a header and a megabyte of brackets': () => Buffer.from(`%PDF-1.7\n${')'.repeat(MIB)}`),
  'a header and a megabyte of noughts': () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(MIB)]),
};
