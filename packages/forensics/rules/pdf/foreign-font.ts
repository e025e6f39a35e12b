import { quoted } from '../../pdf/diff/values.ts';
import { fontObjectsOf } from '../../pdf/text/font-objects.ts';
import { type Foreign, foreignValues, mixedNumbers, valuesIn } from '../../pdf/text/foreign.ts';
import { before, elsewhere, nameElsewhere } from '../../pdf/text/names.ts';
import type { TextPage } from '../../pdf/text/read-pages.ts';
import type { Finding, Rule } from '../../rule.ts';
import { type Looked, verdictOnText } from '../on-text.ts';

/**
 * A program sets all values of a kind in one font. A font that sets only a few values, on lines of another font, was added by an editor:
 * programs that edit pages lack the file's own font, or have it without the characters they need. The number of values does not matter as
 * long as the file sets more values of the kind in another font. The same applies to one number in two fonts, and to a name in
 * its place, painted last, whose font the file uses nowhere else.
 *
 * Issuers, too, set sums and other values in fonts of their own, and names say little of a family. So the font must have been added, as its
 * objects are written otherwise than those of the other fonts, or the values be painted out of their turn.
 *
 * Bold and italic do not count. Silent if the file has no other values of the kind, as in forms filled in by another program.
 *
 * Known false positives: templates with some printed values, to which a program adds others of the kind in its own font.
 *
 * Source: own reasoning.
 */
export const foreignFont: Rule = {
  name: 'foreign-font',
  version: 6,
  title: 'Values in a font of their own',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf'],
  run: ({ bytes }) => verdictOnText(bytes, (pages) => look(pages, bytes)),
};

function look(pages: TextPage[], bytes: Uint8Array): Looked {
  const fonts = () => fontObjectsOf(bytes);
  const foreign = [...foreignValues(pages, fonts), ...mixedNumbers(pages, fonts)];
  const found = new Map(foreign.map((one) => [one.word, one]));
  return {
    findings: [...found.values()].map((foreign) => findingOf(foreign, pages)),
    compared: { count: valuesIn(pages), what: 'value', none: 'There are too few values to compare.' },
  };
}

function findingOf({ page, word, font, usualFont, difference }: Foreign, pages: readonly TextPage[]): Finding {
  const isName = !/\d/.test(word.text);
  const where = isName ? 'nothing else in the file uses' : 'other values of its kind do not use';
  const named = isName ? nameElsewhere(pages[page - 1], word.text) : undefined;
  return {
    message: `${quoted(word.text)} on page ${page} is in a font that ${where} (${difference})${elsewhere(named)}.`,
    evidence: [
      {
        page,
        box: word.box,
        ...before(named),
        after: word.text,
        details: { differs_in: difference, font, usual_font: usualFont },
      },
    ],
  };
}
