import type { PaintedPage } from '../../pdf/paint/marks.ts';
import { area } from '../../pdf/paint/matrix.ts';
import { readPaint } from '../../pdf/paint/read-paint.ts';
import { seenRuns } from '../../pdf/text/seen.ts';
import { wordsOf } from '../../pdf/text/words.ts';
import { type Rule, verdictOf } from '../../rule.ts';

/** Pictures that cover less of a page are logos and photographs. */
const MAX_PAGE_SHARE = 0.5;
const FEW_WORDS = 5;

/**
 * Pages that consist of pictures, so the rules about text have nothing to check. Scans and photographs are such pages, and so is a document
 * that a forger printed and scanned, or saved as a picture, to leave no trace: it is context and decides nothing. Invisible recognised text
 * over the picture makes no difference.
 *
 * Known false positives: none as to the fact; it does not say why.
 *
 * Source: own reasoning.
 */
export const imageOnlyPages: Rule = {
  name: 'image-only-pages',
  version: 1,
  title: 'Pages that are only a picture',
  strength: 'context',
  family: 'image',
  substance: false,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const pages = await readPaint(bytes);
    const only = pages.filter(isImageOnly);
    const compared = { count: pages.length, what: 'page' };
    if (only.length === 0) return verdictOf([], compared);
    const numbers = only.map(({ number }) => number);
    const which =
      only.length === pages.length
        ? 'Every page of the file is'
        : `${only.length === 1 ? 'Page' : 'Pages'} ${inWords(numbers)} ${only.length === 1 ? 'is' : 'are'}`;
    const message = `${which} only a picture, so that its text could not be examined as the file stores it.`;
    const evidence = only.map(({ number, width, height }) => ({ page: number, box: { x: 0, y: 0, width, height } }));
    return verdictOf([{ message, evidence }], compared);
  },
};

/** Whether a page shows pictures and almost no text; scanning programs add their name below. */
export function isImageOnly(page: PaintedPage): boolean {
  const { width, height, marks } = page;
  const pictured = marks.reduce((sum, { kind, box }) => sum + (kind === 'picture' ? area(box) : 0), 0);
  return pictured > MAX_PAGE_SHARE * width * height && wordsOf(seenRuns(page)).length <= FEW_WORDS;
}

/** Whether a file shows pictures and no text at all. @throws Unreadable */
export async function isImageOnlyFile(bytes: Uint8Array): Promise<boolean> {
  const pages = await readPaint(bytes);
  return pages.some(isImageOnly) && pages.every((page) => isImageOnly(page) || page.marks.length === 0);
}

function inWords(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10).join(', ');
  return numbers.length > 10 ? `${shown} and ${numbers.length - 10} more` : shown;
}
