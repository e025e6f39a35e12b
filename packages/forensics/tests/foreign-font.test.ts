import { expect } from 'chai';
import { foreignFont } from '../rules/pdf/foreign-font.ts';
import { findingsOn } from './fixtures/payslip.ts';
import { amount, pdfOf, type Text, text } from './fixtures/pdf.ts';

/** Ten rows of a payslip whose amounts end at 400. With `isLast`, amounts in another font are painted last. */
function payslip(style: (row: number) => Text = () => ({}), isLast = false): string {
  const rows = Array.from({ length: 10 }, (_, row) => ({
    label: text(50, 100 + 20 * row, 'Basic pay for the month'),
    value: amount(400, 100 + 20 * row, `${100 + 37 * row},${10 + row}`, style(row)),
    isOther: style(row).font !== undefined,
  }));
  const inTurn = rows.map(({ label, value, isOther }) => label + (isLast && isOther ? '' : value));
  const later = rows.flatMap(({ value, isOther }) => (isLast && isOther ? [value] : []));
  return [...inTurn, ...later].join('');
}

const others = (rows: readonly number[], font: 'F2' | 'F3' | 'F4') => (row: number) =>
  rows.includes(row) ? { font } : {};

async function found(content: string): Promise<string[]> {
  return (await findingsOn(foreignFont, pdfOf([content]))).map(({ message }) => message);
}

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

  it('are found in a second copy of the same font, and in drawing order when there are several', async () => {
    expect(await found(payslip(others([1, 4, 7], 'F4'), true))).to.have.length(3);
    expect(await found(payslip(others([1, 4, 7], 'F3')))).to.have.length(3);
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
    const mixed = `${payslip()}${text(50, 320, 'Net')}${amount(380.54, 320, '2.4')}${text(380.6, 320, '80,15', { font: 'F3' })}`;
    expect(await found(mixed)).to.deep.equal([
      '2.480,15 on page 1 is in a font that other values of its kind do not use (two fonts within the number).',
    ]);
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
