import { PDFDocument } from '@cantoo/pdf-lib';
import { expect } from 'chai';
import { conclude } from '../conclude.ts';
import { aboutRule } from '../examine.ts';
import { examineBytes } from '../examine-bytes.ts';
import { encodePng } from '../image/encode-png.ts';
import type { Check, DocumentResult } from '../result.ts';
import { rules } from '../rules/index.ts';
import { copiedDocument } from '../rules/pdf/copied-document.ts';
import { foreignFont } from '../rules/pdf/foreign-font.ts';
import { parsersDisagree } from '../rules/pdf/parsers-disagree.ts';
import { pdfOf, picture, text } from './fixtures/pdf.ts';

const READING = { ocr: false, ocrSeconds: 0 };
const LETTER =
  text(50, 60, 'Net pay for October 1.250,00 EUR') +
  text(50, 80, 'We confirm that it is paid at the end of every month.');
const SCAN = picture(0, 0, 595, 842);

function examine(bytes: Uint8Array): Promise<DocumentResult> {
  return examineBytes('payslip.pdf', bytes, { rules, reading: READING });
}

/** Draws each whole page on a new one, as printing does. */
async function printed(bytes: Uint8Array, scale: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const page of await document.embedPdf(bytes, [0]))
    document.addPage([595, 842]).drawPage(page, { x: 9, y: 9, xScale: scale, yScale: scale });
  return document.save();
}

async function madeBy(producer: string): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdfOf([LETTER]), { updateMetadata: false });
  document.setProducer(producer);
  return document.save();
}

/** With the comment on the second line by which a program marks a file as binary. */
function written(comment: string): Uint8Array {
  const bytes = Buffer.from(pdfOf([LETTER]));
  bytes.write(comment, bytes.indexOf('\n%') + 2, 'hex');
  return bytes;
}

describe('a copy', () => {
  it('is inconclusive, with the reason and what to ask for', async () => {
    const grey = encodePng({ width: 24, height: 24, data: new Uint8Array(1728).fill(200) });
    const copies: Record<string, [Uint8Array, RegExp]> = {
      'a scan': [pdfOf([SCAN, SCAN]), /^Pages 1, 2 are a scan/],
      'a scan behind a page of text': [pdfOf([LETTER, SCAN]), /^Page 2 is a scan/],
      'a scan with text below': [pdfOf([text(50, 60, 'Net pay for October 1.250,00 EUR') + SCAN]), /^Page 1 is a scan/],
      'a printed page': [await printed(pdfOf([LETTER]), 0.97), /^Page 1 is drawn as a whole/],
      'a print of macOS': [await madeBy('macOS Version 14.5 Quartz PDFContext'), /printed or written with macOS/],
      'a print of Windows': [await madeBy('Microsoft: Print To PDF'), /printed or written with Windows/],
      'a page of a drawing program': [await madeBy('Adobe Illustrator 27'), /saved with Adobe Illustrator/],
      'a page of LibreOffice Draw': [await madeBy('Draw'), /saved with Draw/],
      'a file that an editor saved': [await madeBy('Sejda PDF Editor'), /saved with Sejda PDF Editor/],
      'a print of a browser': [await madeBy('Skia/PDF m125'), /printed or written with a browser/],
      'a letter in Word': [await madeBy('Microsoft® Word for Microsoft 365'), /with Microsoft Office/],
      'a print without metadata': [written('c7ec8fa2'), /with Ghostscript \(the way in which it is written\)/],
      'a page of a browser without metadata': [written('d3ebe9e1'), /with a browser/],
      'a picture': [grey, /is a picture of a document/],
    };
    for (const [name, [bytes, reason]] of Object.entries(copies)) {
      const result = await examine(bytes);
      expect(result.outcome, name).to.equal('inconclusive');
      expect(result.reason, name)
        .to.match(reason)
        .and.match(/Ask for the file as it was downloaded/);
    }
  });

  it('differs from an original, a file saved again by a portal and one written by a library', async () => {
    const portal = await (await PDFDocument.load(pdfOf([LETTER]))).save();
    for (const bytes of [pdfOf([LETTER]), portal, await madeBy('SAP NetWeaver 750'), await madeBy('iText 7.2.5')])
      expect((await examine(bytes)).outcome).to.equal('no_finding');
  });

  const NONE: ReadonlySet<string> = new Set();
  const evidence = [{ page: 1 }];
  const copy: Check = {
    ...aboutRule(copiedDocument),
    status: 'finding',
    findings: [{ message: 'A copy.', strength: 'context', evidence }],
  };
  const found = (rule: typeof parsersDisagree): Check => ({
    ...aboutRule(rule),
    status: 'finding',
    findings: [{ message: 'Found.', strength: 'medium', evidence }],
  });

  it('does not excuse a finding', () => {
    expect(conclude([copy, found(parsersDisagree)], undefined, NONE).outcome).to.equal('suspicious');
    expect(conclude([copy, found(parsersDisagree), found(foreignFont)], undefined, NONE).outcome).to.equal('tampered');
  });
});
