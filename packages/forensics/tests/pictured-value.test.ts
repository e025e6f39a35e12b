import { outlines } from '@tenant-screening/forensics-corpus/data/outlines.ts';
import { expect } from 'chai';
import { openDocument } from '../open-document.ts';
import { picturedValue } from '../rules/pdf/pictured-value.ts';
import { findingsOn, messagesOn, payslip, rowAt } from './fixtures/payslip.ts';
import { amount, pdfOf, picture, stream, text } from './fixtures/pdf.ts';
import { pictureOf } from './fixtures/pictures.ts';

/** Noise, so that the picture has more than one colour. */
function noisy(): string {
  const pixels = Array.from({ length: 200 }, (_, at) => String.fromCharCode((at * 37) % 200)).join('');
  return stream(
    pixels,
    '/Type /XObject /Subtype /Image /Width 20 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceGray',
  );
}

function found(content: string) {
  return findingsOn(picturedValue, pdfOf([content], { 15: noisy() }));
}

const gapAt = (row: number) => picture(455, rowAt(row) - 9, 46, 12);

describe('a picture instead of a value', () => {
  it('is found beside a label in a column of figures', async () => {
    const [finding, ...others] = await found(payslip({ net: ' ' }) + gapAt(7));
    expect(others).to.deep.equal([]);
    expect(finding?.message).to.equal(
      'Beside “Auszahlung” on page 1 there is a picture, where the rest of the page has text.',
    );
    expect(finding?.evidence[0]?.box).to.deep.equal({ x: 455, y: rowAt(7) - 9, width: 46, height: 12 });
  });

  it('is found in a block of lines if it shows a name or a value, and is a logo or a signature otherwise', async () => {
    const lines = [490, 504, 532].map((y) => text(50, y, 'Musterstr. 12')).join('');
    const shown = async (words: string) =>
      messagesOn(picturedValue, pdfOf([payslip() + lines + picture(49, 509, 60, 12)], { 15: await pictureOf(words) }));
    expect(await shown('Eva Maier')).to.have.length(1);
    expect(await shown('2.180,40')).to.have.length(1);
    expect(await shown('xx')).to.deep.equal([]);
  });

  it('is a signature or a stamp above a typed name and beside such a label, whatever OCR reads in it', async () => {
    const shown = async (content: string, words: string) =>
      messagesOn(picturedValue, pdfOf([payslip() + content], { 15: await pictureOf(words) }));
    const letter = (name: string) =>
      text(50, 500, 'Mit freundlichen Grüßen') + picture(49, 510, 60, 20) + text(50, 542, name);
    for (const name of ['Petra Sommer', 'Petra Sommer, Personalleitung', '(Jean-Luc Moreau)', 'i.V. P. Sommer'])
      for (const words of ['Eva Maier', '12.03.2026']) expect(await shown(letter(name), words), name).to.deep.equal([]);
    for (const label of ['Unterschrift', 'Signature', 'Firma y sello', 'Handtekening', 'Podpis'])
      expect(await shown(text(50, 500, label) + picture(200, 491, 60, 12), '12.03.2026'), label).to.deep.equal([]);
  });

  it('is found when it is drawn as curves in a column of figures, but not anywhere else', async () => {
    const letter = '0 0 m 300 0 500 300 500 700 c 200 700 l h';
    const curves = (x: number, y: number) =>
      `q 0.01 0 0 0.01 ${x} ${842 - y} cm ${[0, 6, 12, 18, 24, 30, 36].map((at) => `q 1 0 0 1 ${at * 100} 0 cm ${letter} f Q`).join(' ')} Q\n`;
    const [finding, ...others] = await found(payslip({ net: ' ' }) + curves(459, rowAt(7)));
    expect(others).to.deep.equal([]);
    expect(finding?.message).to.equal(
      'Beside “Auszahlung” on page 1 there is a drawing, where the rest of the page has text.',
    );
    expect(await found(payslip() + curves(459, 60) + curves(50, 118) + curves(300, rowAt(3)))).to.deep.equal([]);
  });

  it('is read and reported', async () => {
    const bytes = pdfOf([payslip()]);
    const { document } = await openDocument('payslip.pdf', bytes);
    const box = { x: 450, y: rowAt(7) - 8, width: 51, height: 11 };
    expect(await document?.textIn?.(1, box)).to.equal('2.180,40');
  });

  it('is found after any text if it shows a value, but not if it shows a word', async () => {
    const page = payslip() + text(50, 420, 'Ausgezahlt wurden im Januar') + picture(200, 411, 60, 12);
    const shown = async (words: string) => messagesOn(picturedValue, pdfOf([page], { 15: await pictureOf(words) }));
    expect(await shown('2.180,40')).to.deep.equal([
      'Beside “Ausgezahlt wurden im Januar” on page 1 there is a picture that shows 2.180,40, where the rest of the page has text.',
    ]);
    expect(await shown('bezahlt')).to.deep.equal([]);
  });

  it('is found as the first or last line of a block if it may show a name, and as nothing else', async () => {
    const lines = (...at: number[]) => at.map((y) => text(50, y, 'Musterstr. 12')).join('');
    const beside = text(330, 118, 'Konto');
    const shown = async (content: string, words: string) =>
      messagesOn(picturedValue, pdfOf([payslip() + content], { 15: await pictureOf(words) }));
    const found = [
      'In a block of text on page 1 there is a picture that shows “Eva Maier”, where the rest of the page has text.',
    ];
    const at = (y: number) => picture(49, y - 9, 60, 12);
    expect(await shown(lines(514, 528) + at(500) + beside, 'Eva Maier')).to.deep.equal(found);
    expect(await shown(lines(500, 514) + at(528), 'Eva Maier')).to.deep.equal(found);
    expect(await shown(lines(514, 528) + at(500), 'offline')).to.deep.equal([]);
    expect(await shown(lines(560, 574) + at(500), 'Eva Maier')).to.deep.equal([]);
    expect(await shown(lines(514, 541) + at(500), 'Eva Maier'), 'other spacing').to.deep.equal([]);
    expect(
      await shown(lines(514, 528) + at(500) + text(120, 500, 'Konto'), 'Eva Maier'),
      'text right beside',
    ).to.deep.equal([]);
    const letterhead = [64, 78].map((y) => text(350, y, 'Musterstr. 12')).join('') + picture(349, 41, 60, 12);
    expect(await shown(letterhead, 'Muster Berlin'), 'letterhead').to.deep.equal([]);
  });

  it('is found in the first column of a table if it shows a value', async () => {
    const rows = [500, 514, 542].map(
      (y) => text(50, y, '07/06/2023') + text(110, y, 'Rent') + amount(500, y, '120,00'),
    );
    const page = rows.join('') + text(110, 528, 'Rent') + amount(500, 528, '120,00') + picture(49, 519, 45, 9);
    const shown = async (words: string) =>
      messagesOn(picturedValue, pdfOf([payslip() + page], { 15: await pictureOf(words) }));
    expect(await shown('07/06/2029')).to.have.length(1);
    expect(await shown('offline')).to.deep.equal([]);
  });

  it('is found beside an abbreviation', async () => {
    const rows = [140, 160, 200].map((y) => text(50, y, 'Posten') + amount(500, y, '120,00')).join('');
    expect(await found(rows + text(50, 180, 'I.R.P.F.') + picture(455, 171, 46, 12))).to.have.length(1);
  });

  it('is found when it is drawn as curves after any text and shows a value', async () => {
    const digits = [...'2345678902'].map((digit, at) => `q 1 0 0 1 ${556 * at} 0 cm ${outlines[digit]?.path} f Q`);
    const drawn = `q 0.01 0 0 0.01 200 422 cm ${digits.join(' ')} Q\n`;
    const page = payslip() + text(50, 420, 'Ausgezahlt auf') + drawn;
    expect(await messagesOn(picturedValue, pdfOf([page]))).to.have.length(1);
    expect(await messagesOn(picturedValue, pdfOf([page.replace('Ausgezahlt auf', '')]))).to.deep.equal([]);
  });

  it('is found in a column of amounts that end with their currency', async () => {
    const rows = [140, 160, 200].map((y) => text(50, y, 'Posten') + text(450, y, '120,00 zl')).join('');
    expect(await found(rows + text(50, 180, 'Posten') + picture(446, 171, 48, 12))).to.have.length(1);
  });

  it('excludes logos, icons, signatures, stamps and repeated pictures', async () => {
    const silent = {
      logo: payslip() + picture(400, 30, 120, 40),
      icon: payslip() + picture(36, rowAt(7) - 8, 10, 10),
      signature: payslip() + picture(60, 340, 120, 38),
      'beside text that has its value': payslip() + picture(300, rowAt(7) - 9, 46, 12),
      'many of a kind':
        payslip() +
        Array.from(
          { length: 9 },
          (_, row) => text(50, 400 + 20 * row, 'Posten') + picture(455, 391 + 20 * row, 46, 12),
        ).join(''),
    };
    for (const [title, content] of Object.entries(silent)) expect(await found(content), title).to.deep.equal([]);
  });
});
