import { kindOf, quoted } from '../../pdf/diff/values.ts';
import { readPaint } from '../../pdf/paint/read-paint.ts';
import { type Beneath, hiddenWords, valuesBeneath } from '../../pdf/text/beneath.ts';
import { readPages } from '../../pdf/text/read-pages.ts';
import { type Finding, type Rule, verdictOf } from '../../rule.ts';

/**
 * A value or name that is unpainted, transparent, too small, clipped or on a hidden layer, with a different one of the same kind visible in
 * its place: a forger hid the original instead of removing it. Text under rectangles and pictures, and white text, is left to
 * `covered-text`.
 *
 * Recognised text over a scan does not count, nor does a layer of it over digital text, because such a layer repeats what is visible. Form
 * fields and samples made of zeros do not count, and text outside the page has no place to compare. Names do not count if many texts differ,
 * as in a layer of another language.
 *
 * Known false positives: a template that hides one figure beneath another, such as a net price beneath the gross one.
 *
 * Source: ISO 32000-1, 9.3.6 (text rendering mode), 8.5.4 (clipping); own reasoning.
 */
export const hiddenOriginal: Rule = {
  name: 'hidden-original',
  version: 6,
  title: 'Hidden values in the place of shown ones',
  strength: 'strong',
  family: 'content',
  substance: true,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const painted = await readPaint(bytes);
    const read = await readPages(bytes);
    const hidden = painted.reduce((sum, page) => sum + hiddenWords(page).length, 0);
    return verdictOf(
      read.flatMap(({ number, items }, index) => {
        const page = painted[index];
        return page === undefined ? [] : valuesBeneath(page, items).map((beneath) => findingOf(beneath, number));
      }),
      { count: hidden, what: 'hidden word', none: 'No text is hidden.' },
    );
  },
};

function findingOf({ hidden, shown }: Beneath, page: number): Finding {
  return {
    message: `The ${kindOf(shown.text)} on page ${page} reads ${quoted(shown.text)}, and ${quoted(hidden.text)} is hidden in its place.`,
    evidence: [{ page, box: shown.box, before: hidden.text, after: shown.text }],
  };
}
