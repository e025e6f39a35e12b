import type { Random } from '../random.ts';
import { bold, type LegalPayslip, left, money, rate, right, share, sum } from './page.ts';

/** Italy: law 4/1953 and the Libro Unico del Lavoro want each payment and deduction; the boxes with totals and progressive figures are the programs'. */

type Item = [name: string, cents: number];

interface Pay {
  payments: Item[];
  gross: number;
  base: number;
  social: number;
  taxable: number;
  grossTax: number;
  reliefs: number;
  tax: number;
  regional: number;
  municipal: number;
  bonus: number;
  taken: number;
  earned: number;
  /** The roundings of the last and of this month. */
  rounding: [number, number];
  net: number;
  months: number;
}

export function payOf(random: Random): Pay {
  const salary = random.integer(142_000, 380_000);
  const payments: Item[] = [
    [random.pick(['Retribuzione', 'Lavoro ordinario', 'Retribuzione ordinaria', 'PAGA BASE']), salary],
    ...random
      .several(
        ['Straordinario 25%', 'Indennità di funzione', 'Superminimo', 'Premio', 'Festività godute'],
        random.integer(0, 2),
      )
      .map((name): Item => [name, random.integer(2_000, 40_000)]),
  ];
  const gross = sum(payments.map(([, cents]) => cents));
  const base = Math.round(gross / 100) * 100;
  const social = share(base, 9.19);
  const taxable = gross - social;
  const grossTax = share(taxable, 23);
  const reliefs = Math.min(grossTax, random.integer(8_000, 16_000));
  const tax = grossTax - reliefs;
  const regional = random.chance(0.7) ? share(taxable, 1.5) : 0;
  const municipal = random.chance(0.6) ? share(taxable, 0.7) : 0;
  const bonus = random.chance(0.35) ? random.pick([10_000, 9_863]) : 0;
  const last = random.chance(0.5) ? -random.integer(1, 99) : 0;
  const taken = social + tax + regional + municipal + Math.abs(last);
  const earned = gross + bonus;
  const exact = earned - taken;
  const isRounded = random.chance(0.7);
  const net = isRounded ? Math.round(exact / 100) * 100 : exact;
  return {
    payments,
    gross,
    base,
    social,
    taxable,
    grossTax,
    reliefs,
    tax,
    regional,
    municipal,
    bonus,
    taken,
    earned,
    rounding: [last, net - exact],
    net,
    months: random.integer(1, 12),
  };
}

const euro = money('.', ',');

const head = (title: string) => [
  [bold(left(40, title)), left(420, 'MARZO 2025')],
  [left(40, 'AZIENDA'), left(260, 'COGNOME E NOME'), left(420, 'CODICE FISCALE')],
  [left(40, 'Officine Adda S.r.l.'), left(260, 'MORETTI GIULIA'), left(420, 'in archivio')],
];

/** Codes, payments on the right of deductions, boxes of labels above their figures. */
function boxes(random: Random): LegalPayslip {
  const pay = payOf(random);
  const net = euro(pay.net);
  const [base, reference, taken, paid] = [310, 370, 460, 550];
  const isFilled = random.chance(0.5);
  const [last, now] = pay.rounding;
  return {
    net,
    form: [
      ...head('LIBRO UNICO DEL LAVORO - CEDOLINO'),
      [left(40, 'PAGA BASE'), left(120, 'CONTINGENZA'), left(210, 'SCATTI'), left(300, 'TOTALE')],
      [
        right(90, euro(pay.payments[0]?.[1] ?? 0)),
        right(180, euro(0)),
        right(250, euro(0)),
        right(340, euro(pay.payments[0]?.[1] ?? 0)),
      ],
      6,
      [
        left(40, 'COD.'),
        left(80, random.pick(['DESCRIZIONE VOCE', 'VOCI VARIABILI DEL MESE'])),
        right(base, 'IMPORTO BASE'),
        right(reference, 'RIFERIMENTO'),
        right(taken, 'TRATTENUTE'),
        right(paid, 'COMPETENZE'),
      ],
      ...pay.payments.map(([name, cents], index) => [
        left(40, `Z0000${index}`),
        left(80, name),
        right(base, euro(Math.round(cents / 26))),
        right(reference, '26,00'),
        right(paid, euro(cents)),
      ]),
      [
        left(40, 'Z00000'),
        left(80, 'Contributo IVS'),
        right(base, euro(pay.base)),
        right(reference, '9,19'),
        right(taken, euro(pay.social)),
      ],
      [left(40, 'F02000'), left(80, 'Imponibile IRPEF'), right(base, euro(pay.taxable))],
      [left(40, 'F02010'), left(80, 'IRPEF lorda'), right(base, euro(pay.grossTax))],
      [left(40, 'F02500'), left(80, 'Detrazioni lav. dip.'), right(base, euro(pay.reliefs))],
      [left(40, 'F03020'), left(80, random.pick(['Ritenute IRPEF', 'IRPEF netta'])), right(taken, euro(pay.tax))],
      ...(pay.bonus > 0
        ? [[left(40, 'F09110'), left(80, 'Trattamento integrativo L. 21/2020'), right(paid, euro(pay.bonus))]]
        : []),
      ...(pay.regional > 0
        ? [[left(40, 'F09220'), left(80, 'Addizionale regionale'), right(taken, euro(pay.regional))]]
        : []),
      ...(pay.municipal > 0
        ? [[left(40, 'F09230'), left(80, 'Addizionale comunale'), right(taken, euro(pay.municipal))]]
        : []),
      ...(last === 0
        ? []
        : [[left(40, 'Z51000'), left(80, 'Arrotondamento mese precedente'), right(taken, euro(-last))]]),
      random.integer(20, 160),
      ...(isFilled
        ? [
            [left(40, 'PROGRESSIVI'), left(120, 'Imp. INPS'), left(200, 'Imp. IRPEF'), left(280, 'IRPEF pagata')],
            [
              right(160, euro(pay.base * pay.months)),
              right(240, euro(pay.taxable * pay.months)),
              right(330, euro(pay.tax * pay.months)),
            ],
          ]
        : []),
      [
        right(taken, random.pick(['TOTALE TRATTENUTE', 'TOT. TRATTENUTE'])),
        right(paid, random.pick(['TOTALE COMPETENZE', 'TOT. COMPETENZE'])),
      ],
      [right(taken, euro(pay.taken)), right(paid, euro(pay.earned))],
      [right(taken, 'ARROTONDAMENTO'), right(paid, random.pick(['NETTO DEL MESE', 'NETTO IN BUSTA']))],
      [...(now === 0 ? [] : [right(taken, euro(now))]), bold(right(paid, `${net}${random.chance(0.3) ? ' €' : ''}`))],
      [left(40, 'IBAN IT60X0542811101000000123456')],
    ],
  };
}

/** Totals in the rows, below each other. */
function rows(random: Random): LegalPayslip {
  const pay = payOf(random);
  const net = euro(pay.net);
  const [paid, taken] = random.chance(0.5) ? [440, 540] : [540, 440];
  const [last, now] = pay.rounding;
  return {
    net,
    form: [
      ...head('BUSTA PAGA'),
      6,
      [
        left(40, 'Descrizione'),
        right(300, 'Ore/giorni'),
        right(370, 'Base'),
        right(paid, 'Competenze'),
        right(taken, random.pick(['Trattenute', 'Ritenute'])),
      ],
      ...pay.payments.map(([name, cents]) => [left(40, name), right(300, rate(26)), right(paid, euro(cents))]),
      ...(pay.bonus > 0 ? [[left(40, 'Trattamento integrativo'), right(paid, euro(pay.bonus))]] : []),
      [left(40, `Contributo FAP 9,19%`), right(370, euro(pay.base)), right(taken, euro(pay.social))],
      [left(40, 'IRPEF'), right(370, euro(pay.taxable)), right(taken, euro(pay.tax))],
      ...(pay.regional > 0 ? [[left(40, 'Addizionale regionale'), right(taken, euro(pay.regional))]] : []),
      ...(pay.municipal > 0 ? [[left(40, 'Addizionale comunale'), right(taken, euro(pay.municipal))]] : []),
      ...(last === 0 ? [] : [[left(40, 'Arrotondamento precedente'), right(taken, euro(-last))]]),
      6,
      ...(random.chance(0.5)
        ? [[left(40, random.pick(['Totali', 'TOTALE'])), right(paid, euro(pay.earned)), right(taken, euro(pay.taken))]]
        : [
            [left(40, 'Totale competenze'), right(paid, euro(pay.earned))],
            [left(40, random.pick(['Totale trattenute', 'Totale ritenute'])), right(taken, euro(pay.taken))],
          ]),
      ...(now === 0 ? [] : [[left(40, 'Arrotondamento attuale'), right(540, euro(now))]]),
      [
        bold(left(40, random.pick(['Netto a pagare', 'Netto in busta', 'NETTO DA PAGARE', 'Netto']))),
        bold(right(540, net)),
      ],
      14,
      [
        left(40, 'Imponibile INPS progressivo'),
        right(300, euro(pay.base * pay.months)),
        left(330, 'Imponibile IRPEF progressivo'),
        right(540, euro(pay.taxable * pay.months)),
      ],
    ],
  };
}

/** The steps from gross pay to net pay in a band of boxes. */
function band(random: Random): LegalPayslip {
  const pay = payOf(random);
  const net = euro(pay.net);
  const [, now] = pay.rounding;
  const [first, second, third, fourth] = [140, 260, 390, 530] as const;
  return {
    net,
    form: [
      ...head('CEDOLINO PAGA'),
      6,
      [
        left(40, 'CODICE'),
        left(90, 'DESCRIZIONE VOCE'),
        right(300, 'ORE/GIORNI'),
        right(370, 'BASE'),
        right(450, 'COMPETENZE'),
        right(540, 'TRATTENUTE'),
      ],
      ...pay.payments.map(([name, cents], index) => [
        left(40, String(index + 1).padStart(4, '0')),
        left(90, name),
        right(450, euro(cents)),
      ]),
      ...(pay.bonus > 0 ? [[left(40, '0822'), left(90, 'Trattamento integrativo'), right(450, euro(pay.bonus))]] : []),
      ...(pay.rounding[0] === 0
        ? []
        : [[left(40, '9003'), left(90, 'Arrotond. preced.'), right(540, euro(-pay.rounding[0]))]]),
      20,
      [
        right(first, 'TOTALE LORDO'),
        right(second, 'IMPON. CONTR. SOC.'),
        right(third, 'CONTRIBUTO 1'),
        right(fourth, 'TOTALE CONTRIBUTI SOCIALI'),
      ],
      [
        right(first, euro(pay.gross)),
        right(second, euro(pay.base)),
        right(third, euro(pay.social)),
        right(fourth, euro(pay.social)),
      ],
      [
        right(first, 'IMPONIBILE IRPEF'),
        right(second, 'IRPEF LORDA'),
        right(third, 'TOTALE DETRAZIONI'),
        right(fourth, 'TOTALE TRATTENUTE IRPEF'),
      ],
      [
        right(first, euro(pay.taxable)),
        right(second, euro(pay.grossTax)),
        right(third, euro(pay.reliefs)),
        right(fourth, euro(pay.tax)),
      ],
      [
        right(first, 'ADD. REGIONALE'),
        right(second, 'ADD. COMUNALE'),
        right(third, 'TOTALE COMPETENZE'),
        right(fourth, 'TOTALE TRATTENUTE'),
      ],
      [
        ...(pay.regional > 0 ? [right(first, euro(pay.regional))] : []),
        ...(pay.municipal > 0 ? [right(second, euro(pay.municipal))] : []),
        right(third, euro(pay.earned)),
        right(fourth, euro(pay.taken)),
      ],
      [...(now === 0 ? [] : [right(first, 'ARROTONDAM.')]), right(fourth, 'NETTO A PAGARE')],
      [...(now === 0 ? [] : [right(first, euro(now))]), bold(right(fourth, net))],
    ],
  };
}

export const italy = { boxes, rows, band };
