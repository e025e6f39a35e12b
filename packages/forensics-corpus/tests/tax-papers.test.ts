import { openDocument } from '@tenant-screening/forensics/open-document';
import { papersIn } from '@tenant-screening/forensics/papers';
import { expect } from 'chai';
import { locales, tags } from '../data/locale.ts';
import { drawAssessment } from '../layouts/letters.ts';
import { pdfkitEmbedded } from '../producers/pdfkit.ts';
import { randomOf } from '../random.ts';

const DAY = new Date('2025-06-12T00:00:00Z');

describe('a tax assessment', () => {
  it('gives the income from work, the tax on it and the year, in the words of each authority', async () => {
    const read: unknown[] = [];
    for (const tag of tags) {
      const random = randomOf('tax', tag);
      const bytes = await pdfkitEmbedded.write(
        drawAssessment(locales[tag], DAY, random, [4_512_300, 4_100_000, 612_345]),
        DAY,
        random,
      );
      const { document } = await openDocument(`${tag}.pdf`, bytes);
      const [paper] = document ? await papersIn(document) : [];
      const value = (kind: string) => paper?.claims.find((claim) => claim.kind === kind)?.value;
      read.push([tag, paper?.kind, value('income'), value('tax'), value('year')?.slice(0, 3)]);
    }
    expect(read).to.deep.equal(tags.map((tag) => [tag, 'tax', '4512300', '612345', '202']));
  });
});
