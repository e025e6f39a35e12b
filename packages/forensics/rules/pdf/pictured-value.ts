import { isCompany } from '../../content/claims/companies.ts';
import { postcodeUnder } from '../../content/claims/people.ts';
import { folded } from '../../content/labels.ts';
import { wordLines } from '../../content/words.ts';
import type { Box } from '../../model.ts';
import { cut, isLikeName, isName, kindOf, quoted } from '../../pdf/diff/values.ts';
import { readPaint } from '../../pdf/paint/read-paint.ts';
import { before, elsewhere, nameElsewhere, namesOn } from '../../pdf/text/names.ts';
import { type Patch, patchesOn } from '../../pdf/text/patches.ts';
import { readPages, type TextPage } from '../../pdf/text/read-pages.ts';
import { type Finding, type Rule, verdictOf } from '../../rule.ts';

const LONGEST = 60;

/**
 * Programs write values as text. A small picture beside a label, in a column whose other values are text, or in the place of a line in a
 * block of text, is how forgers replace a value when they cannot write in the file's own fonts; so is a row of curves, which drawing
 * programs make of text, beside a label or in a column. OCR reads it, and the finding quotes what it shows. Elsewhere, a picture as high
 * as text, or curves beside text, count if OCR reads an amount, a date or an account. Names of people and companies count as a line of a
 * block, perhaps its first or last, and in a column, unless other text of the page repeats a word of them, as it does of a company's mark;
 * curves above an address must not stand above that of a company. If the page names another person or company elsewhere, the finding
 * says so.
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
  version: 7,
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
        // In a block of text, a logo or a signature is as likely as a value.
        const isExpected = patch.isInPlace && patch.label !== '';
        if (isExpected || isInPlaceOfName(patch, shown, page) || isValue(shown))
          findings.push(findingOf(patch, shown, page));
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

const LONG_WORD = 4;

/** OCR often misreads accounts, and the separators of dates as digits. */
const LONG_NUMBER = /(?:\d ?){6}/;

function isValue(shown: string): boolean {
  return ['IBAN', 'date', 'amount'].includes(kindOf(shown)) || LONG_NUMBER.test(shown);
}

/** Whether OCR read words or figures; what it reads in a drawing is noise. */
function isReadable(shown: string): boolean {
  return isValue(shown) || /^\p{L}[\p{L}\p{N} .,:'’&-]{2,}$/u.test(shown);
}

/** Whether it is a name in the place of one; the mark of a company above its address is text elsewhere, too. */
function isInPlaceOfName({ box, isNextLine, isInColumn, isDrawn }: Patch, shown: string, page: TextPage): boolean {
  const isRepeated = words(shown).some((word) => page.items.some(({ text }) => folded(text).includes(word)));
  if (isRepeated) return false;
  // OCR may lose the end of a legal form.
  const isOfTable = isDrawn && isInColumn && !isNextLine && isLikeName(shown);
  if (isCompany(shown) || isOfTable) return isNextLine || isInColumn;
  return isNextLine && isLikeName(shown) && (!isDrawn || isAddressed(box, page));
}

function words(text: string): string[] {
  return folded(text)
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length >= LONG_WORD);
}

/** Whether it stands above an address other than that of a company on the page. */
function isAddressed(box: Box, page: TextPage): boolean {
  const lines = wordLines([page]);
  const own = postcodeUnder({ page: page.number, box }, lines)?.value;
  const companies = namesOn(page).filter(({ text }) => isCompany(text));
  const theirs = companies.flatMap((company) => postcodeUnder(company, lines)?.value ?? []);
  return own !== undefined && theirs.length > 0 && !theirs.includes(own);
}

function findingOf({ box, label, isDrawn, isInPlace, isNextLine }: Patch, shown: string, page: TextPage): Finding {
  const { number } = page;
  const beside = `Beside ${quoted(cut(label, LONGEST))} on page ${number}`;
  const where =
    label !== '' ? beside : isInPlace || isNextLine ? `In a block of text on page ${number}` : `On page ${number}`;
  const kind = isDrawn ? 'a drawing' : 'a picture';
  const what = isReadable(shown) ? `${kind} that shows ${quoted(shown)}` : kind;
  const named = isName(shown) ? nameElsewhere(page, shown) : undefined;
  return {
    message: `${where} there is ${what}, where the rest of the page has text${elsewhere(named)}.`,
    evidence: [{ page: number, box, ...before(named), ...(isReadable(shown) ? { after: shown } : {}) }],
  };
}
