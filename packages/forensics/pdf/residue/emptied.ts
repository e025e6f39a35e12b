import type { Finding } from '../../rule.ts';
import { kindOf, quoted } from '../diff/values.ts';
import type { Blank } from '../paint/marks.ts';
import { union } from '../paint/matrix.ts';
import { readPaint } from '../paint/read-paint.ts';
import { readPages, type TextPage } from '../text/read-pages.ts';
import type { Word } from '../text/words.ts';

/** Fewer spaces separate words. */
const SPACES = 3;
/** In font sizes: how far apart the baselines may be, and how far beside a value the emptied text may begin. */
const SAME_LINE = 0.2;
const ASIDE = 1;
const SAME_SIZE = 0.25;
/** At most this share of the values of a kind may replace emptied text; in a completed form, all do. */
const FEW = 0.45;
const USUAL = 3;
const LISTED = 20;

interface Emptied {
  page: number;
  /** Words shown by one operator: a number may contain spaces. */
  words: Word[];
}

/**
 * Values in place of emptied text: an operator that shows nothing, and a value painted at its position later, after other parts of the
 * page. Editors leave this when they remove a text and write another one at the end of the content.
 */
export async function emptiedText(bytes: Uint8Array): Promise<Finding[]> {
  const painted = await readPaint(bytes);
  if (painted.every(({ blanks }) => blanks.length === 0)) return [];
  const pages = await readPages(bytes);
  const found = pages.flatMap((page, index) => emptiedOn(page, painted[index]?.blanks ?? []));
  const counts = countsOf(pages);
  const kind = ({ words }: Emptied) => kindOf(textOf(words));
  const own = Map.groupBy(found, kind);
  return found
    .filter((one) => isException(own.get(kind(one))?.length ?? 0, counts.get(kind(one)) ?? 0))
    .slice(0, LISTED)
    .map(findingOf);
}

function emptiedOn({ number, items }: TextPage, blanks: readonly Blank[]): Emptied[] {
  const empty = blanks.filter(({ spaces }) => spaces === 0 || spaces >= SPACES);
  if (empty.length === 0) return [];
  const found = items.filter((word) => isValue(word) && empty.some((one) => isWrittenOver(one, word, items)));
  const shows = new Set(found.map(firstShow));
  return [...shows].map((show) => ({ page: number, words: items.filter((word) => firstShow(word) === show) }));
}

function isValue({ text, angle }: Word): boolean {
  return angle === 0 && kindOf(text) !== 'text';
}

function isWrittenOver({ show, at, fontSize }: Blank, word: Word, items: readonly Word[]): boolean {
  const shown = firstShow(word);
  if (shown === undefined || shown <= show + 1) return false;
  const isThere =
    Math.abs(at.y - word.start.y) <= SAME_LINE * word.fontSize &&
    at.x >= word.start.x - ASIDE * word.fontSize &&
    at.x <= word.box.x + word.box.width + ASIDE * word.fontSize;
  if (!isThere || Math.abs(fontSize - word.fontSize) > SAME_SIZE * word.fontSize) return false;
  // Other text of the same line in between may be how a table is written.
  return items.some((other) => {
    const between = firstShow(other);
    const isBetween = between !== undefined && between > show && between < shown;
    return isBetween && Math.abs(other.start.y - word.start.y) > word.fontSize;
  });
}

function firstShow({ runs }: Word): number | undefined {
  const shows = runs.flatMap(({ show }) => show ?? []);
  return shows.length < runs.length || shows.length === 0 ? undefined : Math.min(...shows);
}

function countsOf(pages: readonly TextPage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { items } of pages)
    for (const word of items.filter(isValue)) {
      const kind = kindOf(word.text);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  return counts;
}

function isException(own: number, all: number): boolean {
  return all - own >= USUAL && own <= FEW * all;
}

function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

function findingOf({ page, words }: Emptied): Finding {
  const text = textOf(words);
  return {
    message: `${quoted(text)} on page ${page} was written after the rest of the page, in the place of a text that was emptied.`,
    strength: 'medium',
    evidence: [{ page, box: words.map(({ box }) => box).reduce(union), after: text }],
  };
}
