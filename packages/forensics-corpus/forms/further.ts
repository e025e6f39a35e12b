import type { Random } from '../random.ts';
import { payOf as britishPay } from './britain.ts';
import { payOf as frenchPay } from './france.ts';
import { payOf as germanPay } from './germany.ts';
import { payOf as italianPay } from './italy.ts';
import { bold, type LegalPayslip, left, money, right, share, sum } from './page.ts';
import { payOf as spanishPay } from './spain.ts';

/** One more form of each country, written after the rules had been adjusted to the others. */

const euro = money('.', ',');

/** A town hall: three columns with one row of totals. */
function townHall(random: Random): LegalPayslip {
  const pay = spanishPay(random);
  const net = euro(pay.net);
  const [paid, taken, employer] = [360, 450, 545];
  return {
    net,
    form: [
      [bold(left(40, 'AYUNTAMIENTO DE VILLANUEVA - RECIBO DE HABERES')), left(430, 'Mes: Marzo 2025')],
      [left(40, 'Apellidos y nombre: Ferrer Navas, Lucía'), left(430, 'Grupo C1')],
      10,
      [
        left(40, 'Clave'),
        left(90, 'Concepto'),
        right(paid, 'Haberes'),
        right(taken, 'Retenciones'),
        right(employer, 'Cuota patronal'),
      ],
      ...[...pay.earnings, ...pay.outside].map(([name, cents], index) => [
        left(40, `0${index + 1}`),
        left(90, name),
        right(paid, euro(cents)),
      ]),
      ...pay.contributions.map(({ name, cents, percent }) => [
        left(40, '50'),
        left(90, name),
        right(taken, euro(cents)),
        right(employer, euro(share(pay.base, percent * 4))),
      ]),
      [left(40, '60'), left(90, `IRPF ${pay.tax.toFixed(2).replace('.', ',')} %`), right(taken, euro(pay.taxed))],
      ...(pay.advance > 0 ? [[left(40, '70'), left(90, 'Reintegro anticipo'), right(taken, euro(pay.advance))]] : []),
      12,
      [
        bold(left(90, 'TOTALES')),
        bold(right(paid, euro(pay.total))),
        bold(right(taken, euro(pay.taken))),
        right(employer, euro(sum(pay.contributions.map(({ percent }) => share(pay.base, percent * 4))))),
      ],
      8,
      [bold(left(300, 'LÍQUIDO A PERCIBIR')), bold(right(taken, net))],
      [left(40, 'Forma de pago: transferencia')],
    ],
  };
}

/** Boxes of totals above the lists; deductions in brackets. */
function boxedTotals(random: Random): LegalPayslip {
  const pay = britishPay(random);
  const pound = money(',', '.');
  const net = `£${pound(pay.net)}`;
  const taken = (cents: number) => (cents < 0 ? pound(-cents) : `(${pound(cents)})`);
  return {
    net,
    form: [
      [bold(left(40, 'PAY ADVICE')), left(400, 'Month 12, 28 Mar 2025')],
      [left(40, 'Brecon Joinery Ltd'), left(400, 'O Pritchard')],
      10,
      [left(60, 'Gross Pay'), left(230, 'Total Deductions'), left(420, 'Net Pay')],
      [left(60, `£${pound(pay.gross)}`), left(230, `£${pound(Math.abs(pay.taken))}`), bold(left(420, net))],
      14,
      [bold(left(60, 'Pay')), right(380, 'Amount')],
      ...pay.payments.map(([name, cents]) => [left(60, name), right(380, pound(cents))]),
      6,
      [bold(left(60, 'Less')), right(380, 'Amount')],
      ...pay.deductions.map(([name, cents]) => [left(60, name), right(380, taken(cents))]),
      12,
      [left(60, 'Cumulative taxable pay'), right(380, pound(pay.taxable * pay.months))],
      [left(60, 'Cumulative tax'), right(380, pound(Math.abs(pay.deductions[0]?.[1] ?? 0) * pay.months))],
    ],
  };
}

/** Public service: one column, minus signs behind the figures, sums as rows. */
function publicService(random: Random): LegalPayslip {
  const pay = germanPay(random);
  const minus = (cents: number) => `${euro(cents)}-`;
  const written = (cents: number) => (cents < 0 ? minus(-cents) : euro(cents));
  const net = euro(pay.paid);
  const row = (name: string, text: string) => [left(70, name), right(500, text)];
  return {
    net,
    form: [
      [bold(left(40, 'Bezügemitteilung')), left(420, 'für März 2025')],
      [left(40, 'Landesamt für Besoldung'), left(420, 'Adler, Jonas')],
      10,
      ...pay.payments.map(([name, cents]) => row(name, euro(cents))),
      row('Bruttobezüge', euro(pay.gross)).map(bold),
      ...pay.taxes.map(([name, cents]) => row(name, minus(cents))),
      ...pay.insurance.map(({ name, cents }) => row(`${name} AN-Anteil`, minus(cents))),
      row('Summe der gesetzlichen Abzüge', minus(pay.taxed + pay.insured)),
      row('Nettobezüge', euro(pay.net)).map(bold),
      ...pay.personal.map(([name, cents]) => row(name, written(cents))),
      6,
      row('Auszahlungsbetrag', net).map(bold),
      [left(40, 'wird überwiesen auf DE02 1203 0000 0000 2020 51')],
    ],
  };
}

/** Deductions with a minus behind, net pay after tax in its own words. */
function afterTax(random: Random): LegalPayslip {
  const pay = frenchPay(random);
  const write = money(' ', ',');
  const net = write(pay.net);
  const [base, own, employer] = [300, 420, 540];
  return {
    net,
    form: [
      [bold(left(40, 'FICHE DE PAIE')), left(400, 'Mars 2025')],
      [left(40, 'Menuiserie du Rhône SARL'), left(400, 'ROUSSEL Camille')],
      10,
      [
        left(40, 'Éléments de paie'),
        right(base, 'Assiette'),
        right(own, 'Montant salarié'),
        right(employer, 'Montant employeur'),
      ],
      ...pay.earnings.map(([name, cents]) => [left(40, name), right(own, write(cents))]),
      [bold(left(40, 'SALAIRE BRUT MENSUEL')), bold(right(own, write(pay.gross)))],
      ...pay.charges.map(({ name, base: on, cents, employer: other }) => [
        left(40, name.slice(0, 40)),
        ...(on === undefined ? [] : [right(base, write(on))]),
        right(own, `${write(cents)}-`),
        ...(other > 0 ? [right(employer, write(other))] : []),
      ]),
      [left(40, 'TOTAL COTISATIONS SALARIALES'), right(own, `${write(pay.charged)}-`)],
      ...pay.refunds.map(([name, cents]) => [
        left(40, name),
        right(own, cents < 0 ? `${write(-cents)}-` : write(cents)),
      ]),
      [bold(left(40, 'NET A PAYER AVANT IMPOT SUR LE REVENU')), bold(right(own, write(pay.before)))],
      [left(40, 'Prélèvement à la source'), right(base, write(pay.taxable)), right(own, `${write(pay.tax)}-`)],
      [bold(left(40, 'NET A PAYER APRES IMPOT')), bold(right(own, net))],
      10,
      [
        left(40, 'Net fiscal du mois'),
        right(base, write(pay.taxable)),
        left(320, 'Net fiscal cumulé'),
        right(employer, write(pay.taxable * pay.months)),
      ],
    ],
  };
}

/** Parts of the deductions as totals, none of all. */
function parts(random: Random): LegalPayslip {
  const pay = italianPay(random);
  const net = euro(pay.net);
  const [last, now] = pay.rounding;
  const row = (name: string, cents: number) => [left(60, name), right(480, euro(cents))];
  return {
    net,
    form: [
      [bold(left(40, 'PROSPETTO DI PAGA')), left(420, 'Marzo 2025')],
      [left(40, 'Officine Adda S.r.l.'), left(420, 'Moretti Giulia')],
      10,
      ...pay.payments.map(([name, cents]) => row(name, cents)),
      ...(pay.bonus > 0 ? [row('Trattamento integrativo', pay.bonus)] : []),
      row('TOTALE COMPETENZE', pay.earned).map(bold),
      row('Contributo IVS 9,19%', pay.social),
      row('TOTALE RITENUTE PREVIDENZIALI', pay.social),
      row('IRPEF netta', pay.tax),
      ...(pay.regional > 0 ? [row('Addizionale regionale', pay.regional)] : []),
      ...(pay.municipal > 0 ? [row('Addizionale comunale', pay.municipal)] : []),
      row('TOTALE RITENUTE FISCALI', pay.tax + pay.regional + pay.municipal),
      ...(last === 0 ? [] : [row('Recupero arrotondamento', last)]),
      ...(now === 0 ? [] : [row('Arrotondamento', now)]),
      [bold(left(60, 'NETTO A PAGARE')), bold(right(480, net))],
    ],
  };
}

export const further = {
  spain: { townHall },
  britain: { boxedTotals },
  germany: { publicService },
  france: { afterTax },
  italy: { parts },
};
