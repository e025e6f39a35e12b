import type { Box } from '../../model.ts';
import type { Evidence, Finding, Strength } from '../../rule.ts';
import type { Mark } from '../paint/marks.ts';
import { area, common, union } from '../paint/matrix.ts';
import { isDark } from '../text/redactions.ts';
import { isOpaque } from '../text/seen.ts';
import type { Word } from '../text/words.ts';
import type { PagePair, PageState } from './page-pairs.ts';
import { cut, isDecoded, isLegible, kindOf, quoted } from './values.ts';
import { type Change, changesOf, textOf } from './word-changes.ts';

/** A change to a page's text, as a reader would describe it. */
export interface TextFinding extends Finding {
  strength: Strength;
  /** The same for the same change in any earlier state. */
  key: string;
}

const LARGE_FONT = 36;
const MANY_CHANGES = 25;
const MAX_VALUE_LENGTH = 300;
const PAGE_NUMBER =
  /^(?:(?:page|p\.|seite|s\.|blatt|página|pagina|pág\.|pag\.|strona|str\.|sida|side) ?#(?: ?(?:of|von|de|di|van|z|av|af|sur|\/|-) ?#)?|# ?\/ ?#)$/u;
/** A page with fewer words is a form or a cover sheet, on which writing is expected. */
const WRITTEN_PAGE = 20;
const AMOUNTS_OF_A_COLUMN = 3;

/** What changed on a page since an earlier state. Text written in the place of a form field, present or former, is no change. */
export function findingsOf({ before, after }: PagePair, fields: readonly Box[]): TextFinding[] {
  if (after === undefined) return before.text.items.length < WRITTEN_PAGE ? [] : [pageGone(before)];
  const changes = changesOf(
    { words: before.text.items, view: before.paint.view },
    { words: after.text.items, view: after.paint.view },
  );
  if (becamePicture(before, after)) return [pageBecamePicture(before, after)];
  if (changes.length > MANY_CHANGES) return [pageReplaced(changes, before, after)];
  return changes.flatMap((change) => {
    const found = findingOf(change, before, after, fields);
    return found === undefined ? [] : [found];
  });
}

function findingOf(
  { before, after }: Change,
  old: PageState,
  now: PageState,
  fields: readonly Box[],
): TextFinding | undefined {
  if (!isDecoded(textOf(before)) || !isDecoded(textOf(after))) return undefined;
  if (!isLegible(textOf(before))) return isLegible(textOf(after)) ? added(after, old, now, fields) : undefined;
  return isLegible(textOf(after)) ? changed(before, after, now) : removed(before, old, now);
}

function changed(before: readonly Word[], after: readonly Word[], now: PageState): TextFinding {
  const [old, value] = [textOf(before), textOf(after)];
  const aside = isAside(before, now) || isPageNumber(old, value);
  return about(now, {
    message: `The ${kindOf(value)} on page ${now.text.number} read ${quoted(old)} in an earlier version of the file and reads ${quoted(value)} now.`,
    strength: aside ? 'context' : 'strong',
    words: after,
    before: old,
    after: value,
  });
}

function removed(before: readonly Word[], old: PageState, now: PageState): TextFinding {
  const value = textOf(before);
  const cover = coverOver(before, old, now);
  const where = `on page ${now.text.number}`;
  const sentences = {
    gone: `${quoted(value)} stood ${where} in an earlier version of the file and is gone now.`,
    picture: `${quoted(value)} stood ${where} in an earlier version of the file, and is now a picture.`,
    covered: `${quoted(value)} stood ${where} in an earlier version of the file and is covered now.`,
    blackened: `${quoted(value)} stood ${where} in an earlier version of the file and is blackened now.`,
  };
  const isValue = /\d/.test(value) || before.length > 1;
  const weight: Record<keyof typeof sentences, Strength> = {
    gone: isValue ? 'strong' : 'medium',
    picture: isValue ? 'strong' : 'medium',
    covered: 'medium',
    blackened: 'context',
  };
  const strength = isAside(before, old) ? 'context' : weight[cover];
  return about(now, { message: sentences[cover], strength, words: before, before: value, after: '' });
}

/** People write on forms and stamp pages, so added text is context; an amount that joins a column weighs more. */
function added(
  after: readonly Word[],
  old: PageState,
  now: PageState,
  fields: readonly Box[],
): TextFinding | undefined {
  const value = textOf(after);
  const box = boxOf(after);
  const isField = fields.some((field) => area(common(field, box)) > 0.5 * area(box));
  if (isField || isAside(after, now) || old.text.items.length < WRITTEN_PAGE) return undefined;
  return about(now, {
    message: `${quoted(value)} was added to page ${now.text.number} after an earlier version of the file.`,
    strength: after.some((word) => joinsColumn(word, old)) ? 'medium' : 'context',
    words: after,
    before: '',
    after: value,
  });
}

function joinsColumn({ text, box }: Word, { text: page }: PageState): boolean {
  if (kindOf(text) !== 'amount') return false;
  const column = page.items.filter(
    (item) => kindOf(item.text) === 'amount' && Math.abs(item.box.x + item.box.width - box.x - box.width) < 1.5,
  );
  return column.length >= AMOUNTS_OF_A_COLUMN;
}

/** Watermarks, large print and text outside the page are not part of what the page says. */
function isAside(words: readonly Word[], { text: { width, height } }: PageState): boolean {
  const slanted = words.some(({ angle }) => angle % 90 !== 0);
  const large = words.every(({ fontSize }) => fontSize >= LARGE_FONT);
  const { x, y, ...size } = boxOf(words);
  const outside = x > width || y > height || x + size.width < 0 || y + size.height < 0;
  return slanted || large || outside;
}

/** Page numbers, which tools that merge files rewrite: "Page 2 of 5", "2/5". */
function isPageNumber(before: string, after: string): boolean {
  const shape = (text: string) => text.toLowerCase().replace(/\d{1,4}/g, '#');
  return shape(before) === shape(after) && PAGE_NUMBER.test(shape(before));
}

/** What covers a text that is gone, and did not cover it before. */
function coverOver(
  words: readonly Word[],
  old: PageState,
  now: PageState,
): 'gone' | 'picture' | 'covered' | 'blackened' {
  const box = boxOf(words);
  const covers = (mark: Mark) => isOpaque(mark) && area(common(mark.box, box)) > 0.6 * area(box);
  const known = new Set(old.paint.marks.filter(covers).map(placeOf));
  const cover = now.paint.marks.filter(covers).findLast((mark) => !known.has(placeOf(mark)));
  if (cover === undefined || cover.kind === 'text') return 'gone';
  if (isDark(cover.colour)) return 'blackened';
  return cover.kind === 'picture' && cover.colour === undefined && isTight(cover, words) ? 'picture' : 'covered';
}

function isTight({ box }: Mark, words: readonly Word[]): boolean {
  return box.height <= 3 * Math.max(...words.map(({ fontSize }) => fontSize));
}

function placeOf({ box, kind }: Mark): string {
  return [kind, box.x, box.y, box.width, box.height]
    .map((part) => (typeof part === 'number' ? Math.round(part) : part))
    .join();
}

function becamePicture(before: PageState, after: PageState): boolean {
  const { width, height, marks } = after.paint;
  return (
    before.text.items.length >= WRITTEN_PAGE &&
    after.text.items.length === 0 &&
    marks.some(({ kind, box }) => kind === 'picture' && area(box) > 0.5 * width * height)
  );
}

function pageBecamePicture(before: PageState, after: PageState): TextFinding {
  const page = after.text.number;
  return about(after, {
    message: `Page ${page} was text in an earlier version of the file and is a picture now.`,
    strength: 'medium',
    words: before.text.items,
    before: before.text.lines.map(({ text }) => text).join('\n'),
    after: '',
  });
}

function pageGone(before: PageState): TextFinding {
  const { number, lines } = before.text;
  const message = `Page ${number} of an earlier version of the file is gone.`;
  const value = cut(lines.map(({ text }) => text).join('\n'), MAX_VALUE_LENGTH);
  return { message, strength: 'medium', key: message, evidence: [{ before: value, after: '' }] };
}

function pageReplaced(changes: readonly Change[], before: PageState, after: PageState): TextFinding {
  const page = after.text.number;
  const legible = changes.filter((change) => isDecoded(textOf([...change.before, ...change.after])));
  const lost = legible.filter((change) => isLegible(textOf(change.before)));
  const evidence = lost.map((change) => evidenceOf(after, change.after, textOf(change.before), textOf(change.after)));
  const isStrong = lost.length > MANY_CHANGES / 2 && before.text.items.length >= WRITTEN_PAGE;
  return {
    message: `Page ${page} reads otherwise in ${lost.length} places than in an earlier version of the file.`,
    strength: isStrong ? 'strong' : 'context',
    key: `${page} replaced`,
    evidence: evidence.length > 0 ? evidence : [{ page }],
  };
}

interface Said {
  message: string;
  strength: Strength;
  words: readonly Word[];
  before: string;
  after: string;
}

function about(page: PageState, { message, strength, words, before, after }: Said): TextFinding {
  const evidence = evidenceOf(page, words, before, after);
  return { message, strength, key: [page.text.number, before, after].join('\n'), evidence: [evidence] };
}

function evidenceOf(page: PageState, words: readonly Word[], before: string, after: string): Evidence {
  return {
    page: page.text.number,
    ...(words.length === 0 ? {} : { box: boxOf(words) }),
    before: cut(before, MAX_VALUE_LENGTH),
    after: cut(after, MAX_VALUE_LENGTH),
  };
}

function boxOf(words: readonly Word[]) {
  return words.map(({ box }) => box).reduce(union);
}
