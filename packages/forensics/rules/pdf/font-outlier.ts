import { quoted } from '../../pdf/diff/values.ts';
import { type Outlier, oddAmounts } from '../../pdf/text/outliers.ts';
import { readPages } from '../../pdf/text/read-pages.ts';
import { strangers } from '../../pdf/text/strangers.ts';
import { type Finding, type Rule, verdictOf } from '../../rule.ts';

/**
 * Amounts of one column are set by one line of a program: in one font and size, on one base line with their row, ending at one
 * place. One or two that differ while the rest of their row does not were set by something else. A font of another family, or two
 * fonts within one amount, is enough; of size, base line, right edge and a second copy of the same font it takes two. Bold and
 * italic are no difference, nor is colour; a last row, which may be a total, counts only for its font's family; rows whose
 * other cells differ too, columns of less than six amounts and columns that are not even do not count. The same holds for
 * figures or a name within a line or a block whose font is used nowhere else in the file, if they are painted last of all on their
 * page though more of it follows below or beside; what a page simply ends with is in its turn, and fonts like handwriting are signatures.
 *
 * Known false positives: templates that set one amount of a column, but not its total, in a font of its own; a value that a
 * document system writes onto a finished form, when it writes but one.
 *
 * Source: own reasoning.
 */
export const fontOutlier: Rule = {
  name: 'font-outlier',
  version: 1,
  title: 'Fonts and places of amounts in a column',
  strength: 'medium',
  family: 'content',
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const pages = await readPages(bytes);
    const odd = pages.flatMap((page) => oddAmounts(page).map((outlier) => ({ page: page.number, outlier })));
    const known = new Set(odd.map(({ outlier }) => outlier.word.order));
    const strange = strangers(pages).filter(({ outlier }) => !known.has(outlier.word.order));
    return verdictOf([
      ...odd.map(({ page, outlier }) => findingOf(page, outlier, 'the other amounts of its column')),
      ...strange.map(({ page, outlier }) => findingOf(page, outlier, 'what stands around it')),
    ]);
  },
};

function findingOf(page: number, { word, differences, font, usualFont }: Outlier, others: string): Finding {
  const what = differences.join(', ');
  return {
    message: `${quoted(word.text)} on page ${page} is set otherwise than ${others} (${what}).`,
    evidence: [
      {
        page,
        box: word.box,
        after: word.text,
        details: { differs_in: what, font, usual_font: usualFont, font_size: Math.round(word.fontSize * 100) / 100 },
      },
    ],
  };
}
