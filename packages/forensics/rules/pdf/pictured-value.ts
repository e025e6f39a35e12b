import { cut, kindOf, quoted } from '../../pdf/diff/values.ts';
import { readPaint } from '../../pdf/paint/read-paint.ts';
import { type Patch, patchesOn } from '../../pdf/text/patches.ts';
import { readPages } from '../../pdf/text/read-pages.ts';
import { type Finding, type Rule, verdictOf } from '../../rule.ts';

const LONGEST = 60;

/**
 * Programs write values as text. A small picture beside a label, in a column whose other values are text, or in the place of a line in a
 * block of text, is how forgers replace a value when they cannot write in the file's own fonts. OCR reads the picture, and the finding
 * quotes it. Elsewhere, a picture as high as text counts if OCR reads an amount, a date or an account in it. The first also applies to a row
 * of curves, which drawing programs make of text, beside a label or in a column.
 *
 * Known false positives: values that an issuer draws as pictures to prevent copying, if only one or two of a column are drawn; icons as
 * wide as a word; an issuer's account as a picture. Pages with more than eight such pictures are skipped.
 *
 * Source: own reasoning.
 */
export const picturedValue: Rule = {
  name: 'pictured-value',
  version: 3,
  title: 'Pictures and drawings in the place of values',
  strength: 'medium',
  family: 'content',
  appliesTo: ['pdf'],
  async run(document) {
    const pages = await readPages(document.bytes);
    const findings: Finding[] = [];
    for (const painted of await readPaint(document.bytes)) {
      const page = pages[painted.number - 1];
      if (page === undefined) continue;
      for (const patch of patchesOn(painted, page)) {
        const shown = (await document.textIn?.(page.number, patch.box).catch(() => '')) ?? '';
        if (patch.isInPlace || isValue(shown)) findings.push(findingOf(patch, shown, page.number));
      }
    }
    return verdictOf(findings);
  },
};

/** Long numbers, such as IBANs, are often misread. */
const LONG_NUMBER = /(?:\d ?){8}/;

function isValue(shown: string): boolean {
  return ['IBAN', 'date', 'amount'].includes(kindOf(shown)) || LONG_NUMBER.test(shown);
}

function findingOf({ box, label, isDrawn, isInPlace }: Patch, shown: string, page: number): Finding {
  const beside = `Beside ${quoted(cut(label, LONGEST))} on page ${page}`;
  const where = label !== '' ? beside : isInPlace ? `In a block of text on page ${page}` : `On page ${page}`;
  const kind = isDrawn ? 'a drawing' : 'a picture';
  const what = shown ? `${kind} that shows ${quoted(shown)}` : kind;
  return {
    message: `${where} there is ${what}, where the rest of the page has text.`,
    evidence: [{ page, box, ...(shown ? { after: shown } : {}) }],
  };
}
