import { expect } from 'chai';
import { yearShares } from '../rules/content/year-shares.ts';
import { documentOf, type Written, writtenPages } from './fixtures/written-pages.ts';
import { german } from './fixtures/written-statements.ts';

type Row = readonly [label: string, month: number, year: number];

/** May: everything came five times, with a little more tax. */
const ROWS = {
  base: ['Grundgehalt', 325_000, 1_625_000],
  extra: ['Zulage', 16_350, 81_750],
  gross: ['Gesamtbrutto', 341_350, 1_706_750],
  tax: ['Lohnsteuer', 41_216, 206_000],
  pension: ['Rentenversicherung', 31_745, 158_725],
  health: ['Krankenversicherung', 25_130, 125_650],
  taken: ['Summe Abzüge', 98_091, 490_375],
  net: ['Nettoverdienst', 243_259, 1_216_375],
} as const satisfies Record<string, Row>;

async function found(changed: Partial<Record<keyof typeof ROWS, Row>> = {}, heading = 'Jahreswerte') {
  const rows = Object.values({ ...ROWS, ...changed }).map(
    ([text, month, year]): Written => [
      { text, left: 40 },
      { text: german(month), right: 400 },
      { text: german(year), right: 540 },
    ],
  );
  const head: Written = [
    { text: 'Bezeichnung', left: 40 },
    { text: 'Betrag', right: 400 },
    { text: heading, right: 540 },
  ];
  const verdict = await yearShares.run(documentOf(writtenPages([head, ...rows])));
  return verdict.status === 'finding' ? verdict.findings : [];
}

describe('pay of the month within the year', () => {
  const raised = {
    base: ['Grundgehalt', 385_000, 1_625_000],
    gross: ['Gesamtbrutto', 401_350, 1_706_750],
    net: ['Nettoverdienst', 303_259, 1_216_375],
  } as const satisfies Partial<Record<keyof typeof ROWS, Row>>;

  it('is reported when it rose alone, with the payment and gross pay', async () => {
    const [finding, ...others] = await found(raised);
    expect(others).to.deep.equal([]);
    expect(finding?.message).to.equal(
      'Pay of 3.850,00 on page 1 is 23.7 % of the year’s, but no deduction is more than 20.0 % of its own: pay rose, and nothing that depends on it did.',
    );
    expect(finding?.evidence.map(({ after }) => after)).to.include.members(['3.850,00', '4.013,50']);
  });

  it('is reported when it is more than in the whole year', async () => {
    const [finding] = await found({ base: ['Grundgehalt', 325_000, 275_000] });
    expect(finding?.message).to.equal(
      'Pay of 3.250,00 in the month on page 1 is more than the 2.750,00 since the beginning of the year.',
    );
  });

  const silent: Record<string, Parameters<typeof found>> = {
    'the months are alike': [],
    'one deduction rose with it': [
      {
        ...raised,
        tax: ['Lohnsteuer', 51_216, 216_000],
        taken: ['Summe Abzüge', 108_091, 500_375],
        net: ['Nettoverdienst', 293_259, 1_206_375],
      },
    ],
    'only a bonus rose': [
      {
        extra: ['Zulage', 76_350, 141_750],
        gross: ['Gesamtbrutto', 401_350, 1_766_750],
        net: ['Nettoverdienst', 303_259, 1_276_375],
      },
    ],
    'the second column is something else': [raised, 'Vormonat'],
    'pay was higher before and only taxes are deducted': [
      {
        gross: ['Gesamtbrutto', 341_350, 2_706_750],
        tax: ['Lohnsteuer', 41_216, 506_000],
        pension: ['Solidaritätszuschlag', 31_745, 358_725],
        health: ['Kirchensteuer', 25_130, 325_650],
        taken: ['Summe Abzüge', 98_091, 1_190_375],
        net: ['Nettoverdienst', 243_259, 1_516_375],
      },
    ],
  };
  for (const [when, args] of Object.entries(silent))
    it(`passes when ${when}`, async () => expect(await found(...args)).to.deep.equal([]));
});
