import { expect } from 'chai';
import { contributionRates } from '../rules/content/contribution-rates.ts';
import { documentOf, type Written, writtenPages } from './fixtures/written-pages.ts';
import { german } from './fixtures/written-statements.ts';

/** Payslips with contributions that law fixes, each the only one of its kind on its page. */

interface Slip {
  month: string;
  /** In cents. */
  payments: readonly (readonly [name: string, cents: number])[];
  words: { gross: string; deductions: string; net: string };
  deductions: readonly (readonly [name: string, cents: number, basis?: string, rate?: string])[];
  notes?: readonly string[];
}

const of = (cents: number, percent: number) => Math.round((cents * percent) / 100);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function rowsOf({ month, payments, words, deductions, notes = [] }: Slip): Written[] {
  const gross = sum(payments.map(([, cents]) => cents));
  const taken = sum(deductions.map(([, cents]) => cents));
  const row = (name: string, cents: number, basis = '', rate = ''): Written => [
    { text: name, left: 40 },
    ...(basis === '' ? [] : [{ text: basis, right: 300 }]),
    ...(rate === '' ? [] : [{ text: rate, right: 370 }]),
    { text: german(cents), right: 480 },
  ];
  return [
    [
      { text: 'Holm & Vidal', left: 40 },
      { text: month, left: 400 },
    ],
    ...notes.map((text): Written => [{ text, left: 40 }]),
    ...payments.map(([name, cents]) => row(name, cents)),
    row(words.gross, gross),
    ...deductions.map(([name, cents, basis, rate]) => row(name, cents, basis, rate)),
    row(words.deductions, taken),
    row(words.net, gross - taken),
  ];
}

async function findingsOn(slip: Slip) {
  const verdict = await contributionRates.run(documentOf(writtenPages(rowsOf(slip))));
  return verdict.status === 'finding' ? verdict.findings : [];
}

const WORDS = {
  germany: { gross: 'Gesamtbrutto', deductions: 'Gesetzliche Abzüge', net: 'Nettoverdienst' },
  spain: { gross: 'TOTAL DEVENGADO', deductions: 'TOTAL A DEDUCIR', net: 'LÍQUIDO A PERCIBIR' },
  france: { gross: 'Salaire brut', deductions: 'Total des retenues', net: 'Net à payer' },
  italy: { gross: 'TOTALE COMPETENZE', deductions: 'TOTALE TRATTENUTE', net: 'NETTO DEL MESE' },
  britain: { gross: 'Gross Pay', deductions: 'Total Deductions', net: 'Net Pay' },
};

interface GermanPay {
  month?: string;
  /** What contributions are taken from, of pension and of care insurance. */
  insured?: number;
  cared?: number;
  care?: number;
  payments?: Slip['payments'];
  more?: Slip['deductions'];
  notes?: readonly string[];
}

const PAY = 287_413;

function germanSlip({
  month = 'Mai 2025',
  payments = [['Gehalt', PAY]],
  insured = sum(payments.map(([, cents]) => cents)),
  cared = insured,
  care = 2.4,
  more = [],
  notes = [],
}: GermanPay = {}): Slip {
  return {
    month,
    words: WORDS.germany,
    notes,
    payments,
    deductions: [
      ['Lohnsteuer', 31_825],
      ['Krankenversicherung', of(cared, 8.55)],
      ['Rentenversicherung', of(insured, 9.3)],
      ['Arbeitslosenversicherung', of(insured, 1.3)],
      ['Pflegeversicherung', of(cared, care)],
      ...more,
    ],
  };
}

const spanishSlip = (paid: number, base: number, notes: readonly string[] = [], month = 'Mayo 2025'): Slip => ({
  month,
  words: WORDS.spain,
  notes,
  payments: [['Salario base', paid]],
  deductions: [
    ['Contingencias comunes', of(base, 4.7)],
    ['MEI', of(base, 0.13)],
    ['Desempleo', of(base, 1.55)],
    ['Formación profesional', of(base, 0.1)],
    ['IRPF', of(paid, 14.3)],
  ],
});

const frenchSlip = (paid: number, base: number, notes: readonly string[] = []): Slip => ({
  month: 'Mai 2025',
  words: WORDS.france,
  notes,
  payments: [['Salaire de base', paid]],
  deductions: [
    ['Sécurité sociale plafonnée', of(Math.min(base, 392_500), 6.9), german(Math.min(base, 392_500)), '6,90'],
    ['Sécurité sociale déplafonnée', of(base, 0.4), german(base), '0,40'],
  ],
});

const italianSlip = (paid: number, base: number, notes: readonly string[] = []): Slip => ({
  month: 'Maggio 2025',
  words: WORDS.italy,
  notes,
  payments: [['Retribuzione', paid]],
  deductions: [
    ['Contributo IVS', of(base, 9.19), german(base), '9,19'],
    ['Ritenute IRPEF', 31_215],
  ],
});

const britishSlip = (paid: number, insured: number, letter = 'NI Category: A', percent = 8): Slip => ({
  month: 'May 2025',
  words: WORDS.britain,
  notes: [letter],
  payments: [['Basic Salary', paid]],
  deductions: [
    ['PAYE Tax', 31_215],
    ['National Insurance', of(insured - 104_800, percent)],
  ],
});

/** Genuine payslips on which another law than the usual one decides, or the usual one at its limits. */
const LAWFUL: Record<string, Slip> = {
  'full pay, Germany': germanSlip(),
  'full pay, Spain': spanishSlip(PAY, PAY),
  'full pay, France': frenchSlip(PAY, PAY),
  'full pay, Italy': italianSlip(PAY, 287_400),
  'full pay, Britain': britishSlip(PAY, PAY),
  'a marginal job, taxed as a whole': germanSlip({
    payments: [['Aushilfslohn', 55_600]],
    insured: 38_300,
    notes: ['Minijob'],
  }),
  'a job in the transition area': germanSlip({ payments: [['Gehalt', 143_000]], insured: 102_300 }),
  'private health and care insurance': {
    ...germanSlip(),
    deductions: [
      ['Lohnsteuer', 31_825],
      ['Rentenversicherung', of(PAY, 9.3)],
      ['Arbeitslosenversicherung', of(PAY, 1.3)],
      ['Private Krankenversicherung', 48_210],
    ],
  },
  'care insurance in Saxony, without children': germanSlip({ care: 2.9 }),
  'care insurance with three children': germanSlip({ care: 1.3 }),
  'pay above the ceiling of care insurance': germanSlip({ payments: [['Gehalt', 702_513]], cared: 551_250 }),
  'pay above both ceilings': germanSlip({ payments: [['Gehalt', 912_513]], insured: 805_000, cared: 551_250 }),
  'pay above the ceiling for half a month': germanSlip({
    payments: [['Gehalt', 712_513]],
    insured: 402_500,
    cared: 275_625,
  }),
  'tax-free payments beside the salary': germanSlip({
    payments: [
      ['Gehalt', PAY],
      ['Nachtzuschlag steuerfrei', 41_077],
    ],
    insured: PAY,
  }),
  'a payment of which a part is tax-free': germanSlip({
    payments: [
      ['Gehalt', PAY],
      ['Sonntagszuschlag', 61_077],
    ],
    insured: PAY + 20_500,
  }),
  'contributions that are half of rounded ones, and hours taken back': {
    month: 'April 2025',
    payments: [
      ['Gehalt', 312_000],
      ['Korrektur Überstunden', -14_480],
      ['Nachtzuschlag steuerfrei', 8_200],
    ],
    words: WORDS.germany,
    deductions: [
      ['Krankenversicherung', 26_328],
      ['Rentenversicherung', 27_670],
      ['Arbeitslosenversicherung', 3_868],
      ['Pflegeversicherung', 7_141],
    ],
  },
  'pay converted into a pension': germanSlip({ insured: PAY - 30_200, more: [['Direktversicherung', 30_200]] }),
  'an earlier month paid with this one': germanSlip({
    insured: 231_007,
    notes: ['Nachzahlung April, pauschal versteuert'],
  }),
  'an apprentice': germanSlip({ insured: 120_000, notes: ['Auszubildende im 2. Jahr'] }),
  'two employers that share a ceiling': germanSlip({
    insured: 231_007,
    cared: 158_200,
    notes: ['Mehrfachbeschäftigung'],
  }),
  'two employers that share a ceiling, without a note': germanSlip({ insured: 231_007, cared: 158_200 }),
  'two employers, Spain': spanishSlip(PAY, 191_020, ['Pluriempleo']),
  'pay above the ceiling, Spain': spanishSlip(592_013, 490_950),
  'extra pay in the basis, Spain': spanishSlip(PAY, PAY + 47_902),
  'sick leave, Spain': spanishSlip(PAY, 191_020, ['Situación: IT']),
  'a month that the table lacks, Germany': germanSlip({ month: 'Mai 2021', insured: 231_007 }),
  'a month that the table lacks, Spain': spanishSlip(PAY, 191_020, [], 'Mayo 2019'),
  'no month': germanSlip({ month: '', insured: 231_007 }),
  'pay above the ceiling, France': frenchSlip(512_013, 512_013),
  'an apprentice, France': frenchSlip(PAY, 191_020, ['Contrat d’apprentissage, apprenti']),
  'a contribution that the State pays in part, Italy': italianSlip(PAY, 191_000, ['Esonero IVS art. 1']),
  'a category without contributions, Britain': britishSlip(PAY, 191_020, 'NI Category: C'),
  'a married woman’s rate, Britain': britishSlip(PAY, PAY, 'NI Category: B', 1.85),
  'a deferred contribution, Britain': britishSlip(PAY, PAY, 'NI Category: J', 2),
  'no category, Britain': britishSlip(PAY, 191_020, 'Tax code 1257L'),
  'a director, Britain': { ...britishSlip(PAY, 191_020), notes: ['NI Category: A', 'Director'] },
  'pay above the limit, Britain': {
    ...britishSlip(PAY, PAY),
    payments: [['Basic Salary', 602_013]],
    deductions: [
      ['PAYE Tax', 131_215],
      ['National Insurance', of(418_900 - 104_800, 8) + of(602_013 - 418_900, 2)],
    ],
  },
};

const RAISED: Record<string, Slip> = {
  Germany: germanSlip({ insured: 231_007 }),
  'Germany in 2024': germanSlip({ month: 'Mai 2024', insured: 231_007, care: 2.3 }),
  'Germany, in Saxony with two children': germanSlip({ insured: 231_007, care: 2.05 }),
  'Germany, above the ceiling of care insurance': germanSlip({
    payments: [['Gehalt', 752_513]],
    insured: 631_007,
    cared: 551_250,
  }),
  Spain: spanishSlip(PAY, 231_007),
  'Spain in 2024': {
    ...spanishSlip(PAY, 231_007, [], 'Mayo 2024'),
    deductions: [
      ['Contingencias comunes', of(231_007, 4.7)],
      ['MEI', of(231_007, 0.12)],
      ['Desempleo', of(231_007, 1.6)],
      ['IRPF', 40_007],
    ],
  },
  France: frenchSlip(PAY, 231_007),
  Italy: italianSlip(PAY, 231_000),
  Britain: britishSlip(PAY, 231_007),
};

describe('contributions whose rate law fixes', () => {
  for (const [name, slip] of Object.entries(LAWFUL))
    it(`accuse no one of ${name}`, async () => {
      expect(await findingsOn(slip)).to.deep.equal([]);
    });

  for (const [name, slip] of Object.entries(RAISED))
    it(`name the pay that was raised without them: ${name}`, async () => {
      const [finding, ...others] = await findingsOn(slip);
      expect(others).to.deep.equal([]);
      const [pay] = finding?.evidence ?? [];
      const cents = (text = '') => Number(text.replace(/\D/g, ''));
      expect(cents(pay?.after)).to.equal(sum(slip.payments.map(([, amount]) => amount)));
      // A contribution is rounded to a cent, so the pay is known to some cents.
      const insured = name.includes('above') ? 631_007 : name === 'Italy' ? 231_000 : 231_007;
      expect(Math.abs(cents(pay?.before) - insured)).to.be.below(30);
    });

  it('judge a row alone, whose basis was raised and whose amount was not', async () => {
    for (const [name, percent, slip] of [
      ['Contributo IVS', '9,19', italianSlip(PAY, PAY)],
      ['Sécurité sociale déplafonnée', '0,40', frenchSlip(PAY, PAY)],
    ] as const) {
      const amount = of(231_007, Number(percent.replace(',', '.')));
      const raised = {
        ...slip,
        deductions: [[name, amount, german(PAY), percent] as const, ['Diverse', 1_215] as const],
      };
      const [finding, ...others] = await findingsOn(raised);
      expect(others).to.deep.equal([]);
      const right = german(of(PAY, Number(percent.replace(',', '.'))));
      expect(finding?.evidence[0]).to.include({ before: right, after: german(amount) });
      expect(finding?.message).to.contain('2025-05');
    }
  });

  it('judge no row with a rate that the table lacks', async () => {
    const other = [['Contributo IVS', of(231_007, 9.49), german(PAY), '9,49'] as const, ['IRPEF', 31_215] as const];
    expect(await findingsOn({ ...italianSlip(PAY, PAY), deductions: other })).to.deep.equal([]);
  });
});
