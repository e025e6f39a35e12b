import { combined, identity, inverse, type Matrix, placed } from '../paint/matrix.ts';
import type { Word } from '../text/words.ts';

/** Words in the same place of a page in two of its states, each from left to right. One of the two may be empty. */
export interface Change {
  before: Word[];
  after: Word[];
}

/** One state of a page: its words, and the matrix from its own coordinates to the page as displayed. */
export interface State {
  words: readonly Word[];
  view: Matrix;
}

interface Spot {
  word: Word;
  /** In the page's own coordinates, so that turning or cutting a page moves nothing. */
  left: number;
  right: number;
  base: number;
}

/** In points. */
const SAME_PLACE = 2;
/** If more of a page moved, it was laid out again, and positions mean nothing. */
const MOST = 0.5;
const FEW = 8;
/** One group of a figure, and the widest space between two groups in font sizes. */
const GROUP = /^(?:[A-Z\d]{4}|[-+\u2212]?\d{1,4}|\d{3}[.,]\d{2})$/;
const SPACE = 0.68;
const GROUPS = 10;
/** Beyond this number, the remaining words are compared as a whole. */
const WORDS_COMPARED = 3000;

/** The words that differ between two states. Words that moved together, or are split differently, are no change. */
export function changesOf(before: State, after: State): Change[] {
  const old = spotsOf(before);
  const [left, added] = unmatched(old, spotsOf(after), sameText, near);
  const isSetAnew = old.length >= FEW && left.length > MOST * old.length;
  const [removed, written] = isSetAnew ? unmatched(left, added, sameText, () => true) : [left, added];
  if (removed.length + written.length > WORDS_COMPARED) return [{ before: wordsOf(removed), after: wordsOf(written) }];
  const changes = withoutMoves(groupsOf(removed, written).map(trimmed).filter(readsOtherwise));
  return merged(changes.map((change) => widened(change, before.words, after.words)));
}

export function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** Adds the other groups of a figure that is written in groups, as in "DE12 3456" and "14 178,06". */
function widened(change: Change, before: readonly Word[], after: readonly Word[]): Change {
  if (change.before.length === 0) return change;
  const now = change.after.length === 0 ? [] : withGroups(change.after, after);
  return { before: withGroups(change.before, before), after: now };
}

function withGroups(words: readonly Word[], all: readonly Word[]): Word[] {
  if (!words.every(({ text }) => GROUP.test(text))) return [...words];
  const whole = [...words];
  const level = all.filter(({ text, start }) => GROUP.test(text) && Math.abs(start.y - (whole[0]?.start.y ?? 0)) < 1);
  const grow = (end: -1 | 0) => {
    for (let count = 0; count < GROUPS; count++) {
      const edge = whole.at(end);
      const next = level.find((word) => edge !== undefined && (end === 0 ? follows(word, edge) : follows(edge, word)));
      if (next === undefined) return;
      if (end === 0) whole.unshift(next);
      else whole.push(next);
    }
  };
  grow(0);
  grow(-1);
  return whole;
}

function follows(left: Word, right: Word): boolean {
  const gap = right.box.x - left.box.x - left.box.width;
  return gap > 0 && gap < SPACE * Math.max(left.fontSize, right.fontSize);
}

/** Removes duplicates: two changes to one figure become one. */
function merged(changes: readonly Change[]): Change[] {
  const named = (words: readonly Word[]) => words.map(({ order, text }) => `${order} ${text}`);
  const key = ({ before, after }: Change) => JSON.stringify([named(before), named(after)]);
  return [...new Map(changes.map((change) => [key(change), change])).values()];
}

/** The text as people read it: without spaces, and with one kind of dashes and quotes. */
function legible(words: readonly Word[]): string {
  return textOf(words)
    .normalize('NFKC')
    .replace(/[\u00ad\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019\u201a\u00b4`]/g, "'")
    .replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"')
    .replace(/\s+/g, '');
}

/** Punctuation alone counts only in texts with digits: in words it may come from how a font was decoded. */
function readsOtherwise({ before, after }: Change): boolean {
  const [old, now] = [legible(before), legible(after)];
  if (old === now) return false;
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
  return letters(old) !== letters(now) || (/\d/.test(old) && old !== '' && now !== '');
}

function spotsOf({ words, view }: State): Spot[] {
  const back = combined(inverse(view) ?? identity, identity);
  return words.map((word) => {
    const run = word.runs.at(-1);
    const start = placed(back, word.start.x, word.start.y);
    const end = run === undefined ? start : placed(back, run.end.x, run.end.y);
    return { word, left: Math.min(start.x, end.x), right: Math.max(start.x, end.x), base: start.y };
  });
}

function near(one: Spot, other: Spot): boolean {
  return Math.abs(one.left - other.left) <= SAME_PLACE && Math.abs(one.base - other.base) <= SAME_PLACE;
}

function sameText(spot: Spot): string {
  return legible([spot.word]);
}

/** The elements of two lists without a counterpart in the other. */
function unmatched(
  one: readonly Spot[],
  other: readonly Spot[],
  key: (spot: Spot) => string,
  fits: (a: Spot, b: Spot) => boolean,
): [Spot[], Spot[]] {
  const candidates = Map.groupBy(other, key);
  const matched = new Set<Spot>();
  const left = one.filter((spot) => {
    const among = candidates.get(key(spot)) ?? [];
    const found = among.findIndex((candidate) => fits(spot, candidate));
    if (found < 0) return true;
    matched.add(...(among.splice(found, 1) as [Spot]));
    return false;
  });
  return [left, other.filter((spot) => !matched.has(spot))];
}

/** Words of both states that touch or overlap on a line, directly or through others. */
function groupsOf(before: readonly Spot[], after: readonly Spot[]): Change[] {
  const old = new Set(before);
  const waiting = new Set([...before, ...after]);
  const groups: Change[] = [];
  for (const first of waiting) {
    waiting.delete(first);
    const group = [first];
    for (const spot of group) {
      for (const other of waiting) {
        if (!adjoins(spot, other)) continue;
        waiting.delete(other);
        group.push(other);
      }
    }
    groups.push({
      before: wordsOf(group.filter((spot) => old.has(spot))),
      after: wordsOf(group.filter((spot) => !old.has(spot))),
    });
  }
  return groups;
}

function adjoins(one: Spot, other: Spot): boolean {
  const size = Math.max(one.word.fontSize, other.word.fontSize);
  const gap = Math.max(one.left, other.left) - Math.min(one.right, other.right);
  return Math.abs(one.base - other.base) <= 0.45 * size && gap <= 0.6 * size;
}

function wordsOf(spots: readonly Spot[]): Word[] {
  return [...spots].sort((a, b) => b.base - a.base || a.left - b.left).map(({ word }) => word);
}

/** Removes the words with which both states begin and end: the change between them moved them. */
function trimmed({ before, after }: Change): Change {
  const old = [...before];
  const now = [...after];
  while (old.length > 1 && now.length > 1 && old[0]?.text === now[0]?.text) {
    old.shift();
    now.shift();
  }
  while (old.length > 1 && now.length > 1 && old.at(-1)?.text === now.at(-1)?.text) {
    old.pop();
    now.pop();
  }
  return { before: old, after: now };
}

/** Text that is gone in one place and appears in another one was only moved. */
function withoutMoves(changes: Change[]): Change[] {
  const removals = changes.filter(({ after }) => after.length === 0);
  const additions = Map.groupBy(
    changes.filter(({ before }) => before.length === 0),
    ({ after }) => legible(after),
  );
  const moved = new Set<Change>();
  for (const removal of removals) {
    const addition = additions.get(legible(removal.before))?.pop();
    if (addition === undefined) continue;
    moved.add(removal);
    moved.add(addition);
  }
  return changes.filter((change) => !moved.has(change));
}
