import type { Random } from '../random.ts';
import { bold, type LegalPayslip, left, money, right, share, sum } from './page.ts';

/** The United Kingdom: section 8 of the Employment Rights Act 1996 wants gross, each deduction and net pay; payroll programs add the year. */

type Item = [name: string, cents: number];

interface Pay {
  payments: Item[];
  gross: number;
  deductions: Item[];
  taken: number;
  net: number;
  months: number;
  taxable: number;
}

export function payOf(random: Random): Pay {
  const basic = random.integer(165_000, 520_000);
  const payments: Item[] = [
    [random.pick(['Basic Pay', 'Salary', 'Monthly Salary', 'Basic']), basic],
    ...random
      .several(['Overtime', 'Bonus', 'Holiday Pay', 'Commission', 'Car Allowance'], random.integer(0, 2))
      .map((name): Item => [name, random.integer(3_000, 60_000)]),
  ];
  if (random.chance(0.2)) payments.push(['Salary Sacrifice Pension', -share(basic, 4)]);
  const gross = sum(payments.map(([, cents]) => cents));
  const pension = share(gross, random.pick([3, 5, 6.3]));
  const taxable = gross - pension;
  const tax = random.chance(0.12) ? -random.integer(30_000, 90_000) : share(Math.max(taxable - 104_750, 0), 20);
  const insurance = share(Math.max(gross - 104_800, 0), 8);
  const deductions: Item[] = [
    [random.pick(['PAYE Tax', 'Income Tax', 'Tax']), tax],
    [random.pick(['National Insurance', 'NI', "Employee's NI", 'NIC']), insurance],
    [random.pick(['Pension', 'NEST Pension', "Employee's Pension", 'Pension (EE)']), pension],
    ...(random.chance(0.3)
      ? [['Student Loan', Math.floor(share(Math.max(gross - 216_000, 0), 9) / 100) * 100] as Item]
      : []),
    ...(random.chance(0.2) ? [['Cycle to Work', random.integer(2_000, 9_000)] as Item] : []),
  ].filter(([, cents]) => cents !== 0) as Item[];
  const taken = sum(deductions.map(([, cents]) => cents));
  return { payments, gross, deductions, taken, net: gross - taken, months: random.integer(2, 12), taxable };
}

/** Since April, with earlier months that differed. */
const sinceApril = (cents: number, { months }: Pay, random: Random) => cents * months - random.integer(0, 9_000);

const pound = money(',', '.');
const withSign = (cents: number) => (cents < 0 ? `-£${pound(-cents)}` : `£${pound(cents)}`);

function sideBySide(random: Random): LegalPayslip {
  const pay = payOf(random);
  const year: Item[] = [
    ['Total Gross Pay TD', sinceApril(pay.gross, pay, random)],
    ['Gross for Tax TD', sinceApril(pay.taxable, pay, random)],
    ['Tax paid TD', sinceApril(pay.deductions[0]?.[1] ?? 0, pay, random)],
    ['Earnings for NI TD', sinceApril(pay.gross, pay, random)],
    ['National Insurance TD', sinceApril(pay.deductions[1]?.[1] ?? 0, pay, random)],
    ['Pension TD', sinceApril(pay.deductions[2]?.[1] ?? 0, pay, random)],
  ];
  const rows = Array.from({ length: Math.max(year.length, pay.deductions.length, pay.payments.length) }, (_, index) => {
    const [one, other, td] = [pay.payments[index], pay.deductions[index], year[index]];
    return [
      ...(one ? [left(40, one[0]), right(120, '1.00'), right(165, pound(one[1])), right(220, pound(one[1]))] : []),
      ...(other ? [left(235, other[0]), right(385, pound(other[1]))] : []),
      ...(td ? [left(400, td[0]), right(550, pound(td[1]))] : []),
    ];
  });
  const net = pound(pay.net);
  const isTotalled = random.chance(0.6);
  return {
    net,
    form: [
      [
        left(40, 'Employee No. 17'),
        left(200, 'Employee Name  Mr Owen Pritchard'),
        left(400, 'Process Date 28/03/2025'),
        left(500, 'NI Number QQ123456C'),
      ],
      6,
      [
        bold(left(40, 'Payments')),
        right(120, 'Units'),
        right(165, 'Rate'),
        right(220, 'Amount'),
        bold(left(235, 'Deductions')),
        right(385, 'Amount'),
        bold(left(400, 'Year to Date')),
      ],
      ...rows,
      random.integer(10, 60),
      ...(isTotalled
        ? [
            [
              left(40, random.pick(['Total Payments', 'Total Gross Pay', 'Total Pay'])),
              right(220, pound(pay.gross)),
              left(235, 'Total Deductions'),
              right(385, pound(pay.taken)),
            ],
          ]
        : [
            [left(400, 'Total Gross Pay'), right(550, pound(pay.gross))],
            [left(400, 'Total Deductions'), right(550, pound(pay.taken))],
          ]),
      [left(40, 'Brecon Joinery Ltd'), left(235, `Tax Code: 1257L`), left(400, 'Payment Period: Monthly')],
      [
        left(40, 'Tax Period: 12'),
        bold(left(400, random.pick(['Net Pay', 'NET PAY', 'Nett Pay']))),
        bold(right(550, net)),
      ],
    ],
  };
}

function twoColumns(random: Random): LegalPayslip {
  const pay = payOf(random);
  const write = random.pick([pound, withSign]);
  const row = (name: string, cents: number) => [
    left(50, name),
    right(380, write(cents)),
    right(520, write(sinceApril(cents, pay, random))),
  ];
  const net = write(pay.net);
  const isAbove = random.chance(0.3);
  const netRow = [
    bold(left(50, random.pick(['Net pay', 'Take home pay', 'Net Payment', 'Total net pay']))),
    bold(right(380, net)),
    bold(right(520, write(sinceApril(pay.net, pay, random)))),
  ];
  return {
    net,
    form: [
      [bold(left(50, 'Payslip'))],
      [left(50, 'Brecon Joinery Ltd'), left(350, 'Pay date 28 March 2025')],
      [left(50, 'Owen Pritchard'), left(350, 'Tax code 1257L  NI QQ123456C')],
      8,
      [
        right(380, random.pick(['This period', 'This pay', 'Amount', 'Current'])),
        right(520, random.pick(['Year to date', 'YTD', 'This year'])),
      ],
      ...(isAbove ? [netRow, 8] : []),
      [bold(left(50, 'Earnings'))],
      ...pay.payments.map(([name, cents]) => row(name, cents)),
      [bold(left(50, random.pick(['Total earnings', 'Gross pay', 'Gross Salary']))), ...row('', pay.gross).slice(1)],
      6,
      [bold(left(50, 'Deductions'))],
      ...pay.deductions.map(([name, cents]) => row(name, cents)),
      [bold(left(50, 'Total deductions')), ...row('', pay.taken).slice(1)],
      6,
      ...(isAbove ? [] : [netRow]),
      10,
      [left(50, "Employer's NI"), right(380, write(share(pay.gross, 13.8)))],
      [left(50, 'Employer pension'), right(380, write(share(pay.gross, 3)))],
    ],
  };
}

function headed(random: Random): LegalPayslip {
  const pay = payOf(random);
  const net = pound(pay.net);
  const rows = Array.from({ length: Math.max(pay.payments.length, pay.deductions.length) }, (_, index) => {
    const [one, other] = [pay.payments[index], pay.deductions[index]];
    return [
      ...(one ? [left(40, one[0]), right(270, pound(one[1]))] : []),
      ...(other ? [left(300, other[0]), right(540, pound(other[1]))] : []),
    ];
  });
  const [first, second, third] = random.pick([
    [150, 300, 480],
    [200, 360, 540],
  ] as const);
  return {
    net,
    form: [
      [left(40, 'UNIVERSITY OF POWYS'), left(300, 'Pay Ref 00112'), left(430, 'Owen Pritchard')],
      [left(40, 'Payment Date 28/03/2025'), left(300, 'Tax Code S1257L'), left(430, 'NI Code A')],
      6,
      [left(40, 'Pay and Allowances'), right(270, 'Amount'), left(300, 'Deductions'), right(540, 'Amount')],
      ...rows,
      random.integer(10, 90),
      [right(first, 'Total Pay'), right(second, 'Total Deductions'), right(third, 'Net Pay')],
      [right(first, pound(pay.gross)), right(second, pound(pay.taken)), bold(right(third, net))],
      10,
      [left(40, 'Payments YTD'), left(300, 'Deductions YTD')],
      [
        left(40, 'Taxable Pay'),
        right(270, pound(sinceApril(pay.taxable, pay, random))),
        left(300, 'Tax'),
        right(540, pound(sinceApril(pay.deductions[0]?.[1] ?? 0, pay, random))),
      ],
      [
        left(40, 'Gross Pay'),
        right(270, pound(sinceApril(pay.gross, pay, random))),
        left(300, 'NI'),
        right(540, pound(sinceApril(pay.deductions[1]?.[1] ?? 0, pay, random))),
      ],
      10,
      [left(40, 'Pay Method BACS'), left(200, 'Sort Code 20-00-00'), left(330, 'Account ****4321')],
    ],
  };
}

export const britain = { sideBySide, twoColumns, headed };
