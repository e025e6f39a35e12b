import { expect } from 'chai';
import { cpuSeconds } from '../cpu-time.ts';
import type { Page } from '../model.ts';
import type { Finding } from '../rule.ts';
import { payslipArithmetic } from '../rules/content/payslip-arithmetic.ts';
import { documentOf, type Written, writtenPages, writtenText } from './fixtures/written-pages.ts';
import { german, plain } from './fixtures/written-statements.ts';

const run = (pages: Page[]) => payslipArithmetic.run(documentOf(pages));

async function findingsOf(...rows: Written[][]): Promise<Finding[]> {
  const verdict = await run(writtenPages(...rows));
  return verdict.status === 'finding' ? verdict.findings : [];
}

async function statusOf(...rows: Written[][]): Promise<string> {
  return (await run(writtenPages(...rows))).status;
}

interface Pay {
  earnings: number[];
  gross: number;
  deductions: number[];
  taken: number;
  net: number;
}

const honest: Pay = {
  earnings: [325_000, 12_000, 4_350],
  gross: 341_350,
  deductions: [41_216, 26_650, 30_225],
  taken: 98_091,
  net: 243_259,
};

type Words = readonly [heading: string, gross: string, deductions: string, net: string];

const german4: Words = ['Bezeichnung', 'Gesamtbrutto', 'Summe Abzüge', 'Auszahlungsbetrag'];
const languages: readonly Words[] = [
  german4,
  ['Description', 'Gross pay', 'Total deductions', 'Net pay'],
  ['Libellé', 'Salaire brut', 'Total des retenues', 'Net à payer'],
  ['Concepto', 'Total devengado', 'Total a deducir', 'Líquido total a percibir'],
  ['Descrizione', 'Totale competenze', 'Totale trattenute', 'Netto in busta'],
  ['Descrição', 'Total ilíquido', 'Total de descontos', 'Líquido a receber'],
  ['Omschrijving', 'Brutoloon', 'Totaal inhoudingen', 'Nettoloon'],
];

/** One list below the other, each with its total. */
function payslip(pay: Partial<Pay> = {}, [heading, gross, taken, net]: Words = german4, write = german): Written[] {
  const all = { ...honest, ...pay };
  const row = (text: string, cents: number): Written => [
    { text, left: 40 },
    { text: write(cents), right: 500 },
  ];
  return [
    [{ text: heading, left: 40 }],
    ...all.earnings.map((cents, index) => row(`Posten ${index}`, cents)),
    row(gross, all.gross),
    ...all.deductions.map((cents, index) => row(`Abgabe ${index}`, cents)),
    row(taken, all.taken),
    row(net, all.net),
  ];
}

const first = ([finding]: Finding[]) => finding?.evidence[0];

describe('the sums of a payslip', () => {
  it('pass where figures are so dense that the columns seem aligned by their left edges', async () => {
    const { earnings, gross, deductions, taken, net } = {
      ...honest,
      earnings: [325_000, 16_350],
      deductions: [47_717, 28_156, 9_484, 3_853, 4_074],
      taken: 93_284,
    };
    const crowded = (text: string, rate: number, cents: number): Written[] => [
      [
        { text, left: 40 },
        { text: german(gross), right: 340 },
        { text: german(rate), right: 340 },
        { text: german(cents), right: 420 },
      ],
    ];
    const row = (text: string, cents: number): Written[] => [
      [
        { text, left: 40 },
        { text: german(cents), right: 420 },
      ],
    ];
    const rows = [
      ...earnings.flatMap((cents, index) => row(`Posten ${index}`, cents)),
      ...row('Gesamtbrutto', gross),
      ...deductions.flatMap((cents, index) => crowded(`Abgabe ${index}`, index === 0 ? 1_610 : 950, cents)),
      ...row('Summe Abzüge', taken),
      ...row('Auszahlungsbetrag', net + honest.taken - taken),
    ];
    expect(await statusOf(rows)).to.equal('passed');
  });

  it('pass when they are correct, in every supported language', async () => {
    for (const words of languages) expect(await statusOf(payslip({}, words)), words[1]).to.equal('passed');
    expect(await statusOf(payslip({}, german4, plain))).to.equal('passed');
  });

  it('report the net pay, strongly, when gross pay and deductions are confirmed by their lines', async () => {
    for (const words of languages) {
      const found = await findingsOf(payslip({ net: 343_259 }, words));
      expect(
        found.map(({ strength }) => strength),
        words[3],
      ).to.deep.equal(['strong']);
      expect(first(found)).to.include({ page: 1, before: '2.432,59', after: '3.432,59' });
    }
  });

  it('report the gross pay when its lines and the net pay agree on another', async () => {
    const found = await findingsOf(payslip({ gross: 441_350 }));
    expect(found[0]?.strength).to.equal('strong');
    expect(first(found)).to.include({ before: '3.413,50', after: '4.413,50' });
  });

  it('report the deductions when their lines and the net pay agree on others', async () => {
    const found = await findingsOf(payslip({ taken: 38_091 }));
    expect(found[0]?.strength).to.equal('strong');
    expect(first(found)).to.include({ before: '980,91', after: '380,91' });
  });

  it('report a line that exceeds what the total allows', async () => {
    const found = await findingsOf(payslip({ earnings: [425_000, 12_000, 4_350] }));
    expect(found[0]?.strength).to.equal('strong');
    expect(first(found)).to.include({ before: '3.250,00', after: '4.250,00' });
  });

  it('are medium when only one of them fails and no other is correct', async () => {
    const bare = payslip({ net: 343_259 }).filter(([cell]) => !/Posten|Abgabe/.test(cell?.text ?? ''));
    const found = await findingsOf(bare);
    expect(found.map(({ strength }) => strength)).to.deep.equal(['medium']);
  });

  it('are checked on each page of several payslips', async () => {
    expect(await statusOf(payslip(), payslip())).to.equal('passed');
    const found = await findingsOf(payslip(), payslip({ net: 343_259 }));
    expect(first(found)).to.include({ page: 2, after: '3.432,59' });
  });

  it('are found with earnings and deductions side by side', async () => {
    const side = (net: number): Written[] => [
      [
        { text: 'Devengos', left: 40 },
        { text: 'Deducciones', left: 320 },
      ],
      ...honest.earnings.map((cents, index) => [
        { text: 'Salario', left: 40 },
        { text: german(cents), right: 280 },
        { text: 'Cuota', left: 320 },
        { text: german(honest.deductions[index] ?? 0), right: 540 },
      ]),
      [
        { text: 'Total devengado', left: 40 },
        { text: german(honest.gross), right: 280 },
        { text: 'Total a deducir', left: 320 },
        { text: german(honest.taken), right: 540 },
      ],
      [
        { text: 'Líquido total a percibir', left: 40 },
        { text: german(net), right: 540 },
      ],
    ];
    expect(await statusOf(side(honest.net))).to.equal('passed');
    expect(first(await findingsOf(side(343_259)))).to.include({ before: '2.432,59', after: '3.432,59' });
  });
});

describe('a difference on a payslip', () => {
  const extra = (text: string, cents: number): Written => [
    { text, left: 40 },
    { text: german(cents), right: 300 },
  ];

  it('is not checked when an amount on the payslip explains it', async () => {
    expect(await statusOf([...payslip({ net: honest.net + 7_550 }), extra('Fahrtkosten', 7_550)])).to.equal(
      'not_applicable',
    );
  });

  it('is not checked when two amounts on the payslip explain it', async () => {
    const refunds = [extra('Fahrtkosten', 7_550), extra('Verpflegung', 2_811)];
    expect(await statusOf([...payslip({ net: honest.net + 10_361 }), ...refunds])).to.equal('not_applicable');
  });

  it('is not checked when net pay is less by lines of gross pay, which may not be paid in money', async () => {
    for (const less of [12_000, 4_350, 12_000 + 4_350]) {
      expect(await statusOf(payslip({ net: honest.net - less }))).to.equal('not_applicable');
      const refunded = [...payslip({ net: honest.net - less + 7_550 }), extra('Fahrtkosten', 7_550)];
      expect(await statusOf(refunded)).to.equal('not_applicable');
      expect(await findingsOf([...payslip(), extra('Überweisung', honest.net - less)])).to.deep.equal([]);
    }
  });

  it('is reported when net pay is more by a line of gross pay, or less by another amount', async () => {
    for (const net of [honest.net + 12_000, honest.net + 12_000 + 4_350, honest.net - 31_111]) {
      const [finding] = await findingsOf(payslip({ net }));
      expect(finding?.strength).to.equal('strong');
      expect(finding?.evidence[0]).to.include({ before: german(honest.net), after: german(net) });
    }
    const paid = honest.net + 12_000;
    expect(first(await findingsOf([...payslip(), extra('Überweisung', paid)]))).to.include({ after: german(paid) });
  });

  it('below one unit is rounding', async () => {
    expect(await statusOf(payslip({ net: honest.net + 59 }))).to.equal('passed');
  });

  it('is ignored when a label has several figures and none of them matches', async () => {
    const two = [...payslip({ net: 343_259 }), extra('Nettoverdienst', 301_111)];
    expect(await statusOf(two)).to.equal('not_applicable');
  });

  it('is reported although the honest value occurs elsewhere on the page', async () => {
    const found = await findingsOf([...payslip({ net: 343_259 }), extra('Überweisung', honest.net)]);
    expect(first(found)).to.include({ before: '2.432,59', after: '3.432,59' });
  });
});

describe('an honest reading of a payslip', () => {
  const row = (text: string, cents: number): Written => [
    { text, left: 40 },
    { text: german(cents), right: 500 },
  ];
  const texts = (left: string, right: string): Written => [
    { text: left, left: 40 },
    { text: right, right: 500 },
  ];

  it('is found where net pay of the year has a known label, and that of the month an unknown one', async () => {
    const labels: readonly (readonly [unknown: string, year: string, net: string])[] = [
      ['Your pay this month', 'Year to date', 'Net pay'],
      ['A ingresar', 'Acumulado', 'Líquido a percibir'],
      ['Versement du mois', 'Cumuls', 'Net à payer'],
      ['Da accreditare', 'Progressivi', 'Netto in busta'],
      ['Wir zahlen', 'Jahreswerte', 'Nettoverdienst'],
    ];
    for (const [unknown, year, net] of labels)
      for (const months of [1.8, 5, 11]) {
        const rows = payslip().slice(0, -1);
        const table = [texts(year, net), texts('2026', german(Math.round(honest.net * months)))];
        const beside = [row(`${net} ${year}`, Math.round(honest.net * months))];
        for (const toDate of [table, beside])
          expect(await findingsOf([...rows, row(unknown, honest.net), ...toDate]), unknown).to.deep.equal([]);
      }
  });

  it('is found where a refund is larger than the other deductions, so that their total is negative', async () => {
    for (const words of languages) {
      const deductions = [-143_20, 68_16];
      const pay = { deductions, taken: -75_04, net: honest.gross + 75_04 };
      expect(await statusOf(payslip(pay, words)), words[2]).to.equal('passed');
    }
  });

  it('is found where the total of such deductions is printed without its sign', async () => {
    const pay = { deductions: [-143_20, 68_16], taken: 75_04, net: honest.gross + 75_04 };
    expect(await findingsOf(payslip(pay))).to.deep.equal([]);
  });

  it('is found where all deductions are negative', async () => {
    const pay = { deductions: honest.deductions.map((cents) => -cents), taken: -honest.taken };
    expect(await statusOf(payslip(pay))).to.equal('passed');
    expect(first(await findingsOf(payslip({ ...pay, net: 343_259 })))).to.include({ after: '3.432,59' });
  });
});

describe('the arithmetic of payslips', () => {
  it('is not applicable to other text', async () => {
    const verdict = await run(writtenText('Mietvertrag', 'Die Miete beträgt 850,00 EUR.'));
    expect(verdict.status).to.equal('not_applicable');
  });

  it('is bounded for any number of totals', async () => {
    const many = Array.from({ length: 600 }, (_, index) => [
      { text: ['Gross pay', 'Total deductions', 'Net pay'][index % 3] ?? '', left: 40 },
      { text: german(index * 7_919 + 1), right: 500 },
    ]);
    const begin = cpuSeconds();
    await run(writtenPages(many));
    expect(cpuSeconds() - begin).to.be.below(2);
  });
});
