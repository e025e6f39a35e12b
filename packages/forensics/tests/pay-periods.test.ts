import { expect } from 'chai';
import { compareDocuments } from '../across/compare.ts';
import { papersIn } from '../content/claims/papers.ts';
import { documentOf, type Written, writtenPages } from './fixtures/written-pages.ts';
import { english } from './fixtures/written-statements.ts';

interface Slip {
  /** Rows of a label and its value, or one text. */
  states: readonly (readonly string[])[];
  hours?: number;
}

function slipOf({ states, hours = 38 }: Slip): Written[] {
  const [basic, tax] = [hours * 1250, hours * 173];
  const row = (label: string, cents: number): Written => [
    { text: label, left: 40 },
    { text: english(cents), right: 500 },
  ];
  const head = [['PAYSLIP'], ['Harbour Foods Ltd'], ['Employee number', '20431'], ...states];
  return [
    ...head.map(
      ([label = '', value]): Written => [
        { text: label, left: 40 },
        ...(value === undefined ? [] : [{ text: value, left: 200 }]),
      ],
    ),
    row('Basic pay', basic),
    row('Total gross pay', basic),
    row('PAYE tax', tax),
    row('Union dues', 1000),
    row('Total deductions', tax + 1000),
    row('Net pay', basic - tax - 1000),
  ];
}

async function claimsOf(slip: Slip): Promise<string[]> {
  const [paper] = await papersIn(documentOf(writtenPages(slipOf(slip))));
  const kinds = ['month', 'from', 'to', 'period', 'payday'];
  return (paper?.claims ?? []).filter(({ kind }) => kinds.includes(kind)).map(({ kind, value }) => `${kind} ${value}`);
}

/** What the slips contradict each other about. */
async function contradictionsOf(...slips: Slip[]): Promise<string[]> {
  const papers = await Promise.all(
    slips.map(async (slip, index) => {
      const found = await papersIn(documentOf(writtenPages(slipOf(slip))));
      return found.map((paper) => ({ ...paper, document_id: `${index}`, name: `slip ${index}` }));
    }),
  );
  return compareDocuments(papers.flat()).flatMap(({ findings = [] }) => findings.map(({ message }) => message));
}

describe('the period of a payslip', () => {
  it('is a month where it states one, or the days of one', async () => {
    for (const state of [
      ['Pay period', '01/02/2025 - 28/02/2025'],
      ['Pay period', '10 February 2025 to 28 February 2025'],
      ['Periodo de liquidación: del 1 al 28 de febrero de 2025'],
      ['Periodo de liquidación: del 1 de febrero al 28 de febrero de 2025'],
      ['Entgeltabrechnung Februar 2025'],
      ['Month', '02/2025'],
    ])
      expect(await claimsOf({ states: [state] }), state.join()).to.include('month 2025-02');
  });

  it('is no month where it states a week, a few days, or a date alone', async () => {
    const days = ['from 2025-02-01', 'to 2025-02-07'];
    const stated: [string[], string[]][] = [
      [['Pay period', '01/02/2025 - 07/02/2025'], days],
      [['1 February 2025 to 7 February 2025'], days],
      [['Period del 1 al 7 de febrero de 2025'], days],
      [['Week ending', '7 February 2025'], ['to 2025-02-07']],
      [['Pay date', '7 February 2025'], ['payday 2025-02-07']],
      [['Tax week 45', 'February 2025'], ['period 45']],
    ];
    for (const [state, claims] of stated)
      expect(await claimsOf({ states: [state] }), state.join()).to.deep.equal(claims);
  });

  it('is no number of hours', async () => {
    for (const text of ['Hours per week 40', 'Hours/week 40', 'Week 37.50'])
      expect(await claimsOf({ states: [[text]] }), text).to.deep.equal([]);
  });
});

describe('payslips of one employer with different pay', () => {
  const weeks = (states: (day: string, week: number) => string[][]) =>
    ['07', '14', '21'].map((day, week) => ({ states: states(day, 45 + week), hours: 38 + week }));

  it('contradict nothing if they are of different weeks, however these are stated', async () => {
    for (const states of [
      (day: string) => [['Pay period', `${String(Number(day) - 6).padStart(2, '0')}/02/2025 - ${day}/02/2025`]],
      (day: string) => [['Week ending', `${day} February 2025`]],
      (_: string, week: number) => [['Tax week', String(week)], ['February 2025']],
      (day: string) => [['Pay date', `${day}/02/2025`], ['February 2025']],
    ])
      expect(await contradictionsOf(...weeks(states))).to.deep.equal([]);
  });

  it('contradict each other if they are of one month, of the same days, or of one week', async () => {
    const same: [string[][], string[][]][] = [
      [[['Month', 'February 2025']], [['Month', '02/2025']]],
      [[['Pay period', '01/02/2025 - 07/02/2025']], [['Pay period', '1 February 2025 to 7 February 2025']]],
      [
        [
          ['Pay date', '07/02/2025'],
          ['Tax week', '45'],
        ],
        [['Pay date', '07/02/2025'], ['Week 45']],
      ],
      // The month alone was changed.
      [
        [
          ['Month', '02/2025'],
          ['Pay date', '27/02/2025'],
        ],
        [
          ['Month', '02/2025'],
          ['Pay date', '27/03/2025'],
        ],
      ],
    ];
    for (const [one, other] of same) {
      const found = await contradictionsOf({ states: one }, { states: other, hours: 41 });
      expect(found, one.join()).to.have.length(1);
      expect(found[0]).to.match(/^slip 0 and slip 1 are both for .*, with 399\.26 and 431\.57 paid out\.$/);
    }
  });
});
