import { kindOf, quoted } from '../../pdf/diff/values.ts';
import { ALIKE, type Odd, oddHands } from '../../pdf/hand/odd.ts';
import { shownOn } from '../../pdf/hand/pages.ts';
import { structureOf } from '../../pdf/structure.ts';
import { before, elsewhere, nameElsewhere } from '../../pdf/text/names.ts';
import { readPages, type TextPage } from '../../pdf/text/read-pages.ts';
import { type Finding, notApplicable, type Rule, verdictOf } from '../../rule.ts';

/**
 * A program writes text in one way: strings in hexadecimal or not, hexadecimal digits in one case, the same spaces and order of operators,
 * numbers of one precision. Values written in a way that nothing else in the file shares were added by another program, even if font, size
 * and place are right and all sums add up. Their number does not matter as long as other values of the kind are written like everything
 * else; a document may show one account or name only, so accounts are compared with values of every kind, names with every text, and
 * two habits are needed. One habit of writing bytes is enough; of habits that may follow from what is drawn, two are needed. Strings are
 * compared with those that need as many escapes, because libraries write some bytes, such as a pound sign, in another way.
 *
 * Stamps stand alone and do not count, nor do short forms, page numbers, and values that are all written that way: a form filled in
 * by another program looks like that.
 *
 * Known false positives: a document system that corrects or adds one value on a finished page.
 *
 * Source: ISO 32000-1, 7.3 and 9.4, on what is left to the writer; own measurements.
 */
export const otherHand: Rule = {
  name: 'other-hand',
  version: 10,
  title: 'Values written by another program than the rest',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const shown = await shownOn(structureOf(bytes));
    const pages = await readPages(bytes);
    if (shown.length === 0) return notApplicable('The pages show no digital text.');
    return verdictOf(
      oddHands(shown).map((odd) => findingOf(odd, pages[odd.page - 1])),
      {
        count: shown.length > ALIKE ? shown.length : 0,
        what: 'text',
        none: 'The pages have too few texts to compare.',
      },
    );
  },
};

function findingOf({ page, word, differences }: Odd, text: TextPage | undefined): Finding {
  const [first] = differences;
  const details = Object.fromEntries(
    differences.map(({ habit, own, usual }) => [habit.replaceAll(' ', '_'), `${own}; elsewhere: ${usual}`]),
  );
  const named = kindOf(word.text) === 'text' ? nameElsewhere(text, word.text) : undefined;
  return {
    message: `${quoted(word.text)} on page ${page} is written into the file differently from all other text (${first?.habit})${elsewhere(named)}.`,
    evidence: [{ page, box: word.box, ...before(named), after: word.text, details }],
  };
}
