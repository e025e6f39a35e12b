import { expect } from 'chai';
import { compareDocuments } from '../across/compare.ts';
import { papersIn } from '../content/claims/papers.ts';
import { openDocument } from '../open-document.ts';
import { amount, pdfOf, text } from './fixtures/pdf.ts';

const OWN = 'DE02 1203 0000 0000 2020 51';
const OTHER = 'DE89 3704 0044 0532 0130 00';
const NET = '2.143,55';

type Row = [x: number, y: number, words: string];

const rows = (...all: Row[]) => all.map(([x, y, words]) => text(x, y, words)).join('');
const address = (name: string, y: number): Row[] => [
  [50, y, name],
  [50, y + 13, 'Gartenweg 7'],
  [50, y + 26, '22085 Hamburg'],
];
const LETTERHEAD: Row[] = [
  [50, 40, 'Nordlicht Logistik GmbH'],
  [50, 53, 'Hafenstr. 14 · 20457 Hamburg'],
];
const FOOTER: Row[] = [
  [50, 790, 'Nordlicht Logistik GmbH · Geschäftsführer: Kai Brandt · Amtsgericht Hamburg HRB 12345'],
  [50, 803, `Zahlungen an: Hamburger Bank · IBAN ${OTHER}`],
];

function payslip(...more: Row[]): string {
  const figures: [string, string][] = [
    ['Grundgehalt', '3.245,05'],
    ['Gesamtbrutto', '3.245,05'],
    ['Lohnsteuer', '1.101,50'],
    ['Auszahlungsbetrag', NET],
  ];
  const table = figures.map(
    ([label, value], row) => text(50, 300 + 15 * row, label) + amount(500, 300 + 15 * row, value),
  );
  return rows([50, 250, 'Entgeltabrechnung Februar 2025'], ...more) + table.join('');
}

function statement(holder: Row[], iban = OWN): string {
  const bookings: [string, string, string, string][] = [
    ['03.02.2025', 'REWE MARKT', '-43,21', '1.156,79'],
    ['05.02.2025', 'MIETE KOCH', '-780,00', '376,79'],
    ['28.02.2025', 'NORDLICHT LOGISTIK GMBH LOHN', NET, '2.520,34'],
    ['03.03.2025', 'EDEKA CENTER', '-51,20', '2.469,14'],
  ];
  const list = bookings.map(([day, words, value, balance], row) => {
    const y = 240 + 15 * row;
    return rows([50, y, day], [120, y, words]) + amount(470, y, value) + amount(540, y, balance);
  });
  const head: Row[] = [
    [50, 60, 'Kontoauszug'],
    [50, 75, `IBAN ${iban}`],
    [50, 90, 'Zeitraum 01.02.2025 - 31.03.2025'],
    [120, 220, 'Alter Kontostand'],
    [120, 310, 'Neuer Kontostand'],
  ];
  return rows(...head, ...holder) + amount(540, 220, '1.200,00') + list.join('') + amount(540, 310, '2.469,14');
}

const HOLDER: Row[] = [[50, 105, 'Kontoinhaber: Lena Weber']];

async function contradictions(pages: Record<string, string>): Promise<string[]> {
  const papers = [];
  for (const [name, content] of Object.entries(pages)) {
    const { document } = await openDocument(name, pdfOf([content]));
    const found = document === undefined ? [] : await papersIn(document);
    expect(found, name).to.have.length(1);
    papers.push(...found.map((paper) => ({ ...paper, document_id: name, name })));
  }
  const findings = compareDocuments(papers).flatMap(({ findings = [] }) => findings);
  return findings.filter(({ strength }) => strength !== 'context').map(({ message }) => message);
}

describe('the account of a payslip and that of a statement', () => {
  const into = (iban: string): Row => [50, 400, `Überweisung auf: Deutsche Bank AG, IBAN ${iban}`];
  const between = (...more: Row[]) =>
    contradictions({ payslip: payslip(...address('Lena Weber', 120), ...more), statement: statement(HOLDER) });

  it('contradict each other if the pay goes to another account beside a label of the payment', async () => {
    expect(await between(into(OTHER))).to.deep.equal([
      `payslip is paid into ${OTHER}; statement is for ${OWN}, which shows a credit of ${NET}.`,
    ]);
    expect(await between(into(OWN))).to.deep.equal([]);
  });

  it('do not if the payslip has only the account of the employer, in a footer, a letterhead or without a label', async () => {
    expect(await between(...FOOTER)).to.deep.equal([]);
    expect(await between([300, 40, `IBAN ${OTHER}`], ...LETTERHEAD)).to.deep.equal([]);
    expect(await between([50, 400, `Bank ${OTHER}`])).to.deep.equal([]);
  });

  it('do not if the statement has no IBAN, but another number', async () => {
    const papers = {
      payslip: payslip(into(OTHER)),
      statement: statement(HOLDER).replace(`IBAN ${OWN}`, 'Kontonummer 532013000'),
    };
    expect(await contradictions(papers)).to.deep.equal([]);
  });
});

describe('the names of two documents', () => {
  const clerk: Row[] = [
    [330, 120, 'Ihre Ansprechpartnerin'],
    [450, 120, 'Frau Sabine Kurz'],
  ];

  it('contradict each other if none of the one is one of the other', async () => {
    const papers = { payslip: payslip(...address('Karl Neumann', 120), ...clerk), statement: statement(HOLDER) };
    expect(await contradictions(papers)).to.deep.equal([
      'The name reads Karl Neumann in payslip and Lena Weber in statement.',
    ]);
  });

  it('do not if the one of them names a clerk, or an employer above an address, too', async () => {
    const people: Record<string, Row[]> = {
      clerk: [...address('Lena Weber', 120), ...clerk],
      'sole proprietor': [...address('Dr. Anna Schmidt', 40), ...address('Lena Weber', 120)],
    };
    for (const [title, who] of Object.entries(people))
      expect(await contradictions({ payslip: payslip(...who), statement: statement(HOLDER) }), title).to.deep.equal([]);
  });
});
