import { expect } from 'chai';
import { payoutArithmetic } from '../rules/content/payout-arithmetic.ts';
import { documentOf, type Written, writtenPages } from './fixtures/written-pages.ts';
import { german } from './fixtures/written-statements.ts';

type Row = readonly [label: string, cents: number, right?: number];

const PAYSLIP: readonly Row[] = [
  ['Grundgehalt', 325_000],
  ['Zulage', 16_350],
  ['Gesamtbrutto', 341_350],
  ['Lohnsteuer', 41_216],
  ['Rentenversicherung', 56_875],
  ['Summe Abzüge', 98_091],
];

async function found(net: number, ...after: Row[]) {
  const rows = [...PAYSLIP, ['Nettoverdienst', net] as const, ...after].map(
    ([text, cents, right = 500]): Written => [
      { text, left: 40 },
      { text: german(cents), right },
    ],
  );
  const heading = [{ text: 'Bezeichnung', left: 40 }];
  const verdict = await payoutArithmetic.run(documentOf(writtenPages([heading, ...rows])));
  return verdict.status === 'finding' ? verdict.findings : [];
}

describe('the payout of a payslip', () => {
  it('is reported when net pay and the figures between do not give it, with both places', async () => {
    const [finding, ...others] = await found(243_259, ['Reisekosten', 10_582], ['Auszahlungsbetrag', 203_841]);
    expect(others).to.deep.equal([]);
    expect(finding?.message).to.equal(
      'On page 1 net pay is 2.432,59 and the payout 2.038,41, but with the figures between them (105,82) it would be 2.326,77.',
    );
    expect(finding?.evidence.map(({ after }) => after)).to.deep.equal(['2.432,59', '2.038,41']);
  });

  const silent: Record<string, Row[]> = {
    'a figure between is added': [
      ['Reisekosten', 10_582],
      ['Auszahlungsbetrag', 253_841],
    ],
    'one is added and one subtracted, without a sign': [
      ['Reisekosten', 10_582],
      ['Vorschuss', 50_000],
      ['Auszahlungsbetrag', 203_841],
    ],
    'a figure between is for information': [
      ['Reisekosten', 10_582],
      ['Davon Jobticket', 4_900],
      ['Auszahlungsbetrag', 253_841],
    ],
    'another figure of the page is the difference': [
      ['Reisekosten', 10_582],
      ['Auszahlungsbetrag', 253_841 + 16_350],
    ],
    'the difference may be rounding': [
      ['Reisekosten', 10_582],
      ['Auszahlungsbetrag', 253_900],
    ],
    'figures of another column are between, too': [
      ['Reisekosten', 10_582],
      ['Jobticket', 4_900, 400],
      ['Darlehen', 20_000, 400],
      ['Auszahlungsbetrag', 228_941],
    ],
    'the last one is of an earlier month': [
      ['Reisekosten', 10_582],
      ['Net pay last month', 203_841],
    ],
    'nothing is between': [['Auszahlungsbetrag', 203_841]],
    'no payout is named': [
      ['Reisekosten', 10_582],
      ['Urlaubsanspruch', 3_000],
    ],
  };
  for (const [when, after] of Object.entries(silent))
    it(`passes when ${when}`, async () => expect(await found(243_259, ...after)).to.deep.equal([]));
});
