import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { expect } from 'chai';
import { examineBytes } from '../examine-bytes.ts';
import type { DocumentResult } from '../result.ts';
import { rules } from '../rules/index.ts';
import { amount, pdfOf, rectangle, text } from './fixtures/pdf.ts';

const READING = { ocr: false, ocrSeconds: 0 };
const PAY = ['3.250,00', '120,00', '43,50', '3.413,50', '412,16', '266,50', '302,25', '980,91', '2.432,59'];
const NAMES = ['Grundgehalt', 'Zulage', 'Zuschlag', 'Gesamtbrutto', 'Lohnsteuer', 'KV', 'RV', 'Summe Abzüge'];

function examine(bytes: Uint8Array): Promise<DocumentResult> {
  return examineBytes('payslip.pdf', bytes, { rules, reading: READING });
}

const rowAt = (row: number) => 100 + 20 * row;

/** A payslip whose lines add up; rows in `without` have a name but no figure. */
function payslip(figures: readonly string[], without: readonly number[] = [], more = ''): Uint8Array {
  const names = [...NAMES, 'Auszahlungsbetrag'];
  const rows = names.map((name, row) => {
    const figure = without.includes(row) ? '' : amount(500, rowAt(row), figures[row] ?? '');
    return text(50, rowAt(row), name) + figure;
  });
  return pdfOf([rows.join('') + more]);
}

const bar = (row: number, colour = '0 0 0') => rectangle(420, rowAt(row) - 10, 90, 13, colour);
const deciding = ({ checks }: DocumentResult) =>
  checks.filter(({ findings }) => findings?.some(({ strength }) => strength !== 'context')).map(({ rule }) => rule);

describe('a black bar over a line of a payslip', () => {
  it('accuses no one, whether or not the figure is still below it, and on any line', async () => {
    expect((await examine(payslip(PAY))).outcome).to.equal('no_finding');
    for (const row of [0, 1, 2, 4, 5, 6])
      for (const bytes of [payslip(PAY, [], bar(row)), payslip(PAY, [row], bar(row))]) {
        const result = await examine(bytes);
        expect(deciding(result), `row ${row}`).to.deep.equal([]);
        expect(result.outcome).to.not.equal('tampered');
      }
  });

  it('is no excuse where it hides no figure: a changed one is still found', async () => {
    const forged = PAY.with(8, '3.432,59');
    for (const more of ['', rectangle(50, 700, 200, 13, '0 0 0')])
      expect((await examine(payslip(forged, [], more))).outcome).to.equal('tampered');
  });
});

describe('a form filled in over samples and flattened', () => {
  it('is not tampered', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    const font = document.embedStandardFont(StandardFonts.Helvetica);
    const form = document.getForm();
    page.drawText('A form of the office, filled in by a person and flattened by a program.', { x: 60, y: 780, font });
    for (const [index, [sample, value]] of [
      ['Max Mustermann', 'Erika Beispiel'],
      ['Musterstadt', 'Hamburg'],
      ['Sample name', 'Another name'],
    ].entries()) {
      const y = 700 - 40 * index;
      page.drawText(sample ?? '', { x: 102, y: y + 5, size: 12, font });
      const field = form.createTextField(`field-${index}`);
      field.addToPage(page, { x: 100, y, width: 200, height: 20, borderWidth: 0 });
      field.setText(value ?? '');
      field.setFontSize(12);
    }
    form.flatten();
    const { outcome, checks } = await examine(await document.save());
    expect(checks.filter(({ rule }) => rule === 'covered-text').map(({ status }) => status)).to.deep.equal(['passed']);
    expect(outcome).to.equal('no_finding');
  });
});
