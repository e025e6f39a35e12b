import type { Random } from '../random.ts';
import { bold, type LegalPayslip, left, money, rate, right, share, sum } from './page.ts';

/** France: the arrêté of 25 February 2016 as changed on 31 January 2023 (net social, tax at source, cumulative table), and the older form with two columns. */

type Item = [name: string, cents: number];

interface Charge {
  name: string;
  base?: number;
  percent?: number;
  cents: number;
  employer: number;
}

interface Pay {
  earnings: Item[];
  gross: number;
  charges: Charge[];
  charged: number;
  employer: number;
  refunds: Item[];
  social: number;
  before: number;
  taxable: number;
  tax: number;
  percent: number;
  net: number;
  months: number;
}

export function payOf(random: Random): Pay {
  const salary = random.integer(180_172, 480_000);
  const earnings: Item[] = [
    [random.pick(['Salaire de base', 'Appointements', 'Salaire mensuel']), salary],
    ...random
      .several(
        ["Prime d'ancienneté", 'Heures supplémentaires 25 %', 'Prime exceptionnelle', 'Avantage en nature'],
        random.integer(0, 2),
      )
      .map((name): Item => [name, random.integer(2_000, 45_000)]),
  ];
  const gross = sum(earnings.map(([, cents]) => cents));
  const csg = share(gross, 98.25);
  const of = (name: string, base: number, percent: number, factor: number): Charge => ({
    name,
    base,
    percent,
    cents: share(base, percent),
    employer: share(base, percent * factor),
  });
  const mutual = random.integer(1_800, 5_200);
  const charges: Charge[] = [
    { name: 'Complémentaire Santé', cents: mutual, employer: mutual },
    of('Sécurité sociale plafonnée', Math.min(gross, 392_500), 6.9, 1.24),
    of('Sécurité sociale déplafonnée', gross, 0.4, 5.05),
    of('Complémentaire Tranche 1', Math.min(gross, 392_500), 4.01, 1.5),
    of("CSG déductible de l'impôt sur le revenu", csg, 6.8, 0),
    of("CSG/CRDS non déductible de l'impôt sur le revenu", csg, 2.9, 0),
  ];
  const charged = sum(charges.map(({ cents }) => cents));
  const refunds: Item[] = [
    ...(random.chance(0.5) ? [['Frais de transport', random.integer(1_500, 4_300)] as Item] : []),
    ...(random.chance(0.3) ? [['Titres-restaurant', -random.integer(15, 21) * 400] as Item] : []),
    ...(random.chance(0.15) ? [['Acompte', -random.integer(10, 60) * 1000] as Item] : []),
  ];
  const before = gross - charged + sum(refunds.map(([, cents]) => cents));
  const taxable = gross - charged + share(csg, 2.9) + mutual;
  const percent = random.integer(0, 1400) / 100;
  const tax = share(taxable, percent);
  return {
    earnings,
    gross,
    charges,
    charged,
    employer: sum(charges.map(({ employer }) => employer)) + share(gross, 12),
    refunds,
    social: gross - charged + mutual,
    before,
    taxable,
    tax,
    percent,
    net: before - tax,
    months: random.integer(1, 12),
  };
}

const styles = [money(' ', ','), money('', ','), money(' ', '.')];

const head = () => [
  [bold(left(230, 'BULLETIN DE PAIE'))],
  [left(40, 'Menuiserie du Rhône SARL'), left(330, 'Période du 01/03/2025 au 31/03/2025')],
  [left(40, 'APE 4332A'), left(330, 'Mme Camille Roussel')],
  [left(40, 'Code NAF 4332A'), left(330, 'Emploi Menuisière')],
];

function official(random: Random): LegalPayslip {
  const pay = payOf(random);
  const write = random.pick(styles);
  const [base, percent, own, employer] = [310, 370, 450, 550];
  const isSigned = random.chance(0.2);
  const taken = (cents: number) => write(isSigned ? -cents : cents);
  const net = write(pay.net);
  return {
    net,
    form: [
      ...head(),
      8,
      ...pay.earnings.map(([name, cents], index) => [
        left(40, name),
        ...(index === 0 ? [right(base, '151,67')] : []),
        right(own, write(cents)),
      ]),
      [
        bold(left(40, random.pick(['Montant brut', 'Salaire brut', 'Rémunération brute', 'TOTAL BRUT']))),
        bold(right(own, write(pay.gross))),
      ],
      5,
      [
        left(40, 'Cotisations et contributions sociales'),
        right(base, 'Base'),
        right(percent, 'Taux'),
        right(own, 'Part salarié'),
        right(employer, 'Part employeur'),
      ],
      [bold(left(40, 'SANTÉ'))],
      [
        left(40, 'Sécurité Sociale - Maladie Maternité Invalidité Décès'),
        right(base, write(pay.gross)),
        right(employer, write(share(pay.gross, 7))),
      ],
      ...pay.charges
        .slice(0, 1)
        .map(({ name, cents, employer: other }) => [
          left(40, name),
          right(own, taken(cents)),
          right(employer, write(other)),
        ]),
      [bold(left(40, 'RETRAITE'))],
      ...pay.charges
        .slice(1)
        .map(({ name, base: on = 0, percent: at = 0, cents, employer: other }) => [
          left(40, name),
          right(base, write(on)),
          right(percent, rate(at)),
          right(own, taken(cents)),
          ...(other > 0 ? [right(employer, write(other))] : []),
        ]),
      [left(40, 'FAMILLE'), right(base, write(pay.gross)), right(employer, write(share(pay.gross, 5.25)))],
      [
        bold(
          left(
            40,
            random.pick([
              'TOTAL DES COTISATIONS ET CONTRIBUTIONS',
              'Total des cotisations et contributions',
              'TOTAL DES RETENUES',
            ]),
          ),
        ),
        bold(right(own, taken(pay.charged))),
        bold(right(employer, write(pay.employer))),
      ],
      ...(random.chance(0.5)
        ? [
            [
              left(40, 'EXONÉRATIONS, ÉCRÊTEMENTS ET ALLÈGEMENTS DE COTISATIONS'),
              right(employer, write(-share(pay.gross, 6))),
            ],
          ]
        : []),
      ...(pay.refunds.length > 0 ? [[bold(left(40, 'REMBOURSEMENTS ET DÉDUCTIONS DIVERSES'))]] : []),
      ...pay.refunds.map(([name, cents]) => [left(40, name), right(own, write(cents))]),
      [bold(left(40, 'MONTANT NET SOCIAL')), bold(right(own, write(pay.social)))],
      [bold(left(40, 'NET À PAYER AVANT IMPÔT SUR LE REVENU')), bold(right(own, write(pay.before)))],
      [
        left(50, 'dont évolution de la rémunération liée à la suppression des cotisations'),
        right(own, write(share(pay.gross, 1.3))),
      ],
      5,
      [
        left(40, 'IMPÔT SUR LE REVENU'),
        right(base, 'Base'),
        right(percent, 'Taux'),
        right(own, 'Montant'),
        right(employer, 'Cumul annuel'),
      ],
      [
        left(40, 'Montant net imposable'),
        right(own, write(pay.taxable)),
        right(employer, write(pay.taxable * pay.months)),
      ],
      [
        left(40, random.pick(['Impôt sur le revenu prélevé à la source', 'Prélèvement à la source'])),
        right(base, write(pay.taxable)),
        right(percent, rate(pay.percent)),
        right(own, taken(pay.tax)),
        right(employer, write(pay.tax * pay.months)),
      ],
      [left(40, 'Montant net des heures compl/suppl exonérées'), right(own, write(0)), right(employer, write(0))],
      4,
      [
        bold(left(40, random.pick(['NET À PAYER AU SALARIÉ', 'MONTANT NET À PAYER', 'NET À PAYER', 'NET PAYÉ']))),
        bold(right(own, net)),
      ],
      [left(40, "TOTAL VERSÉ PAR L'EMPLOYEUR"), right(employer, write(pay.gross + pay.employer))],
      [left(40, 'Allègement de cotisations employeur'), right(employer, write(share(pay.gross, 6)))],
    ],
  };
}

/** Gains, deductions and the employer's charges in three columns, a table of the month and the year at the foot, net pay in its corner. */
function threeColumns(random: Random): LegalPayslip {
  const pay = payOf(random);
  const write = random.pick(styles);
  const [base, percent, gain, taken, employer] = [250, 300, 370, 450, 550];
  const net = write(pay.net);
  const foot = [160, 230, 300, 380, 450];
  return {
    net,
    form: [
      ...head(),
      8,
      [
        left(40, 'Rubriques'),
        right(base, 'Base'),
        right(percent, 'Taux'),
        right(gain, 'À payer'),
        right(taken, 'À déduire'),
        right(employer, 'Charges patronales'),
      ],
      ...pay.earnings.map(([name, cents]) => [left(40, name), right(gain, write(cents))]),
      [bold(left(40, random.pick(['SALAIRE BRUT', 'Total brut', 'Brut']))), bold(right(gain, write(pay.gross)))],
      ...pay.charges.map(({ name, base: on, percent: at, cents, employer: other }) => [
        left(40, name.slice(0, 30)),
        ...(on === undefined ? [] : [right(base, write(on))]),
        ...(at === undefined ? [] : [right(percent, rate(at))]),
        right(taken, write(cents)),
        ...(other > 0 ? [right(employer, write(other))] : []),
      ]),
      [
        bold(
          left(40, random.pick(['TOTAL DES RETENUES', 'Total cotisations', 'Total des cotisations et contributions'])),
        ),
        bold(right(taken, write(pay.charged))),
        right(employer, write(sum(pay.charges.map(({ employer: other }) => other)))),
      ],
      ...pay.refunds.map(([name, cents]) => [left(40, name), right(cents > 0 ? gain : taken, write(Math.abs(cents)))]),
      [left(40, 'Montant net social'), right(gain, write(pay.social))],
      [left(40, 'Net à payer avant impôt sur le revenu'), right(gain, write(pay.before))],
      [
        left(40, 'Impôt sur le revenu prélevé à la source'),
        right(base, write(pay.taxable)),
        right(percent, rate(pay.percent)),
        right(taken, write(pay.tax)),
      ],
      random.integer(10, 60),
      [
        left(40, ''),
        ...['Heures', 'Brut', 'Charges sal.', 'Net imposable', 'Impôt PAS'].map((text, index) =>
          right(foot[index] ?? 0, text),
        ),
        right(550, random.pick(['NET A PAYER', 'Net à payer', 'NET PAYÉ'])),
      ],
      [
        left(40, 'Mensuel'),
        right(160, '151,67'),
        right(230, write(pay.gross)),
        right(300, write(pay.charged)),
        right(380, write(pay.taxable)),
        right(450, write(pay.tax)),
        bold(right(550, net)),
      ],
      [
        left(40, 'Annuel'),
        right(160, write(15_167 * pay.months)),
        right(230, write(pay.gross * pay.months)),
        right(300, write(pay.charged * pay.months)),
        right(380, write(pay.taxable * pay.months)),
        right(450, write(pay.tax * pay.months)),
      ],
      10,
      [left(40, 'Virement du 31/03/2025')],
    ],
  };
}

/** A summary above the lists. */
function summary(random: Random): LegalPayslip {
  const pay = payOf(random);
  const write = random.pick(styles);
  const net = `${write(pay.net)} €`;
  const [own, employer] = [430, 540];
  return {
    net,
    form: [
      ...head(),
      6,
      [bold(left(60, random.pick(['Net payé', 'Net à payer', 'Net versé']))), bold(right(own, net))],
      [left(60, 'Net à payer avant impôt'), right(own, `${write(pay.before)} €`)],
      [left(60, 'Net imposable'), right(own, `${write(pay.taxable)} €`)],
      8,
      [left(40, 'Désignation'), right(own, 'Salarié'), right(employer, 'Employeur')],
      ...pay.earnings.map(([name, cents]) => [left(40, name), right(own, write(cents))]),
      [bold(left(40, 'Rémunération brute')), bold(right(own, write(pay.gross)))],
      ...pay.charges.map(({ name, cents, employer: other }) => [
        left(40, name),
        right(own, write(-cents)),
        ...(other > 0 ? [right(employer, write(other))] : []),
      ]),
      [
        bold(left(40, 'Total des cotisations et contributions')),
        bold(right(own, write(-pay.charged))),
        right(employer, write(sum(pay.charges.map(({ employer: other }) => other)))),
      ],
      ...pay.refunds.map(([name, cents]) => [left(40, name), right(own, write(cents))]),
      [left(40, 'Impôt prélevé à la source'), right(300, `${rate(pay.percent)} %`), right(own, write(-pay.tax))],
      10,
      [left(40, 'Cumuls'), right(230, 'Brut'), right(330, 'Net imposable'), right(430, 'Impôt')],
      [
        left(40, '2025'),
        right(230, write(pay.gross * pay.months)),
        right(330, write(pay.taxable * pay.months)),
        right(430, write(pay.tax * pay.months)),
      ],
    ],
  };
}

export const france = { official, threeColumns, summary };
