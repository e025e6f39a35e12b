import type { Random } from '../random.ts';
import { type MixedTerms, mixedTerms } from './mixed-terms.ts';
import { bold, type Form, type LegalPayslip, left, money, type Row, right, share, sum } from './page.ts';

/** Payslips whose labels and layouts are drawn by chance, so that no rule can be adjusted to one of them. */

type Entry = readonly [name: string, cents: number];

interface Pay {
  terms: MixedTerms;
  random: Random;
  write: (cents: number) => string;
  payments: readonly Entry[];
  deductions: readonly (Entry | readonly [name: string, cents: number, rate: number])[];
  /** Outside the lists. */
  refunds: readonly Entry[];
  taken: readonly Entry[];
  gross: number;
  taxed: number;
  total: number;
  labels: { gross: string; deductions: string; net: string };
  net: string;
}

function payOf(terms: MixedTerms, random: Random): Pay & { netCents: number } {
  const write = money(terms.thousands, terms.decimal);
  const [first, ...others] = terms.earnings;
  const earnings: Entry[] = [
    [first, random.integer(165_000, 480_000)],
    ...random.several(others, random.integer(0, 3)).map((name): Entry => [name, random.integer(2_311, 45_017)]),
  ];
  const gross = sum(earnings.map(([, cents]) => cents));
  const insurance = terms.insurance.map(([name, rate]) => [name, share(gross, rate), rate] as const);
  const tax = random
    .several(terms.tax, random.integer(1, terms.tax.length))
    .map((name, index): Entry => [name, Math.round(gross * (index > 0 ? 0.004 : 0.05 + 0.15 * random.number()))]);
  const refunds: Entry[] = random.chance(0.25) ? [[random.pick(terms.refunds), random.integer(1_500, 21_077)]] : [];
  const taken: Entry[] = random.chance(0.2) ? [[random.pick(terms.taken), random.integer(2_000, 30_011)]] : [];
  const isInLists = random.chance(0.5);
  const payments = isInLists ? [...earnings, ...refunds] : earnings;
  const deductions = [...insurance, ...tax, ...(isInLists ? taken : [])];
  const all = (entries: readonly (readonly [string, number, number?])[]) => sum(entries.map(([, cents]) => cents));
  const netCents = gross - all(insurance) - all(tax) + all(refunds) - all(taken);
  const currency = random.chance(0.3);
  const net = !currency
    ? write(netCents)
    : terms.decimal === '.'
      ? `£${write(netCents)}`
      : `${write(netCents)} ${random.pick(['€', 'EUR'])}`;
  return {
    terms,
    random,
    write,
    payments,
    deductions,
    refunds: isInLists ? [] : refunds,
    taken: isInLists ? [] : taken,
    taxed: gross,
    gross: all(payments),
    total: all(deductions),
    labels: {
      gross: random.pick(terms.gross),
      deductions: random.pick(terms.deductions),
      net: random.pick(terms.net),
    },
    net,
    netCents,
  };
}

type Layout = (pay: Pay) => Form;

const extrasOf = ({ refunds, taken, write }: Pay): Row[] =>
  [...refunds, ...taken].map(([name, cents]) => [left(60, name), right(540, write(cents))]);

/** One table with two columns of amounts. */
const table: Layout = (pay) => {
  const { terms, random, write, payments, deductions, labels, gross, total, net, taxed } = pay;
  const hasRates = random.chance(0.5);
  const [code, name, number, rate, , paid, taken] = terms.headings;
  return [
    [left(40, code), left(80, name), right(300, number), right(370, rate), right(460, paid), right(550, taken)],
    ...payments.map(([label, cents], index) => [
      left(40, String(10 + index)),
      left(80, label),
      ...(index === 0 ? [right(300, `30${terms.decimal}00`)] : []),
      right(460, write(cents)),
    ]),
    ...deductions.map(([label, cents, percent], index) => [
      left(40, String(60 + index)),
      left(80, label),
      ...(percent !== undefined && hasRates
        ? [right(300, write(taxed)), right(370, percent.toFixed(2).replace('.', terms.decimal))]
        : []),
      right(550, write(cents)),
    ]),
    8,
    ...(random.chance(0.5)
      ? [
          [left(80, labels.gross), right(460, write(gross))],
          [left(80, labels.deductions), right(550, write(total))],
        ]
      : [
          [left(300, labels.gross), left(440, labels.deductions)],
          [right(390, write(gross)), right(550, write(total))],
        ]),
    ...extrasOf(pay),
    8,
    ...(random.chance(0.5)
      ? [[bold(left(330, labels.net)), bold(right(550, net))]]
      : [[bold(left(450, labels.net))], [bold(left(450, net))]]),
  ];
};

/** Two lists side by side. */
const sideBySide: Layout = (pay) => {
  const { terms, write, payments, deductions, labels, gross, total, net } = pay;
  const [, , , , amount, paid, taken] = terms.headings;
  return [
    [left(40, paid), right(280, amount), left(310, taken), right(550, amount)],
    ...Array.from({ length: Math.max(payments.length, deductions.length) }, (_, index) => {
      const [one, other] = [payments[index], deductions[index]];
      return [
        ...(one ? [left(40, one[0]), right(280, write(one[1]))] : []),
        ...(other ? [left(310, other[0]), right(550, write(other[1]))] : []),
      ];
    }),
    6,
    [left(40, labels.gross), right(280, write(gross)), left(310, labels.deductions), right(550, write(total))],
    ...extrasOf(pay),
    6,
    [bold(left(310, labels.net)), bold(right(550, net))],
  ];
};

function boxes({ random, labels, write, gross, total, net, terms, taxed }: Pay): Row[] {
  return random.chance(0.5)
    ? [
        [left(50, labels.gross), left(190, terms.taxable[0]), left(300, labels.deductions), left(460, labels.net)],
        [
          left(50, write(gross)),
          left(190, write(Math.round(taxed * 0.9))),
          left(300, write(total)),
          bold(left(460, net)),
        ],
      ]
    : [
        [right(150, labels.gross), right(330, labels.deductions), right(540, labels.net)],
        [right(150, write(gross)), right(330, write(total)), bold(right(540, net))],
      ];
}

function list({ terms, payments, deductions, write }: Pay): Row[] {
  const [, name, number, , , paid, taken] = terms.headings;
  return [
    [left(40, name), right(330, number), right(430, paid), right(550, taken)],
    ...payments.map(([label, cents]) => [left(40, label), right(430, write(cents))]),
    ...deductions.map(([label, cents]) => [left(40, label), right(550, write(cents))]),
  ];
}

const foot: Layout = (pay) => [...list(pay), 20, ...extrasOf(pay), 8, ...boxes(pay)];

const head: Layout = (pay) => [...boxes(pay), 20, ...list(pay), ...extrasOf(pay)];

/** One column from gross pay to net pay. */
const flow: Layout = (pay) => {
  const { terms, random, write, payments, deductions, labels, gross, total, net, taxed } = pay;
  const sign = random.pick([(text: string) => text, (text: string) => `-${text}`, (text: string) => `${text}-`]);
  return [
    [left(60, terms.headings[1]), right(540, terms.headings[4])],
    ...payments.map(([name, cents]) => [left(60, name), right(540, write(cents))]),
    [bold(left(60, labels.gross)), bold(right(540, write(gross)))],
    ...deductions.map(([name, cents, rate]) => [
      left(60, name),
      ...(rate === undefined
        ? []
        : [right(300, write(taxed)), right(380, rate.toFixed(2).replace('.', terms.decimal))]),
      right(540, sign(write(cents))),
    ]),
    [left(60, labels.deductions), right(540, sign(write(total)))],
    ...pay.refunds.map(([name, cents]) => [left(60, name), right(540, write(cents))]),
    ...pay.taken.map(([name, cents]) => [left(60, name), right(540, sign(write(cents)))]),
    6,
    [bold(left(60, labels.net)), bold(right(540, net))],
  ];
};

function writeMixed(terms: MixedTerms, random: Random): LegalPayslip {
  const pay = payOf(terms, random);
  const { write, labels, gross, total, taxed, netCents } = pay;
  const months = random.integer(2, 11);
  const year: Row[] = random.chance(0.5)
    ? [
        [left(60, random.pick(terms.year))],
        [
          left(60, labels.gross),
          right(200, write(gross * months)),
          left(260, labels.deductions),
          right(420, write(total * months)),
          ...(random.chance(0.4) ? [left(440, labels.net), right(560, write(netCents * months))] : []),
        ],
      ]
    : [];
  const paid: Row[] = random.chance(0.3) ? [[left(60, random.pick(terms.paid)), right(540, write(netCents))]] : [];
  const taxable: Row = [left(60, terms.taxable[1]), right(200, write(Math.round(taxed * 0.97)))];
  const body = random.pick([table, sideBySide, foot, head, flow])(pay);
  return {
    net: pay.net,
    form: [
      [bold(left(40, random.pick(terms.title))), left(400, '31.03.2025')],
      [left(40, 'Holm & Vidal'), left(400, 'Anna Lang')],
      10,
      ...body,
      14,
      ...(random.chance(0.5) ? [...paid, taxable, ...year] : [...year, ...paid, taxable]),
    ],
  };
}

export const mixed: Record<string, (random: Random) => LegalPayslip> = Object.fromEntries(
  Object.entries(mixedTerms).map(([country, terms]) => [country, (random: Random) => writeMixed(terms, random)]),
);
