import { expect } from 'chai';
import { readPaint } from '../pdf/paint/read-paint.ts';
import { seenRuns } from '../pdf/text/seen.ts';
import { payslip } from './fixtures/payslip.ts';
import { flatPicture, type Objects, pdfOf, picture, rectangle, text } from './fixtures/pdf.ts';

async function seenOn(content: string, objects: Objects = {}): Promise<string> {
  const [page] = await readPaint(pdfOf([content], objects));
  return page === undefined
    ? ''
    : seenRuns(page)
        .map((run) => run.text)
        .join(' ');
}

describe('text that is seen', () => {
  const hidden: Record<string, string> = {
    'is not painted': text(50, 500, 'Nothing to see').replace('BT', 'BT 3 Tr'),
    'is transparent': text(50, 500, 'Nothing to see', { state: '/None gs' }),
    'is too small': text(50, 500, 'Nothing to see', { size: 0.4 }),
    'lies outside of the page': text(700, 500, 'Nothing to see'),
    'has the colour of the page': text(50, 500, 'Nothing to see', { state: '1 1 1 rg' }),
    'is cut off': `q 0 0 100 100 re W n ${text(50, 300, 'Nothing to see')} Q`,
    'has the colour of the rectangle below':
      rectangle(40, 480, 200, 30, '0.1 0.2 0.3') + text(50, 500, 'Nothing to see', { state: '0.1 0.2 0.3 rg' }),
  };
  for (const [why, content] of Object.entries(hidden))
    it(`excludes text that ${why}`, async () => {
      const seen = await seenOn(payslip() + content);
      expect(seen).to.not.include('Nothing');
      expect(seen).to.have.length.above(20);
    });

  it('includes white text on a dark ground, on a picture, and on a shape of any form', async () => {
    const white = text(50, 500, 'White on dark', { state: '1 1 1 rg' });
    const circle = 'q 0 0 0.4 rg 40 340 m 40 400 250 400 250 340 c 250 300 40 300 40 340 c f Q ';
    for (const ground of [rectangle(40, 480, 200, 30, '0 0 0.4'), picture(40, 480, 200, 30), circle])
      expect(await seenOn(ground + white, { 15: flatPicture(40) })).to.include('White on dark');
  });
});
