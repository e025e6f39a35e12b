import { expect } from 'chai';
import { compareDocuments } from '../across/compare.ts';
import { papersIn } from '../content/claims/papers.ts';
import { documentOf, type Written, writtenPages } from './fixtures/written-pages.ts';
import { english } from './fixtures/written-statements.ts';

interface Slip {
  /** Rows of a label and its value, or one text. */
  states: readonly (readonly string[])[];
  hours?: number;
  /** The names of payments beside the basic pay, and how high they are. */
  paid?: readonly (readonly [label: string, cents: number])[];
}

function slipOf({ states, hours = 38, paid = [] }: Slip): Written[] {
  const [basic, tax] = [hours * 1250, hours * 173];
  const row = (label: string, cents: number): Written => [
    { text: label, left: 40 },
    { text: english(cents), right: 500 },
  ];
  const gross = paid.reduce((sum, [, cents]) => sum + cents, basic);
  const head = [['PAYSLIP'], ['Harbour Foods Ltd'], ['Employee number', '20431'], ...states];
  return [
    ...head.map(
      ([label = '', value]): Written => [
        { text: label, left: 40 },
        ...(value === undefined ? [] : [{ text: value, left: 200 }]),
      ],
    ),
    row('Basic pay', basic),
    ...paid.map(([label, cents]) => row(label, cents)),
    row('Total gross pay', gross),
    row('PAYE tax', tax),
    row('Union dues', 1000),
    row('Total deductions', tax + 1000),
    row('Net pay', gross - tax - 1000),
  ];
}

async function claimsOf(slip: Slip, kinds = ['month', 'from', 'to', 'period', 'payday']): Promise<string[]> {
  const [paper] = await papersIn(documentOf(writtenPages(slipOf(slip))));
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

  it('is the month of the title, whatever months of arrears stand below, and the payday is behind its label', async () => {
    const arrears = [['Entgeltabrechnung 02/2025'], ['Rückrechnung für 12/2024 und 01/2025 enthalten']];
    expect(await claimsOf({ states: arrears })).to.deep.equal(['month 2025-02']);
    const beside = [['Pay period 03/03/2025 - 16/03/2025 Pay date 20/03/2025']];
    expect(await claimsOf({ states: beside })).to.include('payday 2025-03-20');
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

describe('how often a payslip pays', () => {
  const frequencies = (...state: string[]) => claimsOf({ states: [state] }, ['frequency']);

  it('is read beside a label and in its name, in every language', async () => {
    const stated: [string, string[][]][] = [
      [
        'week',
        [['Pay frequency', 'Weekly'], ['Weekly payslip'], ['Week ending', '7 February 2025'], ['Periodo: semanal']],
      ],
      ['two-weeks', [['Pay frequency: Fortnightly'], ['Fortnight ending 14/02/2025'], ['Verloning', 'Tweewekelijks']]],
      ['four-weeks', [['Payment period', '4 Weekly'], ['Tijdvak: 4 weken'], ['Vierwekelijks'], ['Four weekly']]],
      ['half-month', [['1a quincena de febrero'], ['Nómina quincenal'], ['Pay period', 'Semi-monthly'], ['Quinzaine']]],
      ['month', [['Payment period', 'Monthly'], ['Tax month 11'], ['Periodicità: mensile'], ['Okres: miesięczny']]],
    ];
    for (const [frequency, states] of stated)
      for (const state of states)
        expect(await frequencies(...state), state.join()).to.deep.equal([`frequency ${frequency}`]);
  });

  it('is nothing that hours, tax weeks, paid weeks or a deduction say', async () => {
    for (const text of ['Weekly hours 38', '40 horas semanales', 'Tax week 45', 'Durée hebdomadaire 35 h', 'Week 12'])
      expect(await frequencies(text), text).to.deep.equal([]);
    const advance = [['Anticipo quincena', '200.00']];
    expect(await claimsOf({ states: advance }, ['frequency'])).to.deep.equal([]);
  });
});

describe('what makes the pay of a payslip unusual', () => {
  it('is the day on which the employment began', async () => {
    for (const state of [['Eintritt', '15.02.2025'], ['Date joined', '15/02/2025'], ["Date d'embauche : 15/02/2025"]])
      expect(await claimsOf({ states: [state] }, ['joined']), state.join()).to.deep.equal(['joined 2025-02-15']);
  });

  it('is pay of a part of a month, or an absence, if it is much of the pay', async () => {
    const unusual = (label: string, cents: number) => claimsOf({ states: [], paid: [[label, cents]] }, ['unusual']);
    for (const name of ['Gehalt anteilig', 'Salary 12/30', 'Pro rata pay'])
      expect(await unusual(name, 40_000), name).to.deep.equal(['unusual 40000']);
    expect(await unusual('Unpaid absence', -10_000)).to.deep.equal(['unusual -10000']);
    expect(await unusual('Unpaid absence', -2_000)).to.deep.equal([]);
  });

  it('is pay that comes once or twice a year, if it is much of the pay', async () => {
    const names = [
      ...['Weihnachtsgeld', '13. Monatsgehalt', 'Paga extra junio', 'Prime de fin d’année', 'Tredicesima mensilità'],
      ...['Subsídio de férias', 'Vakantiegeld', 'Nagroda roczna', 'Paga extraordinària', 'Annual bonus'],
    ];
    const extras = (label: string, cents: number) => claimsOf({ states: [], paid: [[label, cents]] }, ['unusual']);
    for (const name of names) expect(await extras(name, 40_000), name).to.deep.equal(['unusual 40000']);
    expect(await extras('Annual bonus', 5_000)).to.deep.equal([]);
    for (const name of ['Prorrata pagas extras', 'P.P. paga extra', 'Rateo tredicesima', 'Opbouw vakantiegeld'])
      expect(await extras(name, 40_000), name).to.deep.equal([]);
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
