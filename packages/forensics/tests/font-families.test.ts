import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readPaint } from '../pdf/paint/read-paint.ts';
import { areOneFamily } from '../pdf/text/fonts.ts';

const face = (font: string, programFamily = '') => ({ font, programFamily });

describe('the family of a font', () => {
  const faces: readonly (readonly string[])[] = [
    ['TimesNewRomanPSMT', 'TimesNewRomanPS-BoldMT', 'TimesNewRomanPS-ItalicMT', 'TimesNewRoman,Bold'],
    ['CourierNewPSMT', 'CourierNewPS-BoldMT'],
    ['ArialMT', 'Arial-BoldMT', 'Arial,Bold', 'ArialNarrow-Bold', 'Arial-Black'],
    ['HelveticaNeueLTStd-Roman', 'HelveticaNeueLTStd-Bd', 'HelveticaNeueLTStd-MdCn', 'HelveticaNeueLTStd-Lt'],
    ['NeueForm-Blk', 'NeueForm-BdOu'],
    ['NimbusRomNo9L-Regu', 'NimbusRomNo9L-Medi', 'NimbusRomNo9L-MediItal'],
    ['Frutiger-Light', 'FrutigerBold', 'FrutigerLTPro-Condensed'],
    ['LMRoman10-Regular', 'LMRoman10-Bold', 'LMRoman8-Regular'],
    ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique'],
  ];
  for (const [first = '', ...others] of faces)
    it(`is the same for ${first} and its other faces`, () => {
      for (const other of others) expect(areOneFamily(face(first), face(other)), other).to.equal(true);
    });

  it('differs for other families', () => {
    const pairs = [
      ['ArialMT', 'Helvetica'],
      ['TimesNewRomanPSMT', 'ArialMT'],
      ['Calibri', 'Cambria'],
      ['Helvetica', 'HelveticaNeue'],
      ['LiberationSans', 'LiberationMono'],
    ] as const;
    for (const [one, other] of pairs) expect(areOneFamily(face(one), face(other)), `${one} ${other}`).to.equal(false);
  });

  it('is what the font program says, where names say nothing', () => {
    expect(areOneFamily(face('CMR10', 'Computer Modern'), face('CMBX10', 'Computer Modern'))).to.equal(true);
    expect(areOneFamily(face('CorpS-Book', 'Corporate S'), face('CorpA-Book', 'Corporate A'))).to.equal(false);
  });

  it('is read from embedded programs: Type 1, CFF and TrueType', async () => {
    const families = async (path: string) => {
      const pages = await readPaint(readFileSync(new URL(path, import.meta.url)));
      const runs = pages.flatMap(({ marks }) => marks).filter((mark) => mark.kind === 'text');
      return [...new Set(runs.map(({ programFamily }) => programFamily))].sort();
    };
    expect(await families('fixtures/cases/sum-bold-times.pdf')).to.deep.equal(['Liberation Serif']);
    expect(await families('fixtures/producers/lualatex-genuine.pdf')).to.deep.equal([
      'LMRoman12',
      'LMSans10',
      'LMSans8',
      'LMSans9',
    ]);
    expect(await families('fixtures/producers/pdflatex-genuine.pdf')).to.deep.equal(['LMMono9']);
  });
});
