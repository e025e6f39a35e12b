import { expect } from 'chai';
import { otherHand } from '../rules/text/other-hand.ts';
import { findingsOn, verdictOn } from './fixtures/payslip.ts';
import { pdfOf, stream } from './fixtures/pdf.ts';

/** Shows a text in Helvetica at 10 points, positioned from the left and bottom of the page. */
type Way = (x: number, y: number, words: string) => string;

const hex = (words: string) => Buffer.from(words, 'latin1').toString('hex');

const usual: Way = (x, y, words) => `BT\n/F1 10 Tf\n${x.toFixed(2)} ${y.toFixed(2)} Td\n(${words}) Tj\nET\n`;

/** Other programs' ways of placing the same text in the same font. */
const ways: Record<string, Way> = {
  'hexadecimal or literal strings': (x, y, words) =>
    `BT\n/F1 10 Tf\n${x.toFixed(2)} ${y.toFixed(2)} Td\n<${hex(words)}> Tj\nET\n`,
  'spaces before the showing operator': (x, y, words) =>
    `BT\n/F1 10 Tf\n${x.toFixed(2)} ${y.toFixed(2)} Td\n(${words})Tj\nET\n`,
  'spaces after the showing operator': (x, y, words) =>
    `BT\n/F1 10 Tf\n${x.toFixed(2)} ${y.toFixed(2)} Td\n(${words}) Tj ET\n`,
  'spaces after the font': (x, y, words) => `BT\n/F1 10 Tf ${x.toFixed(2)} ${y.toFixed(2)} Td\n(${words}) Tj\nET\n`,
  'decimals of places': (x, y, words) =>
    `BT\n/F1 10 Tf\n${(x + 0.01234).toFixed(5)} ${y.toFixed(2)} Td\n(${words}) Tj\nET\n`,
  'placing operator': (x, y, words) =>
    `q\nBT\n/F1 10 Tf\n1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm\n(${words}) Tj\nET\nQ\n`,
};

const amountOf = (row: number) => `${100 + 37 * row},${10 + row}`;

/** Twelve rows of a payslip. */
function payslip(wayOf: (row: number) => Way = () => usual): string {
  const rows = Array.from({ length: 12 }, (_, row) => {
    const y = 700.25 - 20.13 * row;
    return usual(50.5, y, 'Basic pay for the month') + wayOf(row)(372.2, y, amountOf(row));
  });
  return usual(50.5, 760.75, 'Payslip') + rows.join('');
}

const within = (rows: readonly number[], way: Way) => (row: number) => (rows.includes(row) ? way : usual);

async function found(content: string): Promise<string[]> {
  return (await findingsOn(otherHand, pdfOf([content]))).map(({ message }) => message);
}

describe('values written by another program than the rest', () => {
  for (const [habit, way] of Object.entries(ways))
    for (const rows of [[4], [1, 4, 7]])
      it(`are found by their ${habit} when there are ${rows.length}`, async () => {
        expect(await found(payslip(within(rows, way)))).to.deep.equal(
          rows.map(
            (row) => `${amountOf(row)} on page 1 is written into the file differently from all other text (${habit}).`,
          ),
        );
      });

  it('include the only account, in groups of digits, if two habits differ', async () => {
    const account = (way: Way) =>
      payslip() + usual(50.5, 420.5, 'Konto') + way(120.5, 420.5, 'DE12 5001 0517 0648 4898 90');
    const placed: Way = (x, y, words) =>
      `q\nBT\n/F1 10 Tf\n1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm\n<${hex(words)}> Tj\nET\nQ\n`;
    const [message, ...others] = await found(account(placed));
    expect(others).to.deep.equal([]);
    expect(message).to.match(/^“DE12 5001 0517 0648 4898 90” on page 1 is written into the file differently/);
    expect(await found(account(usual))).to.deep.equal([]);
    // A library may write a font's strings in its own way.
    const inHex: Way = (x, y, words) => usual(x, y, words).replace(`(${words})`, `<${hex(words)}>`);
    expect(await found(account(inHex))).to.deep.equal([]);
  });

  it('are not found by strings that cannot be written like the others, but by those that can', async () => {
    const inHex: Way = (x, y, words) => usual(x, y, words).replace(`(${words})`, `<${hex(words)}>`);
    const octal: Way = (x, y, words) =>
      usual(
        x,
        y,
        words.replace(/[\x80-\xff]/g, (one) => `\\${one.charCodeAt(0).toString(8)}`),
      );
    const euro = '\x80';
    const [y, x] = [700.25 - 20.13 * 12, 372.2];
    const umlauts = Array.from({ length: 16 }, (_, row) => usual(x, 400.25 - 15 * row, `\xe4${row}50,10`)).join('');
    const forced: Record<string, string> = {
      'a pound sign': payslip() + inHex(x, y, '\xa3450,10'),
      brackets: payslip() + inHex(x, y, '(450,10)'),
      'a line break': payslip() + inHex(x, y, '450,10\n'),
      'a euro sign, unprintable in Latin-1': payslip() + umlauts + octal(x, y, `${euro}450,10`),
    };
    for (const [title, page] of Object.entries(forced)) expect(await found(page), title).to.deep.equal([]);
    const free: Record<string, string> = {
      'plain, beside literal ones': payslip() + inHex(x, y, '450,10'),
      'a pound sign, beside others':
        payslip(() => (px, py, words) => usual(px, py, `\xa3${words}`)) + umlauts + inHex(x, y, '\xa3450,10'),
      'an octal umlaut beside others': payslip() + umlauts + octal(x, y, '\xe4450,10'),
    };
    for (const [title, page] of Object.entries(free)) expect(await found(page), title).to.have.length(1);
  });

  it('are found by the case of digits alone, when all strings are hexadecimal', async () => {
    const coded =
      (upper: boolean): Way =>
      (x, y, words) =>
        usual(x, y, words).replace(`(${words})`, `<${upper ? hex(words).toUpperCase() : hex(words)}>`);
    const page = (odd: number | undefined) =>
      coded(true)(50.5, 760.75, 'Payslip') +
      Array.from({ length: 12 }, (_, row) => {
        const y = 700.25 - 20.13 * row;
        return coded(true)(50.5, y, 'Basic pay for the month') + coded(row !== odd)(372.2, y, amountOf(row));
      }).join('');
    expect(await found(page(5))).to.have.length(1);
    expect(await found(page(undefined))).to.deep.equal([]);
  });

  /** One text object for the page, as pdfTeX writes it; `sixth` writes the sixth value. */
  const asInTex = (sixth: string) => {
    const rows = Array.from({ length: 12 }, (_, row) => {
      const value = row === 5 ? sixth : ` 321.75 0 Td [(${amountOf(row)})]TJ`;
      return ` -321.75 -20.13 Td [(Basic pay for the month)]TJ${value}`;
    });
    return `BT\n/F1 10 Tf 372.25 720.25 Td [(Payslip)]TJ${rows.join('')} 0 g\nET\n`;
  };

  const other = ways['spaces before the showing operator'] ?? usual;
  const silent: Record<string, string> = {
    'when the file is written in one way': payslip(),
    'when most values are written so, as in a form that was filled in': payslip(within([0, 1, 2, 3, 4, 5, 6], other)),
    'when labels are written so, too': payslip(within([4], other)) + other(50.5, 40.25, 'Please keep this document'),
    'when only the placing differs': payslip(
      within([4], (x, y, words) => `BT\n/F1 10 Tf\n1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm\n(${words}) Tj\nET\n`),
    ),
    'for a stamp that stands alone': payslip() + other(210.5, 300.25, '12.03.2026') + other(300.5, 120.5, '1.250,00'),
    'for a place that a sum of binary fractions gave many decimals': payslip(
      within([4], (x, y, words) => usual(x, y, words).replace(x.toFixed(2), `${x.toFixed(2)}000000000001`)),
    ),
    'for a place whose rounding error, as large as those of all others, looks like more decimals beside larger numbers':
      payslip(
        (row) => (_x, y, words) =>
          usual(1, y, words).replace('1.00', row === 4 ? '257.472656' : row % 2 ? '517.472656' : '484.966797'),
      ),
    'when a font follows one value alone': asInTex(
      ' 321.75 0 Td [(285,15)]TJ/F1 10 Tf 60.25 0 Td [(EUR)]TJ -60.25 0 Td [( )]TJ',
    ),
    'for the number of a page': payslip() + other(50.5, 30.25, '1'),
  };
  for (const [when, content] of Object.entries(silent))
    it(`are not reported ${when}`, async () => expect(await found(content)).to.deep.equal([]));

  it('are found in a text object of their own on a page that has one for everything else', async () => {
    const own = `BT\n/F1 10 Tf 372.25 ${720.25 - 6 * 20.13} Td [(985,15)]TJ\nET\n`;
    expect(await found(asInTex(' 321.75 0 Td [( )]TJ') + own)).to.have.length(1);
  });

  const formOf = (content: string) =>
    stream(content, '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 10 0 R >> >>');

  it('are found in a form that holds the whole page', async () => {
    expect(await findingsOn(otherHand, pdfOf(['/I1 Do'], { 15: formOf(payslip(within([4], other))) }))).to.have.length(
      1,
    );
  });

  it('are found on a page whose other texts are all in a form', async () => {
    const others = payslip(within([4], () => ''));
    const own = other(372.2, 700.25 - 20.13 * 4, amountOf(4));
    expect(await findingsOn(otherHand, pdfOf([`/I1 Do\n${own}`], { 15: formOf(others) }))).to.have.length(1);
  });

  it('are not searched for in short forms, which have a different author, such as a field that was filled in', async () => {
    const own = other(372.2, 700.25 - 20.13 * 4, amountOf(4));
    const content = `${payslip(within([4], () => ''))}/I1 Do`;
    expect(await findingsOn(otherHand, pdfOf([content], { 15: formOf(own) }))).to.deep.equal([]);
  });

  it('are found on a page with operators that viewers skip', async () => {
    const skipped = `BT\n${'(1) Tj\n'.repeat(600)}Tj\nET\n`;
    expect(await findingsOn(otherHand, pdfOf([skipped + payslip(within([4], other))]))).to.have.length(1);
  });

  it('are not looked for where no text is', async () => {
    expect(await verdictOn(otherHand, pdfOf(['/I1 Do']))).to.deep.include({ status: 'not_applicable' });
  });

  it('are found on a page that draws a form and a picture first', async () => {
    const form = stream(
      payslip(),
      '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /Font << /F1 10 0 R >> >>',
    );
    const inline = 'q 1 0 0 1 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI Q\n';
    const content = `/I1 Do\n${inline}${payslip(within([4], other))}`;
    expect(await findingsOn(otherHand, pdfOf([content], { 15: form }))).to.have.length(1);
  });
});
