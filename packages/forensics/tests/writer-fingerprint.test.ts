import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { zlibSync } from 'fflate';
import { deflate } from 'pako';
import type { Rule } from '../rule.ts';
import { writerFingerprint } from '../rules/pdf/writer-fingerprint.ts';
import { findingsOn } from './fixtures/payslip.ts';
import { stream } from './fixtures/pdf.ts';
import { stating } from './fixtures/pdf-source.ts';

const strengths = async (rule: Rule, bytes: Uint8Array) =>
  (await findingsOn(rule, bytes)).map(({ strength }) => strength);
const messages = async (rule: Rule, bytes: Uint8Array) => (await findingsOn(rule, bytes)).map(({ message }) => message);

/** Compressed as no zlib level does it, with the header and checksum of zlib's default level. */
function packedOtherwise(text: string): Uint8Array {
  const usual = deflateSync(text);
  const body = deflateRawSync(text, { strategy: constants.Z_FIXED });
  return Buffer.concat([usual.subarray(0, 2), body, usual.subarray(-4)]);
}

const hexOf = (text: string) => Buffer.from(text, 'latin1').toString('hex');
const packed = (data: Uint8Array, keys = `/Filter /FlateDecode /Length ${data.length}`) =>
  `<< ${keys} >>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`;
/** The rows of a font's map to Unicode. */
const map = (first: number) =>
  Array.from({ length: 60 }, (_, at) => `<${(first + at).toString(16)}> <00${(at * 3).toString(16)}>`).join('\n');
const texts = (way: (row: number) => string) => Array.from({ length: 30 }, (_, row) => way(row)).join('\n');
const inOneLine = texts((row) => `BT /F1 10 Tf 50 ${800 - row * 17} Td (Row ${row * 7919}) Tj ET`);
const inLines = texts((row) => `BT\n/F1 10 Tf\n50 ${800 - row * 17} Td\n(Row ${row * 7919}) Tj\nET`);

describe('How a file is written', () => {
  it('tells a page that is packed by another program than the fonts, with weight in a file that is otherwise as its maker wrote it', async () => {
    const rows = Array.from(
      { length: 40 },
      (_, row) => `BT /F1 10 Tf 50 ${800 - row * 17} Td (Row ${row * 7919}) Tj ET`,
    );
    const file = (content: Uint8Array, comment: string) => {
      const page = { 3: '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>', 4: packed(content) };
      const maps = { 5: packed(deflate(map(16))), 6: packed(deflate(map(99))) };
      return stating({ Producer: 'WeasyPrint 70.0' }, undefined, { comment, objects: { ...page, ...maps } });
    };
    const content = rows.join('\n');
    const [own, other] = [deflate(content), packedOtherwise(content)];
    expect(await strengths(writerFingerprint, file(own, 'f09f96a4'))).to.deep.equal([]);
    const [finding, ...rest] = await findingsOn(writerFingerprint, file(other, 'f09f96a4'));
    expect(rest).to.deep.equal([]);
    expect(finding).to.include({
      strength: 'medium',
      message:
        'The content of page 1 was compressed by a different program, or at a different level, from the fonts and the rest of the file.',
    });
    expect(finding?.evidence[0]).to.deep.include({
      page: 1,
      before: 'zlib, beginning with 789c',
      after: 'neither zlib nor fflate, beginning with 789c',
    });
    expect(await strengths(writerFingerprint, file(other, 'bff7a2fe'))).to.deep.equal(['context', 'context']);
  });

  it('is compared by more than the comment: two other marks, or the library of the XMP packet', async () => {
    const objects = Object.fromEntries(
      [10, 11, 12, 13, 14].map((number) => [number, '<</Type/Font/Subtype/Type1/BaseFont/Courier>>']),
    );
    const file = ({ xmp, ids = '', more = {} }: { xmp?: string; ids?: string; more?: Record<number, string> }) =>
      stating({ Producer: 'jsPDF 4.2.1' }, xmp, {
        comment: 'badface0',
        objects: more,
        trailer: `/Root 1 0 R /Info 8 0 R ${ids}`,
      });
    const toolkit = (name: string) => `<x:xmpmeta x:xmptk="${name}"><rdf:RDF/></x:xmpmeta>`;
    const ids = `/ID [<${'ab'.repeat(16)}> <${'ab'.repeat(16)}>]`;
    expect(await messages(writerFingerprint, file({ more: objects }))).to.deep.equal([]);
    expect(await messages(writerFingerprint, file({ more: objects, ids }))).to.deep.equal([
      'Rewritten after its creation: the file says that jsPDF 4.2.1 wrote it, but it is written differently (dictionaries, identifier).',
    ]);
    expect(await strengths(writerFingerprint, file({ more: objects, ids }))).to.deep.equal(['context']);
    expect(await messages(writerFingerprint, file({ xmp: toolkit('Image::ExifTool 12.40') }))).to.deep.equal([
      'Rewritten after its creation: the file says that jsPDF 4.2.1 wrote it, but it is written differently (dictionaries, XMP packet).',
    ]);
    expect(await messages(writerFingerprint, file({ xmp: toolkit('Other 1') }))).to.deep.equal([]);
  });

  it('is compared by objects: keys, lengths of streams, strings, order and predictor', async () => {
    const word = (objects: Record<number, string>, info = '/Producer (Microsoft® Word 2016)') =>
      stating({}, undefined, { comment: 'b5b5b5b5', objects: { 8: `<<${info}>>`, ...objects } });
    const page = '<</MediaBox [0 0 595 842] /Type/Page /Parent 2 0 R>>';
    const section = '<</Type/XRef /DecodeParms <</Predictor 12 /Columns 4>> /Length 0>>\nstream\n\nendstream';
    const producer = `/Producer <${hexOf('Microsoft® Word 2016')}>`;
    expect(await messages(writerFingerprint, word({}))).to.deep.equal([]);
    expect(await messages(writerFingerprint, word({ 3: page }))).to.deep.equal([]);
    const rewritten = {
      'first key of pages, predictor': word({ 3: page, 20: section }),
      'lengths of streams, strings': word({ 4: '<</Length 5 0 R>>\nstream\n\nendstream', 5: '0' }, producer),
    };
    for (const [marks, bytes] of Object.entries(rewritten)) {
      const [finding] = await findingsOn(writerFingerprint, bytes);
      expect(finding).to.include({
        strength: 'context',
        message: `Rewritten after its creation: the file says that Microsoft® Word 2016 wrote it, but it is written differently (${marks}).`,
      });
    }
  });

  it('is compared among fonts and pages: one that another program wrote is for people', async () => {
    const objects = Object.fromEntries(
      [10, 11, 12, 13, 14].map((number) => [
        number,
        number === 12 ? '<</Type/Font/Subtype/Type1>>' : '<< /Type /Font /Subtype /Type1 >>',
      ]),
    );
    const [finding] = await findingsOn(
      writerFingerprint,
      stating({ Producer: 'CoreBanking Forms' }, undefined, { objects }),
    );
    expect(finding).to.include({
      strength: 'context',
      message: 'The fonts in object 12 come from a program other than the one that wrote the other fonts.',
    });
  });

  const QPDF = 'bff7a2fe';
  const PDF_LIB = '81818181';
  const ACROBAT = 'e2e3cfd3';

  describe('a page with fonts of its own', () => {
    const fonts = {
      3: '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 10 0 R /F2 11 0 R >> >> >>',
      10: '<< /Type /Font /Subtype /TrueType /ToUnicode 5 0 R >>',
      11: '<< /Type /Font /Subtype /TrueType /ToUnicode 6 0 R >>',
      5: packed(deflate(map(16))),
      6: packed(deflate(map(99))),
    };
    const file = (content: string, comment: string) =>
      stating({ Producer: 'CoreBanking Forms' }, undefined, { comment, objects: { ...fonts, 4: content } });
    const other = packedOtherwise(inOneLine);
    const compressedLast = packed(other, `/Length ${other.length} /Filter /FlateDecode`);
    for (const [what, when, content, comment, expected] of [
      [
        'compressed by another program is suspicious',
        'pdf-lib saved the file, which keeps all streams',
        packed(other),
        PDF_LIB,
        ['medium'],
      ],
      [
        'compressed by another program is suspicious',
        'qpdf saved the file and kept the stream',
        packed(other),
        QPDF,
        ['medium'],
      ],
      [
        'compressed by another program is for people',
        'qpdf compressed the stream itself',
        compressedLast,
        QPDF,
        ['context'],
      ],
      [
        'compressed by another program is for people',
        'the program that saved the file may compress streams',
        packed(other),
        ACROBAT,
        ['context'],
      ],
      ['passes', 'it is compressed like its fonts', packed(deflate(inOneLine)), QPDF, []],
    ] as const)
      it(`${what} when ${when}`, async () =>
        expect(await strengths(writerFingerprint, file(content, comment))).to.deep.equal(expected));
  });

  it('tells content that fflate compressed and that no library with fflate wrote', async () => {
    const file = (content: Uint8Array) => {
      const objects = { 3: '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>', 4: packed(content) };
      return stating({ Producer: 'CoreBanking Forms' }, undefined, { objects });
    };
    const [finding] = await findingsOn(writerFingerprint, file(zlibSync(Buffer.from(inOneLine))));
    expect(finding).to.include({
      strength: 'medium',
      message:
        'The content of page 1 was written by one program and compressed by another (with fflate, a library of JavaScript programs).',
    });
    expect(await strengths(writerFingerprint, file(zlibSync(Buffer.from(inLines))))).to.deep.equal([]);
    expect(await strengths(writerFingerprint, file(deflate(inOneLine)))).to.deep.equal([]);
    expect(await strengths(writerFingerprint, file(packedOtherwise(inOneLine)))).to.deep.equal([]);
  });

  describe('texts that are not written the way of the named program', () => {
    const page = (content: number, font: number) =>
      `<< /Type /Page /Parent 2 0 R /Contents ${content} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`;
    const font = '<<\n/Type /Font /Subtype /Type1 >>';
    const file = (comment: string, [first, second]: readonly string[], fontOfSecond = 10) =>
      stating({ Producer: 'ReportLab PDF Library - www.reportlab.com' }, undefined, {
        comment,
        objects: {
          2: `<< /Type /Pages /Kids [3 0 R${second === undefined ? '' : ' 7 0 R'}] /Count 2 >>`,
          3: page(4, 10),
          4: stream(first ?? ''),
          7: page(12, fontOfSecond),
          10: font,
          11: font,
          12: stream(second ?? ''),
        },
      });
    const found = async (bytes: Uint8Array) =>
      (await findingsOn(writerFingerprint, bytes)).filter(({ message }) => message.includes('was rewritten'));

    it('are suspicious where the file was saved by a program that keeps streams', async () => {
      const [finding, ...rest] = await found(file(QPDF, [inLines]));
      expect(rest).to.deep.equal([]);
      expect(finding).to.include({
        strength: 'medium',
        message: 'The content of page 1 was rewritten by a program other than ReportLab, which the file names.',
      });
      expect(finding?.evidence).to.have.length(3);
      expect(await found(file(QPDF, [inOneLine]))).to.deep.equal([]);
    });

    it('are for people where the program that saved the file may have written them', async () => {
      const [finding] = await found(file(ACROBAT, [inLines]));
      expect(finding?.strength).to.equal('context');
    });

    it('are found on one page among others, unless it has fonts of its own, as one that was added', async () => {
      const [finding] = await found(file(QPDF, [inOneLine, inLines]));
      expect(finding?.message).to.include('page 2 was rewritten');
      expect(await found(file(QPDF, [inOneLine, inLines], 11))).to.deep.equal([]);
    });
  });

  describe('a page among others with the same fonts', () => {
    const hexadecimal = texts((row) => `BT /F1 10 Tf 50 ${800 - row * 17} Td <${hexOf(`Row ${row}`)}> Tj ET`);
    const file = (contents: readonly string[], fontOfSecond = 10, more = '') => {
      const kids = contents.map((_, index) => `${20 + index} 0 R`).join(' ');
      const page = (index: number) =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${30 + index} 0 R /Resources << /Font << /F1 ${index === 1 ? fontOfSecond : 10} 0 R >> >> >>`;
      const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
      const pages = contents.flatMap((content, index) => [
        [20 + index, page(index)] as const,
        [30 + index, stream(index === 1 ? content + more : content)] as const,
      ]);
      const objects = {
        2: `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
        10: font,
        11: font,
        ...Object.fromEntries(pages),
      };
      return stating({ Producer: 'CoreBanking Forms' }, undefined, { objects });
    };

    it('is suspicious when another program wrote its texts', async () => {
      const [finding, ...rest] = await findingsOn(writerFingerprint, file([inOneLine, inLines, inOneLine]));
      expect(rest).to.deep.equal([]);
      expect(finding).to.include({
        strength: 'medium',
        message:
          'The content of page 2 was written by a different program from the other pages, which use the same fonts.',
      });
      expect(finding?.evidence[0]).to.deep.include({ page: 2, before: 'one', after: 'a line break' });
      const [strings] = await findingsOn(writerFingerprint, file([inOneLine, hexadecimal, inOneLine]));
      expect(strings?.evidence[0]).to.deep.include({ page: 2, before: 'literal', after: 'hexadecimal' });
    });

    it('is for people when MuPDF wrote it, which rewrites pages that it redacts or cleans', async () => {
      const ofMuPdf = texts((row) => `BT/F1 10 Tf 50 ${800 - row * 17} TD(Row ${row * 7919})Tj ET`);
      const found = await strengths(writerFingerprint, file([inOneLine, ofMuPdf, inOneLine]));
      expect(found).to.deep.equal(['context']);
    });

    const silent: Record<string, Uint8Array> = {
      'all pages are written alike': file([inOneLine, inOneLine, inOneLine]),
      'it has a font of its own, as a page that was added': file([inOneLine, inLines, inOneLine], 11),
      'it is blackened in part, for redacting writes a page again': file(
        [inOneLine, inLines, inOneLine],
        10,
        '\n0 g 200 500 120 12 re f\n',
      ),
      'there are only two pages': file([inOneLine, inLines]),
    };
    for (const [when, bytes] of Object.entries(silent))
      it(`passes when ${when}`, async () => expect(await strengths(writerFingerprint, bytes)).to.deep.equal([]));
  });
});
