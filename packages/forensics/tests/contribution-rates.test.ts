import { expect } from 'chai';
import { contributionRates } from '../rules/content/contribution-rates.ts';
import { documentOf, writtenPages } from './fixtures/written-pages.ts';

type Row = readonly [label: string, basis: string, rate: string, amount: string, employer?: string];

const ROWS: readonly Row[] = [
  ['Santé', '2 850,00', '7,00', '199,50', '370,50'],
  ['Vieillesse plafonnée', '2 850,00', '6,90', '196,65', '243,68'],
  ['Vieillesse déplafonnée', '2 850,00', '0,40', '11,40', '57,57'],
  ['Retraite complémentaire', '2 850,00', '3,15', '89,78', '134,24'],
  ['CSG déductible', '2 800,13', '6,80', '190,41'],
];

function page(rows: readonly Row[], percent = '') {
  const cells = rows.map(([label, basis, rate, amount, employer]) => [
    { text: label, left: 40 },
    { text: basis, right: 250 },
    { text: `${rate}${percent}`, right: 320 },
    { text: amount, right: 420 },
    ...(employer === undefined ? [] : [{ text: employer, right: 530 }]),
  ]);
  return writtenPages([
    [{ text: 'Bulletin de paie, période de mai 2024, société Ateliers Renard', left: 40 }],
    ...cells,
  ]);
}

async function found(rows: readonly Row[], percent = '') {
  const verdict = await contributionRates.run(documentOf(page(rows, percent)));
  return verdict.status === 'finding' ? verdict.findings : [];
}

const changed = (index: number, row: Row) => ROWS.map((one, at) => (at === index ? row : one));

describe('basis, rate and amount of contributions', () => {
  it('report an amount that does not match the rate, with or without a per cent sign', async () => {
    for (const percent of ['', ' %', '%']) {
      const [finding, ...others] = await found(
        changed(1, ['Vieillesse', '2 850,00', '6,90', '296,65', '243,68']),
        percent,
      );
      expect(others).to.deep.equal([]);
      expect(finding?.evidence[0]).to.include({ before: '196,65', after: '296,65' });
    }
  });

  it('report a changed basis', async () => {
    const [finding] = await found(changed(0, ['Santé', '3 850,00', '7,00', '199,50', '370,50']));
    expect(finding?.evidence[1]).to.include({ after: '3 850,00' });
  });

  it('report nothing when all match, when rounding explains it, for hours, and when too few rows match', async () => {
    expect(await found(ROWS)).to.deep.equal([]);
    expect(await found(changed(0, ['Santé', '2 850,00', '7,0', '199,90', '370,50']))).to.deep.equal([]);
    expect(await found(changed(0, ['Heures', '151,67', '18,79', '2 849,88']))).to.deep.equal([]);
    expect(await found(changed(1, ['Vieillesse', '2 850,00', '6,90', '296,65']).slice(0, 3))).to.deep.equal([]);
  });

  it('report nothing for a share of the pay of hours', async () => {
    expect(await found([['Majoration dimanche', '24,00', '50,00', '374,40'], ...ROWS])).to.deep.equal([]);
    expect(await found([...ROWS, ['Majoration de nuit', '18,50', '25,00', '144,30']])).to.deep.equal([]);
  });
});
