import type { Random } from '../random.ts';
import { bold, type LegalPayslip, left, money, rate, right, share, sum } from './page.ts';

/**
 * Germany: the Entgeltbescheinigungsverordnung (EBV) wants every payment and deduction, Gesamtbruttoentgelt, the statutory deductions one by
 * one, the statutory net and the amount paid; the place of each is the program's.
 */

type Item = [name: string, cents: number];

interface Pay {
  payments: Item[];
  gross: number;
  taxes: Item[];
  taxed: number;
  insurance: { name: string; percent: number; cents: number }[];
  insured: number;
  net: number;
  /** After the statutory net: taken if negative. */
  personal: Item[];
  paid: number;
  months: number;
}

export function payOf(random: Random): Pay {
  const salary = random.integer(210_000, 510_000);
  const payments: Item[] = [
    [random.pick(['Gehalt', 'Grundgehalt', 'Tabellenentgelt', 'Festbezug']), salary],
    ...random
      .several(['VWL AG-Anteil', 'Überstunden', 'Zulage', 'Jobticket', 'Leistungsprämie'], random.integer(0, 2))
      .map((name): Item => [name, random.integer(1_300, 40_000)]),
  ];
  const gross = sum(payments.map(([, cents]) => cents));
  const tax = share(gross, random.integer(600, 2200) / 100);
  const taxes: Item[] = [
    ['Lohnsteuer', tax],
    ...(random.chance(0.4) ? [['Kirchensteuer', share(tax, 9)] as Item] : []),
    ...(random.chance(0.2) ? [['Solidaritätszuschlag', share(tax, 2)] as Item] : []),
  ];
  const insurance = (
    [
      ['Krankenversicherung', 7.3 + random.pick([0.65, 0.85, 1.25])],
      ['Rentenversicherung', 9.3],
      ['Arbeitslosenversicherung', 1.3],
      ['Pflegeversicherung', random.pick([1.8, 2.4])],
    ] as const
  ).map(([name, percent]) => ({ name, percent, cents: share(gross, percent) }));
  const taxed = sum(taxes.map(([, cents]) => cents));
  const insured = sum(insurance.map(({ cents }) => cents));
  const net = gross - taxed - insured;
  const personal: Item[] = [
    ...(random.chance(0.35) ? [['VWL Überweisung', -4_000] as Item] : []),
    ...(random.chance(0.2) ? [['Reisekosten', random.integer(2_000, 20_000)] as Item] : []),
    ...(random.chance(0.2) ? [['Vorschuss', -random.integer(100, 400) * 100] as Item] : []),
  ];
  return {
    payments,
    gross,
    taxes,
    taxed,
    insurance,
    insured,
    net,
    personal,
    paid: net + sum(personal.map(([, cents]) => cents)),
    months: random.integer(1, 12),
  };
}

const euro = money('.', ',');
const trailing = (cents: number) => (cents < 0 ? `${euro(-cents)}-` : euro(cents));

const head = (title: string) => [
  [bold(left(40, title)), left(420, 'März 2025')],
  [left(40, 'Bergmann Metallbau GmbH'), left(420, 'Personal-Nr. 00117')],
  [left(40, 'Herr Jonas Adler'), left(420, 'StKl 1  Kinderfreibetrag 0,0')],
  [left(40, 'Geb.-Datum 04.05.1988'), left(420, 'SV-Nummer liegt vor')],
];

/** Lists, then tax and insurance as headings above a row of figures with the total on the right. */
function blocks(random: Random): LegalPayslip {
  const pay = payOf(random);
  const net = euro(pay.paid);
  const short = ['KV-Beitrag', 'RV-Beitrag', 'AV-Beitrag', 'PV-Beitrag'];
  const at = [210, 280, 350, 420];
  return {
    net,
    form: [
      ...head('Abrechnung der Brutto/Netto-Bezüge'),
      8,
      [left(40, 'Brutto-Bezüge')],
      [
        left(40, 'Lohnart'),
        left(90, 'Bezeichnung'),
        right(330, 'Menge'),
        right(400, 'Faktor'),
        left(425, 'St SV GB'),
        right(550, 'Betrag'),
      ],
      ...pay.payments.map(([name, cents], index) => [
        left(40, String(2000 + index * 10)),
        left(90, name),
        left(425, 'L  L  J'),
        right(550, euro(cents)),
      ]),
      random.integer(10, 100),
      [bold(left(440, 'Gesamt-Brutto'))],
      [right(550, euro(pay.gross))],
      [left(40, 'Steuer/Sozialversicherung')],
      [
        left(40, 'St'),
        left(60, 'Steuer-Brutto'),
        ...pay.taxes.map(([name], index) => right(at[index] ?? 0, name)),
        right(550, 'Steuerrechtliche Abzüge'),
      ],
      [
        left(40, 'L'),
        right(110, euro(pay.gross)),
        ...pay.taxes.map(([, cents], index) => right(at[index] ?? 0, euro(cents))),
        right(550, euro(pay.taxed)),
      ],
      [
        left(40, 'SV'),
        left(60, 'KV/PV-Brutto'),
        ...short.map((name, index) => right(at[index] ?? 0, name)),
        right(550, 'SV-rechtliche Abzüge'),
      ],
      [
        left(40, 'L'),
        right(110, euro(pay.gross)),
        ...pay.insurance.map(({ cents }, index) => right(at[index] ?? 0, euro(cents))),
        right(550, euro(pay.insured)),
      ],
      [bold(right(550, 'Netto-Verdienst'))],
      [right(550, euro(pay.net))],
      [left(40, 'Netto-Bezüge/Netto-Abzüge')],
      ...pay.personal.map(([name, cents], index) => [
        left(40, String(9000 + index)),
        left(90, name),
        right(550, trailing(cents)),
      ]),
      10,
      [left(40, 'Verdienstbescheinigung'), right(550, 'Auszahlungsbetrag')],
      [
        left(40, 'Gesamt-Brutto'),
        right(200, euro(pay.gross * pay.months)),
        left(240, 'IBAN DE02 1203 0000 0000 2020 51'),
        bold(right(550, net)),
      ],
      [left(40, 'Steuer-Brutto'), right(200, euro(pay.gross * pay.months))],
      [left(40, 'Lohnsteuer'), right(200, euro((pay.taxes[0]?.[1] ?? 0) * pay.months))],
      [left(40, 'SV-Brutto'), right(200, euro(pay.gross * pay.months))],
    ],
  };
}

/** The month beside the year, with the same labels. */
function withYear(random: Random): LegalPayslip {
  const pay = payOf(random);
  const net = euro(pay.paid);
  const write = random.pick([euro, trailing]);
  const isSigned = random.chance(0.5);
  const both = (name: string, cents: number) => [
    left(60, name),
    right(400, write(cents)),
    right(540, write(cents * pay.months)),
  ];
  const taken = (cents: number) => (isSigned ? -cents : cents);
  return {
    net,
    form: [
      ...head(random.pick(['Entgeltnachweis', 'Entgeltabrechnung', 'Verdienstnachweis'])),
      8,
      [
        left(60, 'Bezeichnung'),
        right(400, random.pick(['Monat', 'Betrag', 'Lfd. Monat'])),
        right(540, random.pick(['Jahr aufgelaufen', 'Jahreswerte', 'kumuliert'])),
      ],
      ...pay.payments.map(([name, cents]) => both(name, cents)),
      both(random.pick(['Gesamtbruttoentgelt', 'Gesamtbrutto', 'Gesamt-Brutto']), pay.gross).map(bold),
      ...(random.chance(0.5) ? [both('Steuerbrutto', pay.gross), both('SV-Brutto', pay.gross)] : []),
      ...pay.taxes.map(([name, cents]) => both(name, taken(cents))),
      ...pay.insurance.map(({ name, cents }) => both(name, taken(cents))),
      both(
        random.pick(['Summe gesetzliche Abzüge', 'Gesetzliche Abzüge', 'Abzüge gesamt']),
        taken(pay.taxed + pay.insured),
      ),
      both(
        random.pick(['Gesetzliches Netto', 'Gesetzliches Nettoentgelt', 'Nettoentgelt', 'Nettoverdienst']),
        pay.net,
      ).map(bold),
      ...pay.personal.map(([name, cents]) => [left(60, name), right(400, write(cents))]),
      6,
      [
        bold(left(60, random.pick(['Auszahlungsbetrag', 'Überweisung', 'Auszahlung', 'Zahlbetrag']))),
        bold(right(400, net)),
      ],
      [left(60, 'Bank DE02 1203 0000 0000 2020 51')],
    ],
  };
}

/** One list with subtotals of tax and insurance in a column of their own. */
function subtotals(random: Random): LegalPayslip {
  const pay = payOf(random);
  const net = euro(pay.paid);
  const [inner, outer] = [430, 540];
  return {
    net,
    form: [
      ...head('Lohn- und Gehaltsabrechnung'),
      8,
      ...pay.payments.map(([name, cents]) => [left(60, name), right(inner, euro(cents))]),
      [bold(left(60, 'Gesamtbrutto')), bold(right(outer, euro(pay.gross)))],
      5,
      ...pay.taxes.map(([name, cents]) => [left(60, name), right(inner, euro(cents))]),
      [
        left(60, random.pick(['Summe Steuern', 'Steuern gesamt'])),
        right(outer, euro(random.chance(0.5) ? -pay.taxed : pay.taxed)),
      ],
      ...pay.insurance.map(({ name, percent, cents }) => [
        left(60, name),
        right(300, `${rate(percent)} %`),
        right(inner, euro(cents)),
      ]),
      [left(60, random.pick(['Summe Sozialversicherung', 'Summe SV'])), right(outer, euro(pay.insured))],
      [bold(left(60, 'Nettoverdienst')), bold(right(outer, euro(pay.net)))],
      ...pay.personal.map(([name, cents]) => [left(60, name), right(outer, euro(cents))]),
      8,
      [bold(left(60, random.pick(['Auszahlungsbetrag', 'Auszahlung']))), bold(right(outer, net))],
      12,
      [left(60, 'Jahressummen'), right(300, 'Gesamtbrutto'), right(400, 'Lohnsteuer'), right(500, 'Netto')],
      [
        left(60, '2025'),
        right(300, euro(pay.gross * pay.months)),
        right(400, euro((pay.taxes[0]?.[1] ?? 0) * pay.months)),
        right(500, euro(pay.net * pay.months)),
      ],
    ],
  };
}

export const germany = { blocks, withYear, subtotals };
