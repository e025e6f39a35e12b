import { expect } from 'chai';
import { missingValue } from '../rules/content/missing-value.ts';
import { findingsOn } from './fixtures/payslip.ts';
import { amount, pdfOf, rectangle, text } from './fixtures/pdf.ts';

/** Rows of a statement, by default two a day. */
function statement({
  without = [] as readonly number[],
  aDay = 2,
  balances = (_row: number): boolean => true,
} = {}): string {
  return Array.from({ length: 14 }, (_, row) => {
    const y = 100 + 15 * row;
    const day = `${String(Math.floor(row / aDay) + 10)}.05.2024`;
    const cells = text(50, y, day) + text(120, y, 'Payment by card');
    const value = without.includes(row) ? '' : amount(400, y, `${100 + 37 * row},${10 + row}`);
    return cells + value + (balances(row) ? amount(500, y, `${2000 - row},55`) : '');
  }).join('');
}

function found(content: string) {
  return findingsOn(missingValue, pdfOf([content]));
}

describe('a row that lacks a value', () => {
  it('is found where all similar rows have one', async () => {
    const [finding, ...others] = await found(statement({ without: [6] }));
    expect(others).to.deep.equal([]);
    expect(finding).to.include({ strength: 'medium' });
    expect(finding?.message).to.equal(
      'The row “13.05.2024 Payment by card 1994,55” on page 1 lacks the figure that all rows like it have.',
    );
    expect(finding?.evidence[0]?.box?.y).to.be.closeTo(100 + 15 * 6 - 7.4, 0.5);
  });

  it('is not reported where several lack it, where balances are daily, at the end, or where it is blackened', async () => {
    const silent = {
      complete: statement(),
      'two of them': statement({ without: [4, 9] }),
      'once a day': statement({ aDay: 1, balances: (row) => row !== 5 }),
      'the last row': statement({ without: [13] }),
      blackened: statement({ without: [6] }) + rectangle(360, 182, 42, 10, '0 0 0'),
    };
    for (const [title, content] of Object.entries(silent)) expect(await found(content), title).to.deep.equal([]);
  });
});
