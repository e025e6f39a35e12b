import type { Random } from '../random.ts';
import { type Contribution, type MixedTerms, mixedTerms } from './mixed-terms.ts';
import { bold, type Form, type LegalPayslip, left, money, type Row, right, share, sum } from './page.ts';

/**
 * Payslips whose labels and layouts are drawn by chance, so that no rule can be adjusted to one of them: after the legal forms of five countries,
 * with totals below, beside and above their lists, two lists side by side, columns of the month and the year, negative totals, and rows
 * with and without a basis.
 */

type Entry = readonly [name: string, cents: number];

/** With the basis and the rate, if the row may print them. */
interface Taken {
  name: string;
  cents: number;
  basis?: number;
  percent?: number;
}

interface Pay {
  terms: MixedTerms;
  random: Random;
  write: (cents: number) => string;
  payments: readonly Entry[];
  deductions: readonly Taken[];
  /** Outside the lists. */
  refunds: readonly Entry[];
  taken: readonly Entry[];
  gross: number;
  taxed: number;
  total: number;
  /** The total of the deductions as printed: some programs print it negative. */
  written: string;
  labels: { gross: string; deductions: string; net: string };
  net: string;
}

function contributionOf(
  { name, percent, ceiling = Number.POSITIVE_INFINITY, share: part = 100, threshold = 0 }: Contribution,
  gross: number,
): Taken {
  const basis = Math.max(0, share(Math.min(gross, ceiling), part) - threshold);
  return { name, cents: share(basis, percent), ...(threshold > 0 ? {} : { basis, percent }) };
}

function payOf(terms: MixedTerms, random: Random): Pay & { netCents: number } {
  const write = money(terms.thousands, terms.decimal);
  const [first, ...others] = terms.earnings;
  const earnings: Entry[] = [
    [first, random.integer(165_000, 480_000)],
    ...random.several(others, random.integer(0, 3)).map((name): Entry => [name, random.integer(2_311, 45_017)]),
  ];
  const gross = sum(earnings.map(([, cents]) => cents));
  const insurance = terms.insurance.map((one) => contributionOf(one, gross));
  const tax = random.several(terms.tax, random.integer(1, terms.tax.length)).map(
    (name, index): Taken => ({
      name,
      cents: Math.round(gross * (index > 0 ? 0.004 : 0.05 + 0.15 * random.number())),
    }),
  );
  const refunds: Entry[] = random.chance(0.25) ? [[random.pick(terms.refunds), random.integer(1_500, 21_077)]] : [];
  const taken: Entry[] = random.chance(0.2) ? [[random.pick(terms.taken), random.integer(2_000, 30_011)]] : [];
  const isInLists = random.chance(0.5);
  const payments = isInLists ? [...earnings, ...refunds] : earnings;
  const deductions = [...insurance, ...tax, ...(isInLists ? taken.map(([name, cents]) => ({ name, cents })) : [])];
  const all = (entries: readonly Entry[]) => sum(entries.map(([, cents]) => cents));
  const allTaken = (entries: readonly Taken[]) => sum(entries.map(({ cents }) => cents));
  const netCents = gross - allTaken(insurance) - allTaken(tax) + all(refunds) - all(taken);
  const total = allTaken(deductions);
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
    total,
    written: random.pick([write(total), write(total), write(-total), `${write(total)}-`]),
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
  const { terms, random, write, payments, deductions, labels, gross, written, net } = pay;
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
    ...deductions.map(({ name: label, cents, basis, percent }, index) => [
      left(40, String(60 + index)),
      left(80, label),
      ...(percent !== undefined && basis !== undefined && hasRates
        ? [right(300, write(basis)), right(370, percent.toFixed(2).replace('.', terms.decimal))]
        : []),
      right(550, write(cents)),
    ]),
    8,
    ...(random.chance(0.5)
      ? [
          [left(80, labels.gross), right(460, write(gross))],
          [left(80, labels.deductions), right(550, written)],
        ]
      : [
          [left(300, labels.gross), left(440, labels.deductions)],
          [right(390, write(gross)), right(550, written)],
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
  const { terms, write, payments, deductions, labels, gross, written, net } = pay;
  const [, , , , amount, paid, taken] = terms.headings;
  return [
    [left(40, paid), right(280, amount), left(310, taken), right(550, amount)],
    ...Array.from({ length: Math.max(payments.length, deductions.length) }, (_, index) => {
      const [one, other] = [payments[index], deductions[index]];
      return [
        ...(one ? [left(40, one[0]), right(280, write(one[1]))] : []),
        ...(other ? [left(310, other.name), right(550, write(other.cents))] : []),
      ];
    }),
    6,
    [left(40, labels.gross), right(280, write(gross)), left(310, labels.deductions), right(550, written)],
    ...extrasOf(pay),
    6,
    [bold(left(310, labels.net)), bold(right(550, net))],
  ];
};

function boxes({ random, labels, write, gross, written, net, terms, taxed }: Pay): Row[] {
  return random.chance(0.5)
    ? [
        [left(50, labels.gross), left(190, terms.taxable[0]), left(300, labels.deductions), left(460, labels.net)],
        [left(50, write(gross)), left(190, write(Math.round(taxed * 0.9))), left(300, written), bold(left(460, net))],
      ]
    : [
        [right(150, labels.gross), right(330, labels.deductions), right(540, labels.net)],
        [right(150, write(gross)), right(330, written), bold(right(540, net))],
      ];
}

function list({ terms, payments, deductions, write }: Pay): Row[] {
  const [, name, number, , , paid, taken] = terms.headings;
  return [
    [left(40, name), right(330, number), right(430, paid), right(550, taken)],
    ...payments.map(([label, cents]) => [left(40, label), right(430, write(cents))]),
    ...deductions.map(({ name: label, cents }) => [left(40, label), right(550, write(cents))]),
  ];
}

const foot: Layout = (pay) => [...list(pay), 20, ...extrasOf(pay), 8, ...boxes(pay)];

const head: Layout = (pay) => [...boxes(pay), 20, ...list(pay), ...extrasOf(pay)];

/** One column from gross pay to net pay. */
const flow: Layout = (pay) => {
  const { terms, random, write, payments, deductions, labels, gross, total, net } = pay;
  const sign = random.pick([(text: string) => text, (text: string) => `-${text}`, (text: string) => `${text}-`]);
  return [
    [left(60, terms.headings[1]), right(540, terms.headings[4])],
    ...payments.map(([name, cents]) => [left(60, name), right(540, write(cents))]),
    [bold(left(60, labels.gross)), bold(right(540, write(gross)))],
    ...deductions.map(({ name, cents, basis, percent }) => [
      left(60, name),
      ...(percent === undefined || basis === undefined
        ? []
        : [right(300, write(basis)), right(380, percent.toFixed(2).replace('.', terms.decimal))]),
      right(540, sign(write(cents))),
    ]),
    [left(60, labels.deductions), right(540, sign(write(total)))],
    ...pay.refunds.map(([name, cents]) => [left(60, name), right(540, write(cents))]),
    ...pay.taken.map(([name, cents]) => [left(60, name), right(540, sign(write(cents)))]),
    6,
    [bold(left(60, labels.net)), bold(right(540, net))],
  ];
};

/** The month beside the year, with the same labels; deductions may be negative. */
const monthAndYear: Layout = (pay) => {
  const { terms, random, write, payments, deductions, labels, gross, total, net } = pay;
  const months = random.integer(2, 12);
  const sign = random.pick([1, 1, -1]);
  const both = (name: string, cents: number): Row => [
    left(60, name),
    right(420, write(cents)),
    right(540, write(cents * months)),
  ];
  return [
    [left(60, terms.headings[1]), right(420, terms.columns[0]), right(540, terms.columns[1])],
    ...payments.map(([name, cents]) => both(name, cents)),
    both(labels.gross, gross).map(bold),
    ...deductions.map(({ name, cents }) => both(name, sign * cents)),
    both(labels.deductions, sign * total),
    ...pay.refunds.map(([name, cents]) => both(name, cents)),
    ...pay.taken.map(([name, cents]) => both(name, sign * cents)),
    6,
    [bold(left(60, labels.net)), bold(right(420, net))],
  ];
};

/** Totals above each list, net pay at the foot. */
const above: Layout = (pay) => {
  const { write, payments, deductions, labels, gross, written, net } = pay;
  return [
    [bold(left(60, labels.gross)), bold(right(540, write(gross)))],
    ...payments.map(([name, cents]) => [left(80, name), right(460, write(cents))]),
    6,
    [bold(left(60, labels.deductions)), bold(right(540, written))],
    ...deductions.map(({ name, cents }) => [left(80, name), right(460, write(cents))]),
    6,
    ...extrasOf(pay),
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
  const body = random.pick([table, sideBySide, foot, head, flow, monthAndYear, above])(pay);
  return {
    net: pay.net,
    pay: { salary: pay.payments[0]?.[1] ?? 0, gross, net: netCents, write },
    form: [
      [bold(left(40, random.pick(terms.title))), left(400, '03/2025')],
      [left(40, 'Holm & Vidal'), left(400, 'Anna Lang')],
      [left(40, terms.notes[0]), left(400, terms.notes[1])],
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
