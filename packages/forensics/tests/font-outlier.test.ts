import { expect } from 'chai';
import { fontOutlier } from '../rules/pdf/font-outlier.ts';
import { findingsOn } from './fixtures/payslip.ts';
import { amount, pdfOf, type Text, text } from './fixtures/pdf.ts';

/** Thirteen rows of a statement: dates at 50, purposes at 120, amounts that end at 400, balances at 500. */
function statement(
  style: (row: number) => Text = () => ({}),
  right = (_row: number) => 400,
  down = (_row: number) => 0,
) {
  return Array.from({ length: 13 }, (_, row) => {
    const y = 100 + 15 * row;
    const value = `${100 + 37 * row},${10 + row}`;
    const cells =
      text(50, y, `0${(row % 9) + 1}.05.2024`) + text(120, y, 'Payment by card') + amount(500, y, `${2000 - row},55`);
    return cells + amount(right(row), y + down(row), value, style(row));
  }).join('');
}

const only = (row: number, style: Text) => (at: number) => (at === row ? style : {});

function found(content: string) {
  return findingsOn(fontOutlier, pdfOf([content]));
}

describe('the font outlier', () => {
  it('is an amount in a different font from its column, in an otherwise similar row', async () => {
    const [finding, ...others] = await found(statement(only(4, { font: 'F3' })));
    expect(others).to.deep.equal([]);
    expect(finding).to.include({ strength: 'medium' });
    expect(finding?.message).to.equal(
      '248,14 on page 1 is set differently from the other amounts of its column (font).',
    );
    expect(finding?.evidence[0]).to.deep.include({ page: 1, after: '248,14' });
    expect(finding?.evidence[0]?.details).to.include({ font: 'Courier', usual_font: 'Helvetica' });
    expect(finding?.evidence[0]?.box?.y).to.be.closeTo(160 - 7.4, 0.5);
  });

  it('is an amount with digits from two fonts', async () => {
    const first = amount(400, 160, '248,14');
    const mixed = statement().replace(first, `${amount(380.54, 160, '24')}${amount(400, 160, '8,14', { font: 'F4' })}`);
    expect(mixed).to.include('/F4');
    expect((await found(mixed)).map(({ message }) => message)).to.deep.equal([
      '248,14 on page 1 is set differently from the other amounts of its column (font within the amount).',
    ]);
  });

  it('is one of another size that is also off its baseline', async () => {
    const off = statement(only(6, { size: 11 }), undefined, (row) => (row === 6 ? 0.8 : 0));
    expect((await found(off)).map(({ evidence }) => evidence[0]?.details?.['differs_in'])).to.deep.equal([
      'size, base line',
    ]);
  });

  it('is in a copy of the font that ends elsewhere than the column', async () => {
    const copied = statement(only(6, { font: 'F4' }), (row) => (row === 6 ? 401.5 : 400));
    expect((await found(copied)).map(({ evidence }) => evidence[0]?.details?.['differs_in'])).to.deep.equal([
      'copy of the font, edge',
    ]);
  });

  describe('is not reported', () => {
    const silent: Record<string, string> = {
      'when all is even': statement(),
      'when the last row is bold': statement(only(12, { font: 'F2' })),
      'when one amount is bold': statement(only(4, { font: 'F2' })),
      'when one amount is of another colour': statement(only(4, { state: '1 0 0 rg' })),
      'when negative amounts have their own font': statement((row) => (row % 3 === 0 ? { font: 'F3' } : {})),
      'when one copy of the font is used now and then': statement(only(4, { font: 'F4' })),
      'when one amount stands off by a little': statement(undefined, (row) => (row === 4 ? 400.3 : 400)),
      'when there are few amounts': statement(only(2, { font: 'F3' }))
        .split('\n')
        .slice(0, 20)
        .join('\n'),
      'when the whole row is set otherwise': [0, 1, 2, 3, 4, 5, 6, 7]
        .map((row) => {
          const style: Text = row === 4 ? { font: 'F3' } : {};
          return text(50, 100 + 15 * row, 'Payment', style) + amount(400, 100 + 15 * row, '120,15', style);
        })
        .join(''),
      'when a footer is painted last in its own font': statement() + text(50, 800, 'Page 1 of 1', { font: 'F3' }),
      'when a stamp is painted last in its own font': statement() + text(320, 500, 'PAID', { font: 'F3', size: 20 }),
    };
    for (const [title, content] of Object.entries(silent)) {
      it(title, async () => {
        expect(await found(content)).to.deep.equal([]);
      });
    }
  });
});
