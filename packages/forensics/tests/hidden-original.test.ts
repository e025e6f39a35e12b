import { expect } from 'chai';
import { hiddenOriginal } from '../rules/text/hidden-original.ts';
import { findingsOn, payslip } from './fixtures/payslip.ts';
import { amount, pageObject, pdfOf, picture, text } from './fixtures/pdf.ts';

const FORMER = amount(500, 140, '3.250,00');
const page = payslip({ gross: '3.250,00' });
const hidden = (former: string, shown = '4.250,00') => page.replace(FORMER, former + amount(500, 140, shown));

const found = async (content: string) =>
  (await findingsOn(hiddenOriginal, pdfOf([content]))).map(({ message }) => message);

describe('a hidden value behind a shown one', () => {
  const ways = {
    'without paint': amount(500, 140, '3.250,00', { state: '3 Tr' }),
    'fully transparent': amount(500, 140, '3.250,00', { state: '/None gs' }),
    'clipped away': amount(500, 140, '3.250,00', { state: '0 0 1 1 re W n' }),
    'too small to be read': amount(500, 140, '3.250,00', { size: 0.5 }),
  };
  for (const [way, former] of Object.entries(ways))
    it(`is found when it is ${way}`, async () => {
      expect(await found(hidden(former))).to.deep.equal([
        'The amount on page 1 reads 4.250,00, and 3.250,00 is hidden in its place.',
      ]);
    });

  it('is found in one group of an account that has several, however short', async () => {
    const shown = page + text(50, 400, 'ES91 2100 0418 4503 0005 1332');
    for (const former of ['ES91 2100 0418 4502 0005 1332', 'ES19 2100 0418 4503 0005 1332'])
      expect(await found(shown + text(50, 400, former, { state: '3 Tr' }))).to.deep.equal([
        `The IBAN on page 1 reads “ES91 2100 0418 4503 0005 1332”, and “${former}” is hidden in its place.`,
      ]);
  });

  it('is found beside an account that was not changed', async () => {
    const line = (paid: string) => text(50, 400, 'ES91 2100 0418 4503 0005 1332') + amount(500, 400, paid);
    const former = line('3.250,00').replaceAll('BT', '3 Tr BT');
    expect(await found(page + line('4.250,00') + former)).to.deep.equal([
      'The amount on page 1 reads 4.250,00, and 3.250,00 is hidden in its place.',
    ]);
  });

  const named = (hiddenName: string, state = '3 Tr') =>
    payslip({ name: 'Karl Neumann' }) + text(50, 90, hiddenName, { state });
  it('is found for names, also on a layer that is not shown', async () => {
    const message = '“Karl Neumann”, and “Erika Muster” is hidden in its place.';
    expect(await found(named('Erika Muster'))).to.deep.equal([`The text on page 1 reads ${message}`]);
    const layer = `${payslip({ name: 'Karl Neumann' })}/OC /L BDC ${text(50, 90, 'Erika Muster')} EMC\n`;
    const file = pdfOf([layer], {
      1: '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [40 0 R] /D << /OFF [40 0 R] >> >> >>',
      20: pageObject(0).replace('/Resources <<', '/Resources << /Properties << /L 40 0 R >>'),
      40: '<< /Type /OCG /Name (Layer) >>',
    });
    const messages = (await findingsOn(hiddenOriginal, file)).map((finding) => finding.message);
    expect(messages).to.deep.equal([`The text on page 1 reads ${message}`]);
  });

  const unpainted = (words: string) => amount(500, 140, words, { state: '3 Tr' });
  const rows = ['120,00', '412,16', '266,50', '302,25'];
  const silent = {
    'when nothing is hidden': page,
    'when the same date is hidden in another form':
      page + text(50, 400, '05/03/2025') + text(50, 400, '2025-03-05', { state: '3 Tr' }),
    'when the same value is hidden': hidden(unpainted('4.250,00')),
    'when a value of another kind is hidden': hidden(unpainted('01.02.2024')),
    'for a sample of zeros': hidden(unpainted('0.000,00')),
    'when the same name is hidden': named('Karl Neumann'),
    'when a label is hidden below a name': named('Name des Arbeitnehmers'),
    'when it is hidden elsewhere': page + amount(500, 700, '9.250,00', { state: '3 Tr' }),
    'below a scan': picture(0, 0, 595, 842) + hidden(unpainted('3.250,00')),
    'in a layer of recognised text, which has errors':
      hidden(unpainted('3.250,00')) +
      rows.map((words, row) => amount(500, 160 + 20 * row, words, { state: '3 Tr' })).join(''),
  };
  for (const [when, content] of Object.entries(silent))
    it(`is not reported ${when}`, async () => expect(await found(content)).to.deep.equal([]));
});
