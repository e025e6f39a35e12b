import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { expect } from 'chai';
import { examineBytes } from '../examine-bytes.ts';
import type { DocumentResult } from '../result.ts';
import { rules } from '../rules/index.ts';
import { amount, corners, type Objects, pageObject, pdfOf, rectangle, stream, text } from './fixtures/pdf.ts';

const READING = { ocr: false, ocrSeconds: 0 };
const PAY = ['3.250,00', '120,00', '43,50', '3.413,50', '412,16', '266,50', '302,25', '980,91', '2.432,59'];
const NAMES = ['Grundgehalt', 'Zulage', 'Zuschlag', 'Gesamtbrutto', 'Lohnsteuer', 'KV', 'RV', 'Summe Abzüge'];

function examine(bytes: Uint8Array): Promise<DocumentResult> {
  return examineBytes('payslip.pdf', bytes, { rules, reading: READING });
}

const rowAt = (row: number) => 100 + 20 * row;

/** A payslip whose lines add up; rows in `without` have a name but no figure. */
function payslip(
  figures: readonly string[],
  without: readonly number[] = [],
  more = '',
  objects: Objects = {},
): Uint8Array {
  const names = [...NAMES, 'Auszahlungsbetrag'];
  const rows = names.map((name, row) => {
    const figure = without.includes(row) ? '' : amount(500, rowAt(row), figures[row] ?? '');
    return text(50, rowAt(row), name) + figure;
  });
  return pdfOf([rows.join('') + more], objects);
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

describe('what viewers add to a page', () => {
  const font = '/Resources << /Font << /F1 10 0 R >> /ExtGState << /Multiply << /BM /Multiply >> >> >>';
  const drawn = (content: string, { width, height }: { width: number; height: number }) =>
    stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 ${width} ${height}] ${font}`);
  const words = (size: number, text: string) => `BT 0.8 0.1 0.1 rg /F1 ${size} Tf 6 5 Td (${text}) Tj ET`;

  /** A payslip with one annotation, its place given by its top left. */
  function added(kind: string, content: string, [x, y, width, height]: [number, number, number, number], net = PAY) {
    const place = `/F 4 /Rect ${corners(x, y, width, height)}`;
    const [left, top, right, bottom] = [x, 842 - y, x + width, 842 - y - height];
    const marked =
      kind === 'Highlight' ? `/QuadPoints [${left} ${top} ${right} ${top} ${left} ${bottom} ${right} ${bottom}]` : '';
    return payslip(net, [], '', {
      20: pageObject(0, '/Annots [60 0 R]'),
      60: `<< /Type /Annot /Subtype /${kind} ${place} ${kind === 'Widget' ? '/FT /Sig /T (s)' : ''} ${marked} /AP << /N 61 0 R >> >>`,
      61: drawn(content, { width, height }),
    });
  }

  it('accuses no one: stamps, comments, signatures and marks, on white or not, over values or beside them', async () => {
    const y = rowAt(6);
    const white = (width: number, height: number) => `1 1 1 rg 0 0 ${width} ${height} re f`;
    const harmless: Record<string, [Uint8Array, DocumentResult['outcome']]> = {
      'a stamp': [added('Stamp', words(16, 'PAID'), [380, 500, 90, 26]), 'no_finding'],
      'a stamp on white over a value': [
        added('Stamp', `${white(90, 26)} ${words(16, 'COPY')}`, [430, y - 18, 90, 26]),
        'inconclusive',
      ],
      'a stamp with a date': [added('Stamp', words(10, 'RECEIVED 12.03.2025'), [380, 500, 150, 20]), 'inconclusive'],
      'a stamp with a date on white over a value': [
        added('Stamp', `${white(90, 14)} ${words(10, '12.03.2025')}`, [445, y - 11, 90, 14]),
        'inconclusive',
      ],
      'a comment with another amount': [
        added('FreeText', words(10, 'Netto 2.400,00'), [100, rowAt(8) + 8, 200, 14]),
        'inconclusive',
      ],
      'the field of a signature': [
        added('Widget', words(8, 'Signed by A. Weber 2025.03.12 10:00:00'), [50, 500, 200, 20]),
        'no_finding',
      ],
      'a mark': [added('Highlight', `/Multiply gs 1 1 0 rg 0 0 60 12 re f`, [440, y - 10, 60, 12]), 'no_finding'],
    };
    for (const [title, [bytes, outcome]] of Object.entries(harmless)) {
      const result = await examine(bytes);
      expect(deciding(result), title).to.deep.equal([]);
      expect(result.outcome, title).to.equal(outcome);
    }
  });

  it('is read where it replaces a figure, also by the sums', async () => {
    const over = `1 1 1 rg 0 0 70 14 re f BT 0 g /F1 10 Tf 21.6 4 Td (3.432,59) Tj ET`;
    const result = await examine(added('Square', over, [440, rowAt(8) - 10, 70, 14]));
    expect(deciding(result)).to.include.members(['covered-text', 'payslip-arithmetic']);
  });

  it('makes a file inconclusive where it shows a figure that the page does not have', async () => {
    const figure = 'BT 0 g /F1 10 Tf 21.6 4 Td (2.432,59) Tj ET';
    for (const kind of ['Stamp', 'FreeText']) {
      const { outcome, reason } = await examine(added(kind, figure, [440, rowAt(8) - 10, 70, 14], PAY.with(8, '')));
      expect(outcome, kind).to.equal('inconclusive');
      expect(reason).to.match(/^Page 1 has figures written or hidden with comments/);
    }
    const field = payslip(PAY.with(8, ''), [], '', {
      20: pageObject(0, '/Annots [60 0 R]'),
      60: `<< /Type /Annot /Subtype /Widget /FT /Tx /T (net) /V (2.432,59) /F 4 /Rect ${corners(440, rowAt(8) - 10, 70, 14)} >>`,
    });
    expect((await examine(field)).outcome, 'the value of a field without a drawing').to.equal('inconclusive');
    const unplaced = added('Underline', figure, [440, rowAt(8) - 10, 70, 14], PAY.with(8, ''));
    expect((await examine(unplaced)).outcome, 'drawn by some viewers only').to.equal('inconclusive');
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
