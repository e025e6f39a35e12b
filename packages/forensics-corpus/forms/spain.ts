import type { Random } from '../random.ts';
import { bold, type LegalPayslip, left, money, rate, right, share, sum } from './page.ts';

/** Spain: the model of Orden ESS/2098/2014, and the compact forms that agreements allow in its place. */

interface Pay {
  earnings: [name: string, cents: number][];
  outside: [name: string, cents: number][];
  total: number;
  base: number;
  extra: number;
  contributions: { name: string; percent: number; cents: number }[];
  contributed: number;
  tax: number;
  taxed: number;
  advance: number;
  taken: number;
  net: number;
}

export function payOf(random: Random): Pay {
  const salary = random.integer(118_400, 390_000);
  const earnings: Pay['earnings'] = [
    [random.pick(['Salario base', 'SALARIO BASE', '*Salario Base']), salary],
    ...random
      .several(
        ['Antigüedad', 'Plus convenio', 'Plus transporte', 'Incentivos', 'Mejora voluntaria', 'Complemento de puesto'],
        random.integer(0, 3),
      )
      .map((name): [string, number] => [name, random.integer(1_500, 31_000)]),
  ];
  const outside: Pay['outside'] = random.chance(0.3)
    ? [[random.pick(['Dietas', 'Indemnizaciones o suplidos', 'Kilometraje']), random.integer(2_000, 18_000)]]
    : [];
  const paid = sum(earnings.map(([, cents]) => cents));
  const extra = random.chance(0.6) ? Math.round(salary / 6) : 0;
  const base = paid + extra;
  const contributions = (
    [
      ['Contingencias comunes', 4.7],
      ['MEI', 0.13],
      ['Desempleo', random.pick([1.55, 1.6])],
      ['Formación Profesional', 0.1],
    ] as const
  ).map(([name, percent]) => ({ name, percent, cents: share(base, percent) }));
  const contributed = sum(contributions.map(({ cents }) => cents));
  const tax = random.integer(200, 2600) / 100;
  const taxed = share(paid, tax);
  const advance = random.chance(0.2) ? random.integer(10, 40) * 1000 : 0;
  const total = paid + sum(outside.map(([, cents]) => cents));
  const taken = contributed + taxed + advance;
  return {
    earnings,
    outside,
    total,
    base,
    extra,
    contributions,
    contributed,
    tax,
    taxed,
    advance,
    taken,
    net: total - taken,
  };
}

const euro = money('.', ',');

function official(random: Random): LegalPayslip {
  const pay = payOf(random);
  const dots = '.'.repeat(random.integer(12, 40));
  const important = random.chance(0.5) ? 440 : 430;
  const totals = 540;
  const net = euro(pay.net);
  const employer = [
    ['Contingencias comunes', 23.6],
    ['AT y EP', 1.5],
    ['Desempleo', 5.5],
    ['Formación Profesional', 0.6],
    ['Fondo Garantía Salarial', 0.2],
  ] as const;
  return {
    net,
    form: [
      [bold(left(150, 'RECIBO INDIVIDUAL JUSTIFICATIVO DEL PAGO DE SALARIOS'))],
      6,
      [left(40, 'Empresa: Talleres Ebro, S.L.'), left(310, 'Trabajador: Lucía Ferrer Navas')],
      [left(40, 'CIF: B58818501'), left(310, 'NIF: 12345678Z')],
      [left(40, 'CCC: 08/1234567/89'), left(310, 'Grupo de Cotización: 5')],
      [left(40, 'Periodo de liquidación: del 1 de marzo al 31 de marzo de 2025'), left(430, 'Total días: 30')],
      8,
      [bold(left(40, 'I. DEVENGOS')), right(important, 'IMPORTE'), right(totals, 'TOTALES')],
      [left(50, '1. Percepciones salariales')],
      ...pay.earnings.map(([name, cents]) => [left(60, `${name} ${dots}`), right(important, euro(cents))]),
      [left(60, 'Horas extraordinarias'), ...(random.chance(0.5) ? [right(important, euro(0))] : [])],
      [left(50, '2. Percepciones no salariales')],
      ...pay.outside.map(([name, cents]) => [left(60, `${name} ${dots}`), right(important, euro(cents))]),
      [bold(left(300, 'A. TOTAL DEVENGADO')), right(totals, euro(pay.total))],
      4,
      [bold(left(40, 'II. DEDUCCIONES'))],
      [
        left(
          50,
          '1. Aportación del trabajador a las cotizaciones a la Seguridad Social y conceptos de recaudación conjunta',
        ),
      ],
      ...pay.contributions.map(({ name, percent, cents }) => [
        left(60, name),
        right(300, `${rate(percent)} %`),
        right(important, euro(cents)),
      ]),
      [left(60, 'TOTAL APORTACIONES'), right(random.chance(0.5) ? totals : important, euro(pay.contributed))],
      [
        left(50, '2. Impuesto sobre la renta de las personas físicas'),
        right(300, `${rate(pay.tax)} %`),
        right(random.chance(0.5) ? totals : important, euro(pay.taxed)),
      ],
      [left(50, '3. Anticipos'), ...(pay.advance > 0 ? [right(important, euro(pay.advance))] : [])],
      [left(50, '4. Valor de los productos recibidos en especie')],
      [left(50, '5. Otras deducciones')],
      [bold(left(300, 'B. TOTAL A DEDUCIR')), right(totals, euro(pay.taken))],
      [bold(left(250, 'LÍQUIDO TOTAL A PERCIBIR (A-B)')), right(totals, net)],
      20,
      [left(40, 'Firma y sello de la empresa'), left(360, 'Barcelona, 31 de marzo de 2025')],
      [left(400, 'RECIBÍ')],
      30,
      [left(40, 'DETERMINACIÓN DE LAS BASES DE COTIZACIÓN A LA SEGURIDAD SOCIAL Y CONCEPTOS DE RECAUDACIÓN CONJUNTA')],
      [left(60, 'CONCEPTO'), right(320, 'BASE'), right(400, 'TIPO'), right(totals, 'APORTACIÓN EMPRESA')],
      [left(50, '1. Contingencias comunes')],
      [left(60, 'Importe remuneración mensual'), right(320, euro(pay.base - pay.extra))],
      [left(60, 'Importe prorrata pagas extraordinarias'), right(320, euro(pay.extra))],
      [
        left(60, 'TOTAL'),
        right(320, euro(pay.base)),
        right(400, rate(23.6)),
        right(totals, euro(share(pay.base, 23.6))),
      ],
      ...employer
        .slice(1)
        .map(([name, percent]) => [
          left(60, name),
          right(320, euro(pay.base)),
          right(400, rate(percent)),
          right(totals, euro(share(pay.base, percent))),
        ]),
      [left(50, '4. Base sujeta a retención del IRPF'), right(320, euro(pay.base - pay.extra))],
    ],
  };
}

function compact(random: Random): LegalPayslip {
  const pay = payOf(random);
  const net = euro(pay.net);
  const [earned, deducted] = [430, 520];
  const bases = [pay.base - pay.extra, pay.extra, pay.base, pay.base, pay.base - pay.extra].map(euro);
  const labels = ['REM. TOTAL', 'P.P.EXTRAS', 'BASE S.S.', 'BASE A.T. Y DES.', 'BASE I.R.P.F.'];
  const isBelow = random.chance(0.5);
  const columns = [80, 150, 220, 300, 370];
  return {
    net,
    form: [
      [left(40, 'EMPRESA'), left(240, 'DOMICILIO'), left(420, 'Nº INS. S.S.')],
      [left(40, 'Talleres Ebro, S.L.'), left(240, 'C/ Mayor, 14'), left(420, '08/1234567/89')],
      [left(40, 'TRABAJADOR/A'), left(240, 'CATEGORIA'), left(420, 'D.N.I.')],
      [left(40, 'FERRER NAVAS, LUCIA'), left(240, 'OFICIAL 2ª'), left(420, '12345678Z')],
      [left(40, 'PERIODO MENS 01 MAR 25 a 31 MAR 25'), left(420, 'TOT. DIAS 30')],
      6,
      [
        left(50, 'CUANTÍA'),
        left(110, 'PRECIO'),
        left(190, 'CONCEPTO'),
        right(earned, 'DEVENGOS'),
        right(deducted, 'DEDUCCIONES'),
      ],
      ...pay.earnings.map(([name, cents], index) => [
        left(50, rate(30)),
        ...(index === 0 ? [right(150, rate(cents / 3000, 3))] : []),
        left(170, String(index + 1)),
        left(190, name),
        right(earned, euro(cents)),
      ]),
      ...pay.outside.map(([name, cents]) => [left(170, '80'), left(190, name), right(earned, euro(cents))]),
      ...pay.contributions.map(({ name, percent, cents }, index) => [
        left(170, String(995 + index)),
        left(190, `COTIZACION ${name.toUpperCase()}`),
        right(350, rate(percent)),
        right(deducted, euro(cents)),
      ]),
      [
        left(170, '999'),
        left(190, 'TRIBUTACION I.R.P.F.'),
        right(350, rate(pay.tax)),
        right(deducted, euro(pay.taxed)),
      ],
      ...(pay.advance > 0 ? [[left(190, 'ANTICIPO'), right(deducted, euro(pay.advance))]] : []),
      random.integer(30, 160),
      [
        ...labels.map((label, index) => right(columns[index] ?? 0, label)),
        right(earned + 20, 'T. DEVENGADO'),
        right(deducted + 20, 'T. A DEDUCIR'),
      ],
      [
        ...bases.map((base, index) => right(columns[index] ?? 0, base)),
        right(earned + 20, euro(pay.total)),
        right(deducted + 20, euro(pay.taken)),
      ],
      10,
      ...(isBelow
        ? [
            [left(40, 'FECHA'), left(150, 'SELLO EMPRESA'), bold(right(deducted, 'LIQUIDO A PERCIBIR'))],
            [left(40, '31 MARZO 2025'), bold(right(deducted, net))],
          ]
        : [[left(40, '31 MARZO 2025'), bold(left(300, 'LIQUIDO A PERCIBIR')), bold(right(deducted, net))]]),
      10,
      [left(40, 'IBAN ES91 2100 0418 4502 0005 1332')],
    ],
  };
}

function sideBySide(random: Random): LegalPayslip {
  const pay = payOf(random);
  const net = euro(pay.net);
  const earned: [string, number][] = [...pay.earnings, ...pay.outside];
  const taken: [string, number][] = [
    ...pay.contributions.map(({ name, percent, cents }): [string, number] => [`${name} ${rate(percent)}%`, cents]),
    [`I.R.P.F. ${rate(pay.tax)}%`, pay.taxed],
    ...(pay.advance > 0 ? [['Anticipo', pay.advance] as [string, number]] : []),
  ];
  const rows = Array.from({ length: Math.max(earned.length, taken.length) }, (_, index) => {
    const [one, other] = [earned[index], taken[index]];
    return [
      ...(one ? [left(40, one[0]), right(280, euro(one[1]))] : []),
      ...(other ? [left(310, other[0]), right(550, euro(other[1]))] : []),
    ];
  });
  const totals = [
    [
      bold(left(40, random.pick(['Total devengado', 'TOTAL DEVENGOS', 'Suma de devengos']))),
      bold(right(280, euro(pay.total))),
      bold(left(310, random.pick(['Total a deducir', 'TOTAL DEDUCCIONES', 'Suma de deducciones']))),
      bold(right(550, euro(pay.taken))),
    ],
  ];
  const isAbove = random.chance(0.4);
  const last = [
    bold(left(310, random.pick(['Líquido a percibir', 'Neto a percibir', 'A PERCIBIR', 'Importe líquido']))),
    bold(right(550, net)),
  ];
  return {
    net,
    form: [
      [bold(left(40, 'NÓMINA'))],
      [left(40, 'Empresa: Talleres Ebro, S.L.'), left(310, 'Lucía Ferrer Navas')],
      [left(40, 'Marzo 2025'), left(310, 'NIF: 12345678Z')],
      8,
      ...(isAbove ? [last, ...totals, 6] : []),
      [bold(left(40, 'DEVENGOS')), bold(left(310, 'DEDUCCIONES'))],
      ...rows,
      6,
      ...(isAbove ? [] : [...totals, 4, last]),
      10,
      [
        left(40, 'Base contingencias comunes'),
        right(280, euro(pay.base)),
        left(310, 'Base IRPF'),
        right(550, euro(pay.base - pay.extra)),
      ],
      ...(random.chance(0.4) ? [[left(40, 'Transferencia a ES91 2100 0418 4502 0005 1332'), right(550, net)]] : []),
    ],
  };
}

export const spain = { official, compact, sideBySide };
