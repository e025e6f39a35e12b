import { expect } from 'chai';
import { namesAgree } from '../rules/content/names-agree.ts';
import { findingsOn } from './fixtures/payslip.ts';
import { pdfOf, text } from './fixtures/pdf.ts';

const lines = (...rows: [number, number, string][]) => rows.map(([x, y, words]) => text(x, y, words)).join('');
const found = async (content: string) => (await findingsOn(namesAgree, pdfOf([content]))).map(({ message }) => message);

const address = (name: string, y = 100) =>
  lines([50, y, name], [50, y + 13, 'Lindenallee 14'], [50, y + 26, '48143 Ostheim']);
const pay = lines(
  [50, 300, 'Gesamtbrutto'],
  [300, 300, '3.250,00'],
  [50, 320, 'Nettoverdienst'],
  [300, 320, '2.180,40'],
);
const employee = (name: string) => lines([50, 200, 'Arbeitnehmer'], [200, 200, name]);
const holder = (name: string) => lines([50, 400, 'Kontoinhaber'], [200, 400, name]);
const letter = (name: string, salutation: string, body: string) =>
  address(name) + lines([50, 200, `Sehr geehrte Frau ${salutation},`], [50, 230, body]);

describe('two names where a page should have one', () => {
  it('are found on a payslip, beside the label and in the address', async () => {
    expect(await found(address('Karl Neumann') + employee('Erika Muster') + pay)).to.deep.equal([
      'Page 1 names “Erika Muster” in one place and “Karl Neumann” in another.',
    ]);
  });

  it('are found on a statement, for its account and in its address', async () => {
    const title = lines([300, 60, 'Kontoauszug 3/2025']);
    expect(await found(title + address('Karl Neumann') + holder('Erika Muster'))).to.have.length(1);
  });

  it('are found in a letter that repeats the one and not the other', async () => {
    expect(await found(letter('Rita Neumann', 'Muster', 'dass Erika Muster bei uns arbeitet'))).to.have.length(1);
  });

  it('are found for two companies at one address', async () => {
    const companies = address('Nordlicht Logistik GmbH', 60) + lines([50, 800, 'Weber Bau GmbH, 48143 Ostheim']);
    expect(await found(companies)).to.have.length(1);
  });

  const silent = {
    'with another order and title': address('Frau Dr. Muster Erika') + employee('Erika Muster') + pay,
    'with a part of a name': address('Erika Muster-Vogt') + employee('Erika Muster') + pay,
    "for a spouse's account on a payslip":
      address('Erika Muster') + holder('Karl Neumann') + employee('Erika Muster') + pay,
    'for the customer and the sender of an invoice':
      address('Karl Neumann') +
      holder('Erika Muster') +
      lines([50, 500, 'Rechnung für die Lieferung vom 3. März 2025']),
    'for a balance or a booking of a statement that reads like a name above an address': [
      'Alter Kontostand',
      '02.03.2025 Lastschrift',
    ]
      .map(
        (row) =>
          lines([300, 60, 'Kontoauszug 3/2025']) +
          lines([50, 90, row]) +
          address('State Farm') +
          holder('Erika Muster'),
      )
      .join(''),
    'for a clerk': address('Erika Muster') + employee('Erika Muster') + pay + lines([50, 500, 'Frau Petra Vogt']),
    'for an employer without a company, above an address like the employee':
      address('Dr. Anna Schmidt', 40) + address('Erika Muster', 120) + employee('Erika Muster') + pay,
    'in a letter to a landlord': letter('Rita Neumann', 'Vogt', 'dass Erika Muster bei uns arbeitet'),
    'for labels without a name': address('Erika Muster') + employee('Datum der Geburt') + pay,
    'for companies at two addresses':
      address('Nordlicht Logistik GmbH', 60) + lines([50, 800, 'Weber Bau GmbH, 48155 Ostheim']),
  };
  for (const [when, content] of Object.entries(silent))
    it(`are not reported ${when}`, async () => expect(await found(content)).to.deep.equal([]));
});
