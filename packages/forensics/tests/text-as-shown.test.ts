import { expect } from 'chai';
import { textAsShown } from '../rules/text/text-as-shown.ts';
import { messagesOn, payslip } from './fixtures/payslip.ts';
import { pdfOf, text } from './fixtures/pdf.ts';

const replaced = (shown: string, read: string, y = 90) =>
  `/Span <</ActualText (${read})>> BDC ${text(50, y, shown)} EMC\n`;
const page = payslip({ name: ' ' });
const found = (content: string) => messagesOn(textAsShown, pdfOf([content]));

/** The name in Helvetica, by a font whose map claims other letters. */
function claimed(shown: string, read: string): Uint8Array {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const rows = [...shown].map((_, at) => `<${hex(at + 1, 2)}> <${hex((read[at] ?? '.').charCodeAt(0), 4)}>`);
  const map = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${rows.length} beginbfchar ${rows.join(' ')} endbfchar endcmap`;
  const names = [...shown].map((letter) => (letter === ' ' ? '/space' : `/${letter}`)).join(' ');
  const codes = [...shown].map((_, at) => hex(at + 1, 2)).join('');
  const label = text(50, 400, 'Arbeitnehmer');
  return pdfOf([`${page}${label} BT /F4 10 Tf 200 442 Td <${codes}> Tj ET\n`], {
    13: `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [1 ${names}] >> /ToUnicode 40 0 R >>`,
    40: `<< /Length ${map.length} >>\nstream\n${map}\nendstream`,
  });
}

describe('text that programs read otherwise than people', () => {
  it('is found in replacement texts of names, amounts and dates', async () => {
    expect(await found(page + replaced('Karl Neumann', 'Erika Muster'))).to.deep.equal([
      'Page 1 shows “Karl Neumann” where programs read “Erika Muster”.',
    ]);
    expect(await found(page + replaced('4.180,40', '2.180,40', 420))).to.deep.equal([
      'Page 1 shows 4.180,40 where programs read 2.180,40.',
    ]);
    expect(await found(page + replaced('28/03/2025', '2025-02-28', 420))).to.deep.equal([
      'Page 1 shows 28/03/2025 where programs read 2025-02-28.',
    ]);
  });

  it('is found in a font that draws other letters than it claims', async () => {
    expect(await messagesOn(textAsShown, claimed('Karl Neumann', 'Erika Muster'))).to.deep.equal([
      'Page 1 shows “Karl Neumann” where programs read “Erika Muster”.',
    ]);
    expect(await messagesOn(textAsShown, claimed('Karl Neumann', 'Karl Neumann'))).to.deep.equal([]);
  });

  it('is read to its end when it is longer than the name that programs read, up to the next text', async () => {
    const shown = 'Konstantin Neumann Oberhausen';
    const lying = claimed(shown, 'Erika Muster'.padEnd(shown.length, '\u200b'));
    expect(await messagesOn(textAsShown, lying)).to.deep.equal([
      `Page 1 shows “${shown}” where programs read “Erika Muster”.`,
    ]);
    expect(await messagesOn(textAsShown, claimed('Neumann Bau GmbH', 'Erika Musterfrau'))).to.deep.equal([
      'Page 1 shows “Neumann Bau GmbH” where programs read “Erika Musterfrau”.',
    ]);
  });

  const silent = {
    'without replacement texts': page,
    'for the same text in another form': page + replaced('Karl Neumann', 'KARL  NEUMANN'),
    'for an abbreviation': page + replaced('K. Neumann', 'Karl Neumann'),
    'for the same date in another form':
      page + replaced('05/03/2025', '2025-03-05') + replaced('3.4.25', '03.04.2025', 420),
    'for prose': page + replaced('Seite eins', 'page one of two'),
    'for an empty replacement': page + replaced('Karl Neumann', ''),
  };
  for (const [when, content] of Object.entries(silent))
    it(`is not reported ${when}`, async () => expect(await found(content)).to.deep.equal([]));
});
