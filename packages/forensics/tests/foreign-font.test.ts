import { expect } from 'chai';
import { foreignFont } from '../rules/pdf/foreign-font.ts';
import { findingsOn } from './fixtures/payslip.ts';
import { amount, type Objects, pageObject, pdfOf, type Text, text } from './fixtures/pdf.ts';

/** Ten rows of a payslip whose amounts end at 400. With `isLast`, amounts in another font are painted last. */
function payslip(style: (row: number) => Text = () => ({}), isLast = false, label = 'Basic pay for the month'): string {
  const rows = Array.from({ length: 10 }, (_, row) => ({
    label: text(50, 100 + 20 * row, style(row).font === undefined ? 'Basic pay for the month' : label),
    value: amount(400, 100 + 20 * row, `${100 + 37 * row},${10 + row}`, style(row)),
    isOther: style(row).font !== undefined,
  }));
  const inTurn = rows.map(({ label, value, isOther }) => label + (isLast && isOther ? '' : value));
  const later = rows.flatMap(({ value, isOther }) => (isLast && isOther ? [value] : []));
  return [...inTurn, ...later].join('');
}

const others = (rows: readonly number[], font: 'F2' | 'F3' | 'F4') => (row: number) =>
  rows.includes(row) ? { font } : {};

async function found(content: string, objects: Objects = {}): Promise<string[]> {
  return (await findingsOn(foreignFont, pdfOf([content], objects))).map(({ message }) => message);
}

const fontObject = (name: string, subtype = 'Type1') =>
  `<< /Type /Font /Subtype /${subtype} /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;

describe('values in a font of their own', () => {
  for (const [count, rows] of [
    ['one', [4]],
    ['three', [1, 4, 7]],
    ['four', [1, 2, 4, 7]],
  ] as const)
    it(`are found when there are ${count}`, async () => {
      const messages = await found(payslip(others(rows, 'F3'), true));
      expect(messages).to.have.length(rows.length);
      expect(messages.at(-1)).to.equal(
        `${100 + 37 * (rows.at(-1) ?? 0)},${10 + (rows.at(-1) ?? 0)} on page 1 is in a font that other values of its kind do not use (font).`,
      );
    });

  it('are found in a second copy of the same font', async () => {
    expect(await found(payslip(others([1, 4, 7], 'F4'), true))).to.have.length(3);
  });

  it('are found in drawing order if the font is written otherwise or of another kind than the others', async () => {
    const inTurn = payslip(others([1, 4, 7], 'F3'));
    const otherOrder = '<< /BaseFont /Courier /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding >>';
    expect(await found(inTurn, { 12: otherOrder })).to.have.length(3);
    expect(await found(inTurn, { 12: fontObject('Courier', 'TrueType') })).to.have.length(3);
    const named = pageObject(0).replace('/F3 12 0 R', '/Courier-7023 12 0 R');
    expect(await found(inTurn.replaceAll('/F3 ', '/Courier-7023 '), { 20: named })).to.have.length(3);
  });

  it('exclude those in drawing order in a font written like the others, whatever its name, and sums and accounts in one of another kind', async () => {
    for (const rows of [[9], [7, 8, 9], [1, 4, 7]])
      for (const [one, other] of [
        ['MSTT31a8d5', 'MSTT31b5e2'],
        ['TTE1D5E668t00', 'TTE1F2B7A8t00'],
        ['CMR10', 'CMBX10'],
        ['ArialMT', 'Helvetica-Bold'],
      ] as const) {
        const fonts = { 10: fontObject(one), 12: fontObject(other) };
        expect(await found(payslip(others(rows, 'F3')), fonts), `${other} ${rows}`).to.deep.equal([]);
      }
    const sums = payslip(others([3, 8, 9], 'F3'), false, 'Net pay');
    const account = text(50, 340, 'IBAN') + text(120, 340, 'DE12 5001 0517 0648 4898 90', { font: 'F3' });
    for (const page of [sums, account + payslip()])
      expect(await found(page, { 12: fontObject('Courier', 'TrueType') })).to.deep.equal([]);
    // A watermark has a font of the account's kind, written otherwise.
    const mark = text(50, 600, 'COPY', { font: 'F2' });
    const watermark = '<< /BaseFont /Times-Roman /Subtype /TrueType /Type /Font /Encoding /WinAnsiEncoding >>';
    const fonts = { 11: watermark, 12: fontObject('Courier', 'TrueType') };
    expect(await found(account + payslip() + mark, fonts)).to.deep.equal([]);
  });

  it('exclude sums painted last beside their labels, or at the end of a column, and include those painted apart', async () => {
    const footer = text(50, 400, 'Please keep this document');
    const row = (value: string) => text(50, 320, 'Net pay') + value;
    const net = amount(400, 320, '2.480,15', { font: 'F3' });
    expect(await found(footer + payslip() + row(net)), 'beside its label').to.deep.equal([]);
    const columns = Array.from({ length: 10 }, (_, at) => amount(400, 100 + 20 * at, `${100 + 37 * at},${10 + at}`));
    const labels = Array.from({ length: 10 }, (_, at) => text(50, 100 + 20 * at, 'Basic pay for the month'));
    expect(await found(footer + labels.join('') + row('') + columns.join('') + net), 'at the end').to.deep.equal([]);
    expect(await found(payslip() + row('') + footer + net), 'apart').to.have.length(1);
  });

  it('are reported once for an account in groups, in a copy of a font that has its letters elsewhere', async () => {
    const account = (font: 'F1' | 'F4') => text(120, 340, 'DE12 5001 0517 0648 4898 90', { font });
    const page = (font: 'F1' | 'F4') =>
      payslip() + text(50, 340, 'DE Konto') + text(50, 380, 'Posten 12 34 56 78 123 456 789 1234') + account(font);
    expect(await found(page('F4'))).to.deep.equal([
      '“DE12 5001 0517 0648 4898 90” on page 1 is in a font that other values of its kind do not use (copy of the font).',
    ]);
    expect(await found(page('F1'))).to.deep.equal([]);
  });

  it('include a name beside a label, painted last in a font that is used nowhere else', async () => {
    const name = text(120, 80, 'Eva Maier', { font: 'F3' });
    const label = text(50, 80, 'Arbeitnehmer');
    expect(await found(label + payslip() + name)).to.deep.equal([
      '“Eva Maier” on page 1 is in a font that nothing else in the file uses (font).',
    ]);
    expect(await found(label + name + payslip())).to.deep.equal([]);
    expect(await found(label + payslip() + name + text(50, 400, 'in Courier', { font: 'F3' }))).to.deep.equal([]);
    expect(await found(payslip() + name)).to.deep.equal([]);
    expect(await found(label.replace('Arbeitnehmer', 'Musterbank') + payslip() + name)).to.deep.equal([]);
  });

  it('include numbers whose digits come from two fonts', async () => {
    const [start, end] = [amount(380.54, 320, '2.4'), text(380.6, 320, '80,15', { font: 'F3' })];
    const label = text(50, 320, 'Net');
    expect(await found(label + start + payslip() + end)).to.deep.equal([
      '2.480,15 on page 1 is in a font that other values of its kind do not use (two fonts within the number).',
    ]);
    expect(await found(payslip() + label + start + end), 'an issuer may set decimals in another font').to.deep.equal(
      [],
    );
  });

  it('exclude bold values, a single total drawn in order in its own font, and forms in which all values have one', async () => {
    const silent = {
      bold: payslip(others([1, 4, 7], 'F2'), true),
      'a lone total': payslip(others([9], 'F3')),
      'numbers of chapters':
        payslip() +
        text(50, 320, 'Account 12 34 56 78 90 12 34') +
        [1, 2, 3]
          .map(
            (chapter) =>
              text(30, 300 + 40 * chapter, `${chapter}`, { font: 'F3' }) + text(50, 300 + 40 * chapter, 'Chapter'),
          )
          .join(''),
      'a form': payslip(() => ({ font: 'F3' }), true),
      plain: payslip(),
    };
    for (const [title, content] of Object.entries(silent)) expect(await found(content), title).to.deep.equal([]);
  });
});
