import { expect } from 'chai';
import { OF_OTHER_KIND } from '../conclude.ts';
import { examineBytes } from '../examine-bytes.ts';
import type { DocumentResult } from '../result.ts';
import { rules } from '../rules/index.ts';
import { payslip, rowAt } from './fixtures/payslip.ts';
import { amount, pdfOf, rectangle, text } from './fixtures/pdf.ts';

const PROSE = ['Dear reader, this leaflet is about gardens and their plants.', 'Water them in the morning.'];
/** A page that no landlord asks for. */
const LEAFLET = PROSE.map((line, row) => text(50, 60 + 20 * row, line)).join('');
const WRONG_IBAN = 'DE89 3704 0044 0532 0130 01';

/** A value painted over by a white box with another one, on a row of its own below a page. */
function covered(before: string, after: string, y = 500): string {
  return `${text(200, y, before)}${rectangle(195, y - 10, 140, 13)}${text(200, y, after)}`;
}

function examine(content: string): Promise<DocumentResult> {
  return examineBytes('file.pdf', pdfOf([content]), { rules, reading: { ocr: false, ocrSeconds: 0 } });
}

const unweighed = ({ checks }: DocumentResult) =>
  checks.flatMap(({ findings = [] }) => findings.filter(({ message }) => message.endsWith(OF_OTHER_KIND)));

describe('a document of no kind that is checked', () => {
  const slight = {
    'a covered word': covered('Gopher', 'Badger'),
    'a covered share': covered('Width=30%', 'Width=20%'),
    'a covered page number': covered('Page 12', 'Page 13'),
    'a wrong account of a sender': text(50, 500, `IBAN ${WRONG_IBAN}`),
    'two companies at one address': ['Nordlicht Logistik GmbH', 'Brauhaus Weber AG']
      .map(
        (name, row) =>
          `${text(50, 300 + 80 * row, name)}${text(50, 314 + 80 * row, 'Hafenweg 12')}${text(50, 328 + 80 * row, '20457 Hamburg')}`,
      )
      .join(''),
  };
  for (const [what, content] of Object.entries(slight))
    it(`is inconclusive with ${what}, which is still listed`, async () => {
      const result = await examine(LEAFLET + content);
      expect(unweighed(result), JSON.stringify(result.checks)).to.not.deep.equal([]);
      expect(result.outcome).to.equal('inconclusive');
      expect(result.reason).to.match(/looks like no document that is checked here/);
    });

  const grave = {
    'a covered amount': covered('1.250,00', '2.850,00'),
    'a covered account': covered('DE89 3704 0044 0532 0130 00', 'DE02 1203 0000 0000 2020 51'),
    'a covered date': covered('01.03.2024', '01.09.2024'),
    'a covered name': covered('Erika Sommer', 'Robert Brandt'),
  };
  for (const [what, content] of Object.entries(grave))
    it(`is accused with ${what}`, async () => {
      const result = await examine(LEAFLET + content);
      expect(result.outcome).to.equal('tampered');
      expect(unweighed(result)).to.deep.equal([]);
    });
});

describe('a payslip or a statement', () => {
  it('is accused whatever is covered, whether it names itself or only its totals', async () => {
    const totals =
      text(50, 100, 'Gross pay') +
      amount(500, 100, '3,250.00') +
      text(50, 120, 'Net pay') +
      amount(500, 120, '2,180.40');
    for (const page of [payslip(), LEAFLET + totals]) {
      const { outcome, checks } = await examine(page + covered('Klasse 1', 'Klasse 3', rowAt(12)));
      expect(outcome, JSON.stringify(checks.filter(({ status }) => status === 'finding'))).to.equal('tampered');
    }
  });

  it('is suspicious with an account whose check digits do not fit', async () => {
    const { outcome } = await examine(payslip() + text(50, 360, `IBAN ${WRONG_IBAN}`));
    expect(outcome).to.equal('suspicious');
  });
});
