import { quoted } from '../../pdf/diff/values.ts';
import { amountColumns } from '../../pdf/text/columns.ts';
import { type Outlier, oddAmounts } from '../../pdf/text/outliers.ts';
import { readPages } from '../../pdf/text/read-pages.ts';
import { type Finding, type Rule, verdictOf } from '../../rule.ts';

/**
 * The amounts of a column are set by one line of a program: in one font and size, on the baseline of their row, ending at one right edge.
 * If at most a quarter of them (or two) differ while the rest of their row does not, something else set them. A font of another family, or
 * two fonts within one amount, is enough; of size, baseline, right edge and a second copy of the same font, two must differ. Bold, italic
 * and colour do not count. The last row, which may be a total, counts only for its fonts. Rows whose other cells differ too, columns of
 * fewer than six amounts and uneven columns are ignored.
 *
 * Known false positives: templates that set one amount of a column, but not its total, in a different font.
 *
 * Source: own reasoning.
 */
export const fontOutlier: Rule = {
  name: 'font-outlier',
  version: 4,
  title: 'Fonts and places of amounts in a column',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const pages = await readPages(bytes);
    const odd = pages.flatMap((page) => oddAmounts(page).map((outlier) => ({ page: page.number, outlier })));
    const amounts = pages.flatMap(amountColumns).reduce((sum, column) => sum + column.length, 0);
    return verdictOf(
      odd.map(({ page, outlier }) => findingOf(page, outlier)),
      { count: amounts, what: 'amount', none: 'There is no column of six amounts or more.' },
    );
  },
};

function findingOf(page: number, { word, differences, font, usualFont }: Outlier): Finding {
  const what = differences.join(', ');
  return {
    message: `${quoted(word.text)} on page ${page} is set differently from the other amounts of its column (${what}).`,
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
