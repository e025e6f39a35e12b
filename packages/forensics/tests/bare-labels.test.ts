import { expect } from 'chai';
import { missingValue } from '../rules/content/missing-value.ts';
import { findingsOn } from './fixtures/payslip.ts';
import { amount, pdfOf, text } from './fixtures/pdf.ts';

const PEOPLE = {
  Arbeitnehmer: 'Erika Muster',
  Geburtsdatum: '12.03.1990',
  Personalnummer: '004711',
  Steuerklasse: '1',
  IBAN: 'DE89 3704 0044 0532 0130 00',
};
const TOTALS = { Gesamtbrutto: '3.250,00', 'Summe Abzüge': '1.069,60', Nettoverdienst: '2.180,40' };

/** A payslip with labels in a column, some without values. */
function payslip(without: readonly string[], more = ''): Uint8Array {
  const people = Object.entries(PEOPLE).map(
    ([label, value], row) =>
      text(50, 100 + 14 * row, label) + (without.includes(label) ? '' : text(160, 100 + 14 * row, value)),
  );
  const totals = Object.entries(TOTALS).map(
    ([label, value], row) =>
      text(50, 300 + 30 * row, label) + (without.includes(label) ? '' : amount(500, 300 + 30 * row, value)),
  );
  return pdfOf([text(50, 60, 'Entgeltabrechnung Mai 2024') + people.join('') + totals.join('') + more]);
}

async function found(file: Uint8Array): Promise<string[]> {
  return (await findingsOn(missingValue, file)).map(({ message }) => message);
}

describe('a label that lacks its value', () => {
  it('is found among labels with values: name, date of birth, account, and each of the totals', async () => {
    for (const label of ['Arbeitnehmer', 'Geburtsdatum', 'IBAN', ...Object.keys(TOTALS)])
      expect(await found(payslip([label])), label).to.deep.equal([
        `“${label}” on page 1 has no value, while the labels around it have theirs.`,
      ]);
  });

  it('is not reported in an empty form, for signatures, in a heading above values, or where values are optional', async () => {
    const heading = Object.entries({ Employee: 'Ann Example', 'NI number': '12 34 56', Department: 'Sales' }).map(
      ([label, value], column) => text(50 + 150 * column, 420, label) + text(50 + 150 * column, 434, value),
    );
    const silent = {
      complete: payslip([]),
      empty: payslip(Object.keys(PEOPLE)),
      'three fields': payslip(['Arbeitnehmer', 'Geburtsdatum', 'IBAN']),
      signatures: payslip([], text(50, 700, 'Arbeitnehmer') + text(300, 700, 'Arbeitgeber')),
      heading: payslip([], heading.join('')),
      'tax class': payslip(['Steuerklasse']),
    };
    for (const [title, file] of Object.entries(silent)) expect(await found(file), title).to.deep.equal([]);
  });
});
