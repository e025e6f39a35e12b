import { CARRIED, CLOSING, folded } from '../content/labels.ts';
import { isDatedRow } from '../content/ledger/rows.ts';
import { wordLines } from '../content/words.ts';
import type { Page } from '../model.ts';

/** The printed numbers of the pages that are there, and of those that are not. */
export interface Sheets {
  numbers: number[];
  missing: number[];
}

interface Label {
  number: number;
  of?: number;
}

const WORD = '(?:page|seite|pagina|pag|side|strona|str|sida|blatt|folio|hoja|full)';
const OF = '(?:of|von|de|di|van|z|sur|av|auf|/|-)';
const NAMED = new RegExp(`(?<![\\p{L}])${WORD}[ .:]{0,3}(\\d{1,3})(?: ?${OF} ?(\\d{1,3}))?(?![\\d.,/-]\\d)`, 'u');
const BARE = /^-? ?(\d{1,3}) ?(?:\/|of|von|de|di|van|z|sur) ?(\d{1,3}) ?-?$/;
/** Numbers of pages stand in the upper or lower part of a page. */
const EDGE = 0.22;
const MAX_PAGES = 200;
const MAX_MISSING = 10;

/**
 * Each part of a file begins with its page 1, because people hand in several statements in one file. Pages without a number may be the
 * missing ones. A balance that is carried to the next page shows that a page follows.
 */
export function sheetsOf(pages: readonly Page[]): Sheets {
  const labels = pages.slice(0, MAX_PAGES).map((page) => ({ page, label: labelOf(page) }));
  const parts: (typeof labels)[] = [];
  for (const one of labels) {
    const part = parts.at(-1);
    const before = part?.findLast(({ label }) => label !== undefined)?.label?.number;
    const begins = one.label !== undefined && before !== undefined && one.label.number <= before;
    if (part === undefined || begins) parts.push([one]);
    else part.push(one);
  }
  const missing = parts.flatMap((part) => missingIn(part));
  const numbers = labels.flatMap(({ label }) => label?.number ?? []);
  return { numbers, missing: [...new Set(missing)].sort((a, b) => a - b).slice(0, MAX_MISSING) };
}

function missingIn(part: readonly { page: Page; label: Label | undefined }[]): number[] {
  const found = new Set(part.flatMap(({ label }) => label?.number ?? []));
  if (found.size === 0) return [];
  const totals = part.flatMap(({ label }) => label?.of ?? []);
  const last = Math.max(...found, ...totals);
  const unnumbered = part.length - part.filter(({ label }) => label !== undefined).length;
  if (last > MAX_PAGES) return [];
  const missing = Array.from({ length: last }, (_, index) => index + 1).filter((number) => !found.has(number));
  if (missing.length > 0) return missing.length > unnumbered ? missing : [];
  return totals.length === 0 && isCarriedOn(part.map(({ page }) => page)) ? [last + 1] : [];
}

function labelOf(page: Page): Label | undefined {
  const lines = wordLines([page]).filter(({ box }) => {
    const middle = (box.y + box.height / 2) / page.height;
    return middle < EDGE || middle > 1 - EDGE;
  });
  const found = lines.flatMap(({ text }) => text.split('\t').flatMap((cell) => labelIn(folded(cell.trim()))));
  const [first] = found;
  // Two different numbers on one page: one of them belongs to something else.
  return first && found.every(({ number }) => number === first.number) ? first : undefined;
}

function labelIn(cell: string): Label[] {
  const match = NAMED.exec(cell) ?? BARE.exec(cell);
  const [number, of] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || number < 1 || of < number) return [];
  return [{ number, ...(match[2] === undefined ? {} : { of }) }];
}

/** The last page ends with a balance that is carried to the next, and no page has the closing balance. */
function isCarriedOn(pages: readonly Page[]): boolean {
  if (wordLines(pages).some(({ text }) => CLOSING.test(folded(text)))) return false;
  const lines = wordLines(pages.slice(-1));
  const carries = lines.findLastIndex(({ text }) => CARRIED.test(folded(text)));
  return carries > lines.length / 2 && !lines.slice(carries).some(isDatedRow);
}
