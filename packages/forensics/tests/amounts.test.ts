import { expect } from 'chai';
import { amountsIn, writtenLike } from '../content/amounts.ts';
import { datesIn, isoOf } from '../content/dates.ts';
import { figuresFingerprint } from '../content/fingerprint.ts';
import { wordLines } from '../content/words.ts';
import { cpuSeconds } from '../cpu-time.ts';
import { writtenPages, writtenText } from './fixtures/written-pages.ts';
import { bookings, changed, german, onePage, runningList, summary } from './fixtures/written-statements.ts';

function cents(...texts: string[]): number[] {
  return amountsIn(wordLines(writtenText(...texts))).map((amount) => amount.cents);
}

describe('amounts as documents write them', () => {
  it('are read with points, commas, spaces of every width and apostrophes for thousands', () => {
    expect(cents('1.234,56', '12.345.678,90', '7,00')).to.deep.equal([123456, 1234567890, 700]);
    expect(cents('1,234.56', '7.00', '1,000.00')).to.deep.equal([123456, 700, 100000]);
    expect(cents('1\u202f234,56', '2\u00a0000,00', '3\u2009500,10', '4 000,00')).to.deep.equal([
      123456, 200000, 350010, 400000,
    ]);
    expect(cents("1'234.56", '1’000.00', '5.00')).to.deep.equal([123456, 100000, 500]);
    expect(cents('1234,56', '12,00', '99999,99')).to.deep.equal([123456, 1200, 9999999]);
  });

  it('are negative with a sign before or after, in parentheses, or marked as a debit', () => {
    expect(cents('-12,50', '12,50-', '− 12,50', '(12,50)', '12,50 S', '12,50 Soll', '12,50 DR')).to.deep.equal(
      Array(7).fill(-1250),
    );
    expect(cents('+12,50', '12,50+', '12,50 H', '12,50 Haben', '12,50 CR')).to.deep.equal(Array(5).fill(1250));
  });

  it('keep their sign beside a currency', () => {
    expect(cents('-£3.10', '£-3.10', '$5.00', '7.10 EUR', '- 8.00 €', 'CHF 9.00')).to.deep.equal([
      -310, -310, 500, 710, -800, 900,
    ]);
  });

  it('leave a sign to the number that it precedes', () => {
    expect(cents('12,50 -8,00', '12,50 - 8,00')).to.deep.equal([1250, -800, 1250, -800]);
  });

  it('exclude dates, rates, percentages and parts of longer numbers', () => {
    expect(cents('01.03.2024', '19,00 %', '19,00%', '0,12345', '1.2.3.4', '12,50/2024', '100,00')).to.deep.equal([
      10000,
    ]);
    expect(cents('am 12.03 bis 14.03', '12,00', '13,00', '14,00', '15,00', '16,00', '17,00')).to.have.length(6);
  });

  it('do not include the preceding number, unless the document groups thousands with spaces', () => {
    expect(cents('Rechnung 11 250,00', '1.250,00', '2.250,00', '3.250,00').at(0)).to.equal(25000);
    expect(cents('11 250,00', '1 250,00', '2 250,00').at(0)).to.equal(1125000);
  });

  it('are read page by page, in each page’s notation', () => {
    const page = (...texts: string[]) => texts.map((text) => [{ text, left: 40 }]);
    const spaced = page('1 234,56', '2 234,56', '3 234,56');
    const marked = page('Nr 11 250,00', '1.250,00', '2.250,00', '3.250,00', '4.250,00');
    const english = page('1,234.56', '2,234.56', '3,234.56');
    const all = amountsIn(wordLines(writtenPages(spaced, marked, english))).map((amount) => amount.cents);
    expect(all.slice(0, 4)).to.deep.equal([123456, 223456, 323456, 25000]);
    expect(all.slice(-3)).to.deep.equal([123456, 223456, 323456]);
  });

  it('have the position of their digits', () => {
    const [amount] = amountsIn(
      wordLines(
        writtenPages([
          [
            { text: 'Miete', left: 40 },
            { text: '-1.234,56 EUR', right: 520 },
          ],
        ]),
      ),
    );
    expect(amount?.box.x).to.be.closeTo(463, 6);
    expect(amount?.box.width).to.be.closeTo(33, 6);
    expect(amount?.currency).to.equal('EUR');
  });

  it('are assembled from single glyphs', () => {
    let left = 40;
    const glyphs = [...'1.234,56'].map((text) => {
      const cell = { text, left };
      left += /\d/.test(text) ? 5 : 2.6;
      return cell;
    });
    expect(amountsIn(wordLines(writtenPages([glyphs]))).map((amount) => amount.cents)).to.deep.equal([123456]);
  });

  it('can be formatted like the document', () => {
    const like = (text: string, value: number) => {
      const [amount] = amountsIn(wordLines(writtenText(text)));
      return amount === undefined ? '' : writtenLike(value, amount);
    };
    expect(like('1.234,56', 234567890)).to.equal('2.345.678,90');
    expect(like("1'234.56", 100005)).to.equal("1'000.05");
    expect(like('1234.56', -100000)).to.equal('-1000.00');
    expect(like('12,50 S', -99900)).to.equal('999,00');
  });

  it('take linear time on long rows of digits and spaces', () => {
    const begin = cpuSeconds();
    cents(`${'1 234 '.repeat(400)}`, '1.'.repeat(900), '9'.repeat(1000), '-(€ '.repeat(300));
    expect(cpuSeconds() - begin).to.be.below(1);
  });
});

describe('days as documents write them', () => {
  const days = (text: string) => datesIn(text).map(({ readings }) => readings.map(isoOf));

  it('are read in digits and with month names in many languages', () => {
    expect(days('31.12.2023')).to.deep.equal([['2023-12-31']]);
    expect(days('2023-12-31')).to.deep.equal([['2023-12-31']]);
    expect(days('12 mars 2024, 3. März 2024, 5 de enero de 2024, 7 stycznia 2024')).to.deep.equal([
      ['2024-03-12'],
      ['2024-03-03'],
      ['2024-01-05'],
      ['2024-01-07'],
    ]);
    expect(days('March 5, 2024')).to.deep.equal([['2024-03-05']]);
  });

  it('keep every interpretation of an ambiguous date', () => {
    expect(days('03/04/2024')).to.deep.equal([['2024-04-03', '2024-03-04']]);
    expect(days('31/12/83')[0]).to.include('1983-12-31').and.include('2083-12-31');
  });

  it('must exist in the calendar', () => {
    expect(days('31.02.2024')).to.deep.equal([]);
    expect(days('29.02.2023 und 29.02.2024')).to.deep.equal([['2024-02-29']]);
    expect(days('1.234,56')).to.deep.equal([]);
  });
});

describe('the fingerprint of figures', () => {
  const rows = runningList(bookings());
  const headed = (name: string) =>
    onePage([
      [
        { text: name, left: 40 },
        { text: 'DE02 1203 0000 0000 2020 51', left: 200 },
      ],
      ...rows,
    ]);

  it('is the same for the same list under another name', () => {
    expect(figuresFingerprint(headed('Erika Muster'))).to.match(/^[0-9a-f]{64}$/);
    expect(figuresFingerprint(headed('Erika Muster'))).to.equal(figuresFingerprint(headed('Max Schmidt')));
  });

  it('differs when a single amount differs', () => {
    const other = onePage(runningList(changed(bookings(), 4, { cents: -1 })));
    expect(figuresFingerprint(other)).not.to.equal(figuresFingerprint(onePage(rows)));
  });

  it('is not computed for few figures, or for figures without days', () => {
    expect(figuresFingerprint(onePage(runningList(bookings(4))))).to.equal(undefined);
    expect(figuresFingerprint(onePage(summary(bookings())))).to.equal(undefined);
    expect(figuresFingerprint(writtenText(...bookings().map(({ cents }) => german(cents))))).to.equal(undefined);
  });
});
