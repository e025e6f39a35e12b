import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { PDFDocument } from '@cantoo/pdf-lib';
import { retype } from '@tenant-screening/forensics-corpus/pdf/retype.ts';
import { expect } from 'chai';
import PDFKit from 'pdfkit';
import { unusedGlyphs } from '../rules/pdf/unused-glyphs.ts';
import { findingsOn, payslip, verdictOn } from './fixtures/payslip.ts';
import { type Objects, pdfOf, stream } from './fixtures/pdf.ts';

const PDFJS = import.meta.resolve('pdfjs-dist/package.json');
const FONT = readFileSync(new URL('standard_fonts/LiberationSans-Regular.ttf', PDFJS), 'latin1');

/** The file's font as a subset with these characters, according to its code map. */
function subsetOf(characters: string): Objects {
  const hex = (value: number, length: number) => value.toString(16).padStart(length, '0');
  const lines = [...new Set(characters)].map((one) => {
    const code = one.codePointAt(0) ?? 0;
    return `<${hex(code, 2)}> <${hex(code, 4)}>`;
  });
  const map = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar endcmap`;
  return {
    10: `<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Liberation /Encoding /WinAnsiEncoding /ToUnicode 16 0 R
/FontDescriptor 17 0 R /FirstChar 0 /LastChar 255 /Widths [${'556 '.repeat(256)}] >>`,
    16: stream(map),
    17: '<< /Type /FontDescriptor /FontName /ABCDEF+Liberation /Flags 32 /FontFile2 18 0 R >>',
    18: stream(FONT, '/Filter []'),
  };
}

/** The characters that a page shows. */
const shown = [...payslip().matchAll(/\((.*?)\) Tj/g)].map(([, text = '']) => text).join('');

function found(page: string, characters: string, objects: Objects = {}) {
  return findingsOn(unusedGlyphs, pdfOf([page], { ...subsetOf(characters), ...objects }));
}

describe('characters of a font that no page shows', () => {
  it('are named when there are few of them: what stood there before had them', async () => {
    const [finding, ...others] = await found(payslip(), `${shown}7`);
    expect(others).to.deep.equal([]);
    expect(shown).not.to.include('7');
    expect(finding).to.include({ strength: 'medium' });
    expect(finding?.message).to.equal('The font Liberation was embedded with “7”, which no page shows any more.');
    expect(finding?.evidence[0]).to.deep.include({ before: '7', after: '' });
  });

  it('are for people when they are letters', async () => {
    expect((await found(payslip(), `${shown}QX`)).map(({ strength }) => strength)).to.deep.equal(['context']);
  });

  it('are no finding when all are shown, when many are not, and for a font that is whole', async () => {
    expect(await found(payslip(), shown)).to.deep.equal([]);
    expect(await found(payslip(), `${shown}7ABCFHIJKNOPQTUVWXYZjqxy`)).to.deep.equal([]);
    expect(await verdictOn(unusedGlyphs, pdfOf([payslip()]))).to.include({ status: 'not_applicable' });
  });

  it('are not looked for where a layer may show more', async () => {
    const layers = { 1: '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [] /D << >> >> >>' };
    expect(await found(payslip(), `${shown}7`, layers)).to.deep.equal([]);
  });
});

describe('characters that are numbered as a program needs them', () => {
  /** A page in an embedded font, as written by PDFKit, and then with other values in the unchanged font. */
  async function page(rows: readonly string[], changes: Readonly<Record<string, string>> = {}): Promise<Uint8Array> {
    const document = new PDFKit({ compress: false, size: 'A4' });
    document.font(fileURLToPath(new URL('standard_fonts/LiberationSans-Regular.ttf', PDFJS))).fontSize(10);
    for (const [index, row] of rows.entries())
      for (const [cell, text] of row.split('|').entries()) document.text(text, 60 + 300 * cell, 60 + 20 * index);
    document.end();
    const loaded = await PDFDocument.load(await buffer(document), { updateMetadata: false });
    for (const [before, after] of Object.entries(changes)) {
      const { ref, after: content } = retype(loaded, 1, before, after);
      loaded.context.assign(ref, loaded.context.flateStream(content));
    }
    return loaded.save();
  }

  const rows = [
    'Payslip for May|Erika Muster',
    'Basic pay|2.450,60',
    'Allowance|150,00',
    'Income tax|-483,79',
    'Gross pay|2.600,60',
    'Net pay|2.218,81',
  ];
  const wrong = async (bytes: Uint8Array) =>
    (await findingsOn(unusedGlyphs, bytes)).map(({ message, strength }) => `${strength}: ${message}`);

  it('name a value with one that comes before its turn', async () => {
    expect(await wrong(await page(rows, { '2.450,60': '3.450,60' }))).to.deep.equal([
      'medium: 3.450,60 on page 1 shows “3”, which the font LiberationSans numbers as first needed further on.',
    ]);
  });

  it('name a value that lacks one that was first needed there', async () => {
    expect(await wrong(await page(rows, { '2.450,60': '2.250,60' }))).to.deep.equal([
      'medium: 2.250,60 on page 1 does not show “4”, which the font LiberationSans numbers as first needed there.',
    ]);
  });

  it('are for people where letters of a name come before their turn', async () => {
    expect(await wrong(await page(rows, { Muster: 'Muxter' }))).to.deep.equal([
      'context: “Muxter” on page 1 shows “x”, which the font LiberationSans numbers as first needed further on.',
    ]);
  });

  it('are no finding in the file as it was made', async () => {
    expect(await wrong(await page(rows))).to.deep.equal([]);
    expect(await wrong(await page(rows, { '2.600,60': '2.800,60' }))).to.deep.equal([]);
  });

  it('are no finding where a page is finished after the one behind it', async () => {
    const document = new PDFKit({ compress: false, size: 'A4', bufferPages: true });
    document.font(fileURLToPath(new URL('standard_fonts/LiberationSans-Regular.ttf', PDFJS))).fontSize(10);
    const write = (list: readonly string[]) => {
      for (const [index, row] of list.entries()) document.text(row.replace('|', '  '), 60, 60 + 20 * index);
    };
    write(rows.slice(0, 3));
    document.addPage();
    write(rows.slice(3));
    document.switchToPage(0);
    document.text('Brought forward 9.374,60', 60, 400);
    document.end();
    expect(await wrong(new Uint8Array(await buffer(document)))).to.deep.equal([]);
  });
});
