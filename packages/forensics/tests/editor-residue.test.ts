import { PDFDocument, PDFName, rgb, StandardFonts } from '@cantoo/pdf-lib';
import { qpdf } from '@tenant-screening/forensics-corpus/producers/qpdf.ts';
import { expect } from 'chai';
import { editorResidue } from '../rules/pdf/editor-residue.ts';
import { findingsOn, payslip, rowAt, verdictOn } from './fixtures/payslip.ts';
import { amount, pageNumber, pdfOf, stream, text, updated } from './fixtures/pdf.ts';

const slip = pdfOf([payslip()]);

/** Renumbers objects from 1 without gaps, as most writers do. */
async function numbered(contents: readonly string[]): Promise<PDFDocument> {
  return PDFDocument.load(await qpdf(pdfOf(contents), []), { updateMetadata: false });
}

const found = (bytes: Uint8Array) => findingsOn(editorResidue, bytes);

/** As libraries rewrite a file after replacing a page's content: the former content stays, unreferenced. */
async function rewritten(
  contents: readonly string[],
  change: (content: string) => string,
  page = 0,
): Promise<Uint8Array> {
  const document = await numbered(contents);
  const { node } = document.getPage(page);
  const content = document.context.flateStream(change(contents[page] ?? ''));
  node.set(PDFName.of('Contents'), document.context.register(content));
  return document.save({ useObjectStreams: false });
}

describe('traces of content editing', () => {
  it('reveal the value in content that the file still holds and no page draws', async () => {
    const [finding, ...rest] = await found(
      await rewritten([payslip()], (content) => content.replace('2.180,40', '9.180,40')),
    );
    expect(rest).to.have.length(0);
    expect(finding?.strength).to.equal('strong');
    expect(finding?.message).to.equal(
      'The amount on page 1 read 2.180,40 in content that is left in the file unused and reads 9.180,40 now.',
    );
    const [{ page, before, after, box, offset } = {}] = finding?.evidence ?? [];
    expect({ page, before, after }).to.deep.equal({ page: 1, before: '2.180,40', after: '9.180,40' });
    expect(box?.x).to.be.closeTo(461, 3);
    expect(offset).to.be.a('number');
  });

  it('are assigned to the right page among several similar ones', async () => {
    const pages = [payslip(), payslip({ name: 'Max Beispiel', gross: '4.000,00' }), payslip({ gross: '1.900,00' })];
    const [finding] = await found(await rewritten(pages, (content) => content.replace('4.000,00', '8.000,00'), 1));
    expect(finding?.evidence[0]).to.deep.include({ page: 2, before: '4.000,00', after: '8.000,00' });
  });

  it('are ignored when a page was cleaned up and shows the same', async () => {
    expect(await found(await rewritten([payslip()], (content) => `q\n${content}\nQ`))).to.have.length(0);
  });

  it('are ignored when a watermark or stamp was added, or a page was removed', async () => {
    const document = await numbered([payslip(), payslip({ gross: '4.000,00' })]);
    const font = document.embedStandardFont(StandardFonts.Helvetica);
    document.getPage(0).drawText('COPY', { x: 100, y: 300, size: 80, font, opacity: 0.2, color: rgb(0.5, 0.5, 0.5) });
    document.removePage(1);
    expect(await found(await document.save({ useObjectStreams: false }))).to.have.length(0);
  });

  it('are ignored when any page of several payslips was removed, however they were written', async () => {
    const months = [payslip(), payslip({ gross: '3.300,00', net: '2.210,40' }), payslip({ gross: '3.400,00' })];
    const plain = pdfOf(months);
    for (const bytes of [await qpdf(plain, []), await qpdf(plain, ['--object-streams=generate'])]) {
      for (const page of [0, 1, 2]) {
        const document = await PDFDocument.load(bytes, { updateMetadata: false });
        document.removePage(page);
        expect(await found(await document.save({ useObjectStreams: false })), `page ${page}`).to.have.length(0);
      }
    }
  });

  it('are ignored in content of an earlier revision, which another rule reports', async () => {
    const changed = updated(slip, { [pageNumber(0) + 1]: stream(payslip({ net: '9.180,40' })) });
    expect(await found(changed)).to.have.length(0);
  });

  it('are ignored when the file was linearised, compressed or encrypted', async () => {
    for (const options of [
      ['--linearize'],
      ['--object-streams=generate', '--recompress-flate'],
      ['--encrypt', '', 'o', '256', '--'],
    ])
      expect(await verdictOn(editorResidue, await qpdf(slip, options))).to.include({ status: 'passed' });
  });

  const touched = (words: string) =>
    `${payslip().replace('(2.180,40)', '( )')}/TouchUp_TextEdit MP\n${amount(500, rowAt(7), words)}`;

  it('reveal figures written with Acrobat’s text editing tool, and their position', async () => {
    const [finding, ...rest] = await found(pdfOf([touched('9.180,40')]));
    expect(rest).to.have.length(0);
    expect(finding?.strength).to.equal('strong');
    expect(finding?.message).to.equal(
      "9.180,40 on page 1 was written with Acrobat's tool for editing the text of a finished document.",
    );
    expect(finding?.evidence[0]).to.deep.include({ page: 1, after: '9.180,40' });
    expect(finding?.evidence[0]?.box?.y).to.be.closeTo(rowAt(7) - 8, 4);
  });

  it('are medium for a date, a company or a name after its label, and context for other words of a template', async () => {
    const strengths = async (content: string) => (await found(pdfOf([content]))).map(({ strength }) => strength);
    expect(await strengths(touched('Auszahlung an'))).to.deep.equal(['context']);
    expect(await strengths(touched('Seite 1 von 2'))).to.deep.equal(['context']);
    expect(await strengths(touched('12.03.2026'))).to.deep.equal(['medium']);
    expect(await strengths(touched('Muster Bau GmbH'))).to.deep.equal(['medium']);
    const named = (label: string) =>
      `${payslip()}${text(50, 40, label)}/TouchUp_TextEdit MP\n${text(150, 40, 'Eva Maier')}`;
    expect(await strengths(named('Arbeitnehmerin'))).to.deep.equal(['medium']);
    expect(await strengths(named('Kapitel'))).to.deep.equal(['context']);
  });

  it('do not report text merely painted near that tool’s mark', async () => {
    const inside = `/TouchUp_TextEdit MP\nBT /F1 10 Tf 50 50 Td (Neu) Tj ET\n${payslip()}`;
    const [finding] = await found(pdfOf([inside]));
    expect(finding?.evidence.map(({ after }) => after)).to.deep.equal(['Neu']);
  });
});
