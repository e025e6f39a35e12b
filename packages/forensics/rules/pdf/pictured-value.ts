import { cut, isLikeName, kindOf, quoted } from '../../pdf/diff/values.ts';
import { readPaint } from '../../pdf/paint/read-paint.ts';
import { type Patch, patchesOn } from '../../pdf/text/patches.ts';
import { readPages } from '../../pdf/text/read-pages.ts';
import { type Finding, type Rule, verdictOf } from '../../rule.ts';

const LONGEST = 60;

/**
 * Programs write values as text. A small picture beside a label, in a column whose other values are text, or in the place of a line in a
 * block of text, is how forgers replace a value when they cannot write in the file's own fonts; so is a row of curves, which drawing
 * programs make of text, beside a label or in a column. OCR reads it, and the finding quotes what it shows. Elsewhere, a picture as high
 * as text, or curves beside text, count if OCR reads an amount, a date or an account; as a line of a block, perhaps its first or last, a
 * picture also counts if it may show a name.
 *
 * A picture above a person's name, or beside a label for signatures and stamps, is one.
 *
 * Known false positives: values that an issuer draws as pictures to prevent copying, if only one or two of a column are drawn; icons as
 * wide as a word; an issuer's account or name as a picture. Pages with more than four such pictures are skipped.
 *
 * Source: own reasoning.
 */
export const picturedValue: Rule = {
  name: 'pictured-value',
  version: 6,
  title: 'Pictures and drawings in the place of values',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf'],
  async run(document) {
    const pages = await readPages(document.bytes);
    const findings: Finding[] = [];
    let looked = 0;
    for (const painted of await readPaint(document.bytes)) {
      const page = pages[painted.number - 1];
      if (page === undefined) continue;
      for (const patch of patchesOn(painted, page)) {
        looked++;
        const shown = (await document.textIn?.(page.number, patch.box).catch(() => '')) ?? '';
        const isNamed = patch.isNextLine && isLikeName(shown);
        // In a block of text, a logo or a signature is as likely as a value.
        const isExpected = patch.isInPlace && patch.label !== '';
        if (isExpected || isNamed || isValue(shown)) findings.push(findingOf(patch, shown, page.number));
      }
    }
    return verdictOf(findings, {
      count: looked,
      what: 'picture or drawing',
      many: 'pictures and drawings',
      none: 'No picture or drawing has the size of a value.',
    });
  },
};

/** OCR often misreads accounts, and the separators of dates as digits. */
const LONG_NUMBER = /(?:\d ?){6}/;

function isValue(shown: string): boolean {
  return ['IBAN', 'date', 'amount'].includes(kindOf(shown)) || LONG_NUMBER.test(shown);
}

/** Whether OCR read words or figures; what it reads in a drawing is noise. */
function isReadable(shown: string): boolean {
  return isValue(shown) || /^\p{L}[\p{L}\p{N} .,:'’&-]{2,}$/u.test(shown);
}

function findingOf({ box, label, isDrawn, isInPlace, isNextLine }: Patch, shown: string, page: number): Finding {
  const beside = `Beside ${quoted(cut(label, LONGEST))} on page ${page}`;
  const where =
    label !== '' ? beside : isInPlace || isNextLine ? `In a block of text on page ${page}` : `On page ${page}`;
  const kind = isDrawn ? 'a drawing' : 'a picture';
  const what = isReadable(shown) ? `${kind} that shows ${quoted(shown)}` : kind;
  return {
    message: `${where} there is ${what}, where the rest of the page has text.`,
    evidence: [{ page, box, ...(isReadable(shown) ? { after: shown } : {}) }],
  };
}
