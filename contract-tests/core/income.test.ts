import { expect } from 'chai';
import { affordability, readRentRule, writeRentRule } from '../../core/rules/affordability.ts';
import type { BankStatement, Booking } from '../../core/rules/bank-statement.ts';
import { type IncomeDocument, incomeOf } from '../../core/rules/income.ts';
import type { IncomePaper } from '../../core/rules/income-papers.ts';
import type { Income } from '../../core/rules/income-types.ts';
import { databases } from '../../harness/database/dialect.ts';
import { type BankScenario, scenarioAccounts, scenarioBookings } from '../../providers/sandbox/bank-scenarios.ts';

databases('none');

const NAME = 'Marta Ruiz';
const SETS = 200;
/** The bound. */
const MAX_MISS = 0.02;

/** Numbers from 0 to 1 that are the same each time. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

function statementOf(bookings: Booking[], from: string, to: string, holder = NAME): BankStatement {
  const account = { id: 'one', iban: 'ES9121000418450200051332', holder, product: '', currency: 'EUR' };
  const ordered = bookings.toSorted((one, other) => one.day.localeCompare(other.day));
  return {
    bank: 'Bank',
    country: 'ES',
    from,
    to,
    fetchedAt: to,
    accounts: [{ account, closingCents: 100_000, bookings: ordered }],
  };
}

function payslip(document_id: string, month: string, net: number, employer: string): IncomePaper {
  return stating(document_id, { net: String(net), month, employer });
}

/** A payslip with these claims. */
function stating(document_id: string, stated: Record<string, string>): IncomePaper {
  const claims = Object.entries(stated).map(([kind, value]) => ({ kind, value, text: value }));
  return { document_id, kind: 'payslip', is_read: false, claims };
}

/** The income by payslips alone, each with these claims and the same employer. */
function byPayslips(...stated: Record<string, string>[]): Income {
  const papers = stated.map((one, index) => stating(`p${index}`, { employer: 'Harbour Foods Ltd', ...one }));
  const documents = papers.map(({ document_id }) => document(document_id));
  return incomeOf({ name: NAME, statements: [], documents, papers });
}

const document = (document_id: string, outcome: IncomeDocument['outcome'] = 'no_finding'): IncomeDocument => ({
  document_id,
  name: `${document_id}.pdf`,
  outcome,
  isFromBank: false,
});

const MONTHS = ['2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10'];
const EMPLOYERS = [
  'Northern Ferries Ltd',
  'Panadería Sol S.L.',
  'Müller Werke GmbH',
  'Clínica Vera SA',
  'Ateliers Roux SARL',
];
const PAY_WORDS = ['Salary', 'Nómina', 'Gehalt', 'Salaire', 'Ordenado'];

interface Applicant {
  known: Parameters<typeof incomeOf>[0];
  /** In cents; undefined where the documents do not suffice. */
  expected: number | undefined;
}

/** An invented applicant whose income is known, with the noise of real accounts. */
function applicant(seed: number): Applicant {
  const random = randomFrom(seed + 1);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const between = (low: number, high: number) => Math.round(low + random() * (high - low));
  const employer = pick(EMPLOYERS) ?? '';
  const words = pick(PAY_WORDS) ?? '';
  const net = between(110_000, 520_000);
  const day = (month: string, of: number) => `${month}-${String(of).padStart(2, '0')}`;
  const noise = MONTHS.flatMap((month): Booking[] => [
    { day: day(month, 2), cents: -between(40_000, 90_000), counterparty: 'Casa Norte', text: 'Alquiler' },
    { day: day(month, between(3, 27)), cents: -between(500, 20_000), counterparty: 'Mercado', text: 'Tarjeta' },
    { day: day(month, between(3, 27)), cents: between(1_000, 9_000), counterparty: 'Alex Moreno', text: 'Cena' },
    ...(random() < 0.3
      ? [{ day: day(month, between(3, 27)), cents: between(2_000, 30_000), counterparty: 'Shop', text: 'Refund' }]
      : []),
  ]);
  const base = { name: NAME, statements: [], documents: [], papers: [] };
  const [from, to] = ['2026-05-01', '2026-10-31'];
  const byBank = (bookings: Booking[], expected: number | undefined): Applicant => ({
    known: { ...base, statements: [statementOf([...noise, ...bookings], from, to)] },
    expected,
  });
  const paid = (month: string, cents: number, text = words): Booking => ({
    day: day(month, between(25, 28)),
    cents,
    counterparty: employer,
    text: `${text} ${month}`,
  });
  switch (seed % 8) {
    case 0:
      return byBank(
        MONTHS.map((month) => paid(month, net)),
        net,
      );
    case 1:
      // Overtime, and a bonus in summer.
      return byBank(
        MONTHS.map((month) =>
          paid(month, month === '2026-07' ? 2 * net : Math.round(net * (1 + (random() - 0.5) / 50))),
        ),
        net,
      );
    case 2: {
      const benefit = between(60_000, 130_000);
      return byBank(
        MONTHS.map((month) => paid(month, benefit, 'Prestación SEPE')),
        benefit,
      );
    }
    case 3: {
      const weeks = Array.from({ length: 26 }, (_, week) => new Date(Date.parse(from) + (7 * week + 4) * 86_400_000));
      const weekly = between(30_000, 90_000);
      return byBank(
        weeks.map((at) => ({ ...paid('2026-05', weekly), day: at.toISOString().slice(0, 10) })),
        (weekly * 365.25) / 12 / 7,
      );
    }
    case 4: {
      const papers = MONTHS.slice(-3).map((month, index) => payslip(`p${index}`, month, net, employer));
      return {
        known: { ...base, papers, documents: papers.map(({ document_id }) => document(document_id)) },
        expected: net,
      };
    }
    case 5: {
      // The payslips were changed, and nothing else shows the pay.
      const papers = MONTHS.slice(-3).map((month, index) => payslip(`p${index}`, month, 2 * net, employer));
      const documents = papers.map(({ document_id }) => document(document_id, 'tampered'));
      return { known: { ...base, papers, documents }, expected: undefined };
    }
    case 6:
      return { known: base, expected: undefined };
    default: {
      // The account of another person, or one that is read for a month only.
      const bookings = MONTHS.slice(-1).map((month) => paid(month, net));
      const other = seed % 16 === 7;
      const statements = [statementOf(bookings, other ? from : '2026-10-01', to, other ? 'Robin Castell' : NAME)];
      return { known: { ...base, statements }, expected: undefined };
    }
  }
}

describe('the income', () => {
  it(`of ${SETS} generated applicants is within 2 % of the true one, and not known where the documents do not suffice`, () => {
    const wrong = Array.from({ length: SETS }, (_, seed) => {
      const { known, expected } = applicant(seed);
      const { monthlyCents } = incomeOf(known);
      const isRight =
        expected === undefined || monthlyCents === undefined
          ? expected === monthlyCents
          : Math.abs(monthlyCents - expected) <= MAX_MISS * expected;
      return isRight ? [] : [{ seed, kind: seed % 8, expected, monthlyCents }];
    }).flat();
    expect(wrong).to.deep.equal([]);
  });

  it('never counts a document found tampered, and names it', () => {
    const papers = [payslip('p', '2026-10', 900_000, 'Northern Ferries Ltd')];
    const { monthlyCents, cautions } = incomeOf({
      ...{ name: NAME, statements: [], papers },
      documents: [document('p', 'tampered')],
    });
    expect(monthlyCents).to.equal(undefined);
    expect(cautions).to.deep.equal([{ kind: 'tampered', document: 'p.pdf' }]);
  });

  it('is by a tax assessment only when nothing else shows it, and says which year it is of and what is not in it', () => {
    const assessment = (id: string, year: string, income: number, tax: number): IncomePaper => {
      const figures = { income, tax, year };
      const claims = Object.entries(figures).map(([kind, value]) => ({ kind, value: String(value), text: '' }));
      return { document_id: id, kind: 'tax', is_read: false, claims };
    };
    const papers = [assessment('old', '2023', 3_000_000, 300_000), assessment('new', '2024', 3_600_000, 600_000)];
    const known = { name: NAME, statements: [], papers, documents: [document('old'), document('new')] };
    const alone = incomeOf(known);
    expect(alone).to.deep.include({ monthlyCents: 250_000, certainty: 'stated' });
    expect(alone.cautions).to.deep.equal([{ kind: 'tax-only', year: '2024' }]);
    const slip = payslip('p', '2026-10', 200_000, 'Northern Ferries Ltd');
    const both = incomeOf({ ...known, papers: [...papers, slip], documents: [...known.documents, document('p')] });
    expect(both).to.deep.include({ monthlyCents: 200_000, cautions: [] });
    const forged = incomeOf({ ...known, documents: [document('old', 'tampered'), document('new', 'tampered')] });
    expect(forged.monthlyCents).to.equal(undefined);
  });

  it('by statements groups the pay of a payer, whatever balance or reference the page prints after the amount', () => {
    const credit = (day: string, words: string) => ({ kind: 'credit', value: '209500', text: '', day, words });
    const lines = [
      credit('2026-01-27', '27-01-26 ziekenhuis de linde salaris ref 2 2.095,00 5.150,35'),
      credit('2026-02-27', '27-02-26 ziekenhuis de linde salaris ref 5 2.095,00 5.403,81 -------- eindsaldo 5.403,81'),
      credit('2026-03-27', 'ziekenhuis de linde salaris 2 095,00 saldo 17,00'),
    ];
    const papers: IncomePaper[] = lines.map((claim, index) => ({
      ...{ document_id: `s${index}`, kind: 'statement', is_read: false },
      claims: [claim],
    }));
    const documents = papers.map(({ document_id }) => document(document_id));
    const income = incomeOf({ name: NAME, statements: [], papers, documents });
    expect(income).to.deep.include({ monthlyCents: 209_500, certainty: 'likely' });
    expect(income.sources.map(({ payer }) => payer)).to.deep.equal(['ziekenhuis de linde salaris']);
  });

  const inScenario = (scenario: BankScenario, papers: IncomePaper[] = []): Income => {
    const [from, now] = ['2026-06-01', new Date('2026-11-29T10:00:00Z')];
    const accounts = scenarioAccounts(scenario, NAME).map((account) => ({
      account,
      closingCents: scenario === 'overdraft' ? -73_255 : 100_000,
      bookings: scenarioBookings(scenario, account, NAME, from, now).toReversed(),
    }));
    const statement = { bank: 'Bank', country: 'ES', from, to: '2026-11-29', fetchedAt: '', accounts };
    const documents = papers.map(({ document_id }) => document(document_id));
    return incomeOf({ name: NAME, statements: [statement], documents, papers });
  };

  it('is confirmed by a bank with a regular salary, with rent and without what moves between own accounts', () => {
    for (const scenario of ['salary', 'two-accounts'] as const) {
      const { monthlyCents, certainty, sources, outgoings } = inScenario(scenario);
      expect({ monthlyCents, certainty }).to.deep.equal({ monthlyCents: 221_444, certainty: 'confirmed' });
      expect(sources.map(({ payer }) => payer)).to.deep.equal(['Northern Ferries Ltd']);
      expect(outgoings).to.deep.equal([{ kind: 'rent', payee: 'Casa Norte Lettings', monthlyCents: 85_000 }]);
    }
  });

  it('is likely for income that varies, and for a joint account', () => {
    expect(inScenario('irregular').certainty).to.equal('likely');
    expect(inScenario('irregular').monthlyCents).to.be.greaterThan(50_000);
    const joint = inScenario('joint');
    expect(joint).to.deep.include({ monthlyCents: 221_444, certainty: 'likely' });
    expect(joint.cautions.map(({ kind }) => kind)).to.deep.equal(['joint']);
    expect(joint.outgoings.map(({ kind }) => kind)).to.include('loan');
  });

  it('includes benefits, and is zero without any income', () => {
    expect(inScenario('benefits').sources.map(({ kind }) => kind)).to.deep.equal(['benefit', 'benefit']);
    expect(inScenario('no-income')).to.deep.include({ monthlyCents: 0, sources: [] });
  });

  it('is not that of another holder, who is named; an overdraft is named too', () => {
    const other = inScenario('other-holder');
    expect(other.monthlyCents).to.equal(undefined);
    expect(other.cautions).to.deep.equal([{ kind: 'other-holder', holder: 'Robin Castell' }]);
    expect(inScenario('overdraft').cautions).to.deep.equal([{ kind: 'overdrawn' }]);
  });

  it('names both values when a payslip states another pay than the bank shows', () => {
    const { monthlyCents, cautions } = inScenario('salary', [payslip('p', '2026-10', 314_444, 'Northern Ferries Ltd')]);
    expect(monthlyCents).to.equal(221_444);
    const differs = {
      kind: 'payslip-differs',
      payslipCents: 314_444,
      bankCents: 221_444,
      payer: 'Northern Ferries Ltd',
    };
    expect(cautions).to.deep.equal([differs]);
  });
});

describe('the income by payslips', () => {
  const monthly = (...stated: Record<string, string>[]) => {
    const { monthlyCents, sources } = byPayslips(...stated);
    return [monthlyCents, sources[0]?.rhythm];
  };
  const week = Math.round((48_000 * 365.25) / 12 / 7);

  it('is that of a month, whether they pay by the week, by two or four weeks, or twice a month, and says which', () => {
    const net = '48000';
    expect(monthly({ net, from: '2025-02-03', to: '2025-02-09' })).to.deep.equal([week, 'week']);
    expect(monthly({ net, month: '2025-02', frequency: 'week' })).to.deep.equal([week, 'week']);
    expect(monthly({ net: '96000', from: '2025-02-03', to: '2025-02-16' })).to.deep.equal([week, 'two-weeks']);
    const four = { net: '192000', frequency: 'four-weeks' };
    expect(monthly({ ...four, from: '2025-02-03', to: '2025-03-02' })).to.deep.equal([week, 'four-weeks']);
    const halves = [
      { net: '104000', from: '2025-03-01', to: '2025-03-15' },
      { net: '104000', from: '2025-03-16', to: '2025-03-31' },
    ];
    expect(monthly(...halves)).to.deep.equal([208_000, 'half-month']);
    for (const days of [
      { from: '2025-02-01', to: '2025-02-28' },
      { from: '2025-02-03', to: '2025-02-28' },
      { from: '2025-01-21', to: '2025-02-20' },
    ])
      expect(monthly({ net: '208000', ...days }), days.from).to.deep.equal([208_000, 'month']);
  });

  it('is by the rhythm of the paydays where these are closer than months, although each payslip names a month', () => {
    const paid = (...days: string[]) => days.map((payday) => ({ net: '48000', payday, month: payday.slice(0, 7) }));
    expect(monthly(...paid('2025-02-07', '2025-02-14', '2025-02-21'))).to.deep.equal([week, 'week']);
    expect(monthly(...paid('2025-02-21', '2025-02-28', '2025-03-07'))).to.deep.equal([week, 'week']);
    expect(monthly(...paid('2025-01-15', '2025-01-31', '2025-02-15'))).to.deep.equal([96_000, 'half-month']);
    expect(monthly(...paid('2025-01-31', '2025-02-28', '2025-03-31'))).to.deep.equal([48_000, 'month']);
    expect(monthly(...paid('2025-02-28', '2025-03-07'))).to.deep.equal([undefined, undefined]);
  });

  it('is not known, which is said, where they state no period, or a part of one, or pay that comes once a year', () => {
    for (const stated of [
      { net: '48000', payday: '2025-02-07' },
      { net: '48000', to: '2025-02-07' },
      { net: '90000', from: '2025-02-10', to: '2025-02-28' },
      { net: '90000', from: '2025-02-15', to: '2025-02-28' },
      { net: '90000', from: '2025-02-10', to: '2025-02-28', month: '2025-02' },
      { net: '90000', month: '2025-02', joined: '2025-02-15' },
      { net: '380000', month: '2025-11', unusual: '200000' },
      { net: '90000', month: '2025-02', frequency: 'week', from: '2025-02-01', to: '2025-02-28' },
    ]) {
      const { monthlyCents, cautions } = byPayslips(stated);
      expect(monthlyCents, JSON.stringify(stated)).to.equal(undefined);
      expect(cautions).to.deep.equal([{ kind: 'no-usual-pay', payer: 'Harbour Foods Ltd' }]);
    }
  });

  it('leaves out a first month in part, extra pay, and a month with two payslips, where others show the usual pay', () => {
    const usual = [
      { net: '208000', month: '2025-03' },
      { net: '208000', month: '2025-04' },
    ];
    for (const other of [
      { net: '90000', month: '2025-02', joined: '2025-02-15' },
      { net: '90000', from: '2025-02-15', to: '2025-02-28' },
      { net: '380000', month: '2025-06', unusual: '200000' },
    ])
      expect(monthly(other, ...usual.slice(1)), JSON.stringify(other)).to.deep.equal([208_000, 'month']);
    const bonus = { net: '150000', month: '2025-03', payday: '2025-03-14' };
    expect(monthly({ ...usual[0], payday: '2025-03-28' }, bonus, ...usual.slice(1))).to.deep.equal([208_000, 'month']);
  });

  it('counts pay that is raised in every month of a quarter', () => {
    const raised = ['2025-03', '2025-04', '2025-05'].map((month) => ({ net: '250000', month, unusual: '90000' }));
    expect(monthly(...raised)).to.deep.equal([250_000, 'month']);
  });
});

describe('the income by a bank', () => {
  it('knows pay every four weeks and twice a month from pay by the month and by two weeks', () => {
    const paid = (...days: string[]) => {
      const bookings = days.map((day) => ({ day, cents: 96_000, counterparty: 'Ferries Ltd', text: 'Salary' }));
      const statements = [statementOf(bookings, days[0] ?? '', days.at(-1) ?? '')];
      const { monthlyCents, sources } = incomeOf({ name: NAME, statements, documents: [], papers: [] });
      return [monthlyCents, sources[0]?.rhythm];
    };
    const four = Math.round((96_000 * 365.25) / 12 / 28);
    expect(paid('2026-05-08', '2026-06-05', '2026-07-03', '2026-07-31', '2026-08-28')).to.deep.equal([
      four,
      'four-weeks',
    ]);
    // The last Friday of each month.
    expect(paid('2026-01-30', '2026-02-27', '2026-03-27', '2026-04-24')).to.deep.equal([96_000, 'month']);
    expect(paid('2026-05-15', '2026-05-29', '2026-06-15', '2026-06-30', '2026-07-15')).to.deep.equal([
      192_000,
      'half-month',
    ]);
    const two = Math.round((96_000 * 365.25) / 12 / 14);
    expect(paid('2026-05-08', '2026-05-22', '2026-06-05', '2026-06-19')).to.deep.equal([two, 'two-weeks']);
  });
});

describe('the affordability', () => {
  const member = (monthlyCents: number | undefined, isGuarantor = false) => ({ isGuarantor, income: { monthlyCents } });

  it('compares the rent with the income of those who apply, by share or by multiple', () => {
    const members = [member(200_000), member(100_000), member(500_000, true)];
    const share = affordability(members, 100_000, { kind: 'share', percent: 35 });
    expect(share).to.deep.equal({ incomeCents: 300_000, sharePercent: 33.3, isMet: true, guarantorCents: 500_000 });
    expect(affordability(members, 110_000, { kind: 'share', percent: 35 }).isMet).to.equal(false);
    expect(affordability(members, 100_000, { kind: 'multiple', times: 3 }).isMet).to.equal(true);
    expect(affordability(members, 100_001, { kind: 'multiple', times: 3 }).isMet).to.equal(false);
  });

  it('says nothing without a rent, a rule, or the income of everyone', () => {
    const rule = { kind: 'share', percent: 35 } as const;
    expect(affordability([member(200_000), member(undefined)], 100_000, rule).isMet).to.equal(undefined);
    expect(affordability([member(200_000)], undefined, rule).isMet).to.equal(undefined);
    expect(affordability([member(200_000)], 100_000, undefined).isMet).to.equal(undefined);
  });

  it('reads rules as a landlord writes them', () => {
    for (const text of ['35%', '3x', '2.5x']) {
      const rule = readRentRule(text);
      expect(rule && writeRentRule(rule)).to.equal(text);
    }
    for (const text of ['', '0%', '101%', '35', 'x3', '99x', '-3x'])
      expect(readRentRule(text), text).to.equal(undefined);
  });
});
