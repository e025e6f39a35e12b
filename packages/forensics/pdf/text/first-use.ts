import { longestRise } from '../longest-rise.ts';
import type { PaintedPage, Run } from '../paint/marks.ts';
import type { TextPage } from './read-pages.ts';
import type { CodesBySubset } from './subsets.ts';
import type { Word } from './words.ts';

/** A word that contradicts the order in which a program numbered the characters of a font on first use. */
export interface OutOfTurn {
  /** The font's name without its subset prefix. */
  font: string;
  /** From 1. */
  page: number;
  word: Word;
  /** Characters of the word that, by their number, were first needed later. */
  early: string[];
  /** Characters that, by their number, were first needed here, but that the word does not show. */
  gone: string[];
}

interface First {
  code: number;
  character: string;
  page: number;
  run: Run;
}

/** Fewer characters may be in order by chance. */
const FEWEST = 12;
/** This many codes between the lowest and the highest may lack a visible character, such as the space and removed text. */
const UNSEEN = 4;
/** A larger share is no exception: the font is not numbered this way, or pages were removed. */
const MAX_SHARE = 0.25;
const MAX_WORDS = 4;
/** Characters in order that are required before and after a word: text drawn first or last may be laid out at another time. */
const BEFORE = 4;
const BEHIND = 2;

/**
 * Programs that number the characters of an embedded font on first use also show them in that order. A character that appears too
 * early, or is missing where its number places it, was replaced later.
 */
export function outOfTurn(
  painted: readonly PaintedPage[],
  read: readonly TextPage[],
  codes: CodesBySubset,
): OutOfTurn[] {
  const words = new Map(
    read.flatMap(({ number, items }) =>
      items.flatMap((word) => word.runs.map(({ order }) => [`${number} ${order}`, word] as const)),
    ),
  );
  const wordOf = ({ page, run }: First) => words.get(`${page} ${run.order}`);
  return [...firstUses(painted)].flatMap(([subset, firsts]) => {
    const found = oddWords(firsts, wordOf, codes.get(subset));
    return found.length > MAX_WORDS ? [] : found.map((odd) => ({ font: subset.slice(7), ...odd }));
  });
}

/** By subset, each code at its first appearance. Skips forms, which are drawn at a different time from when they are written. */
function firstUses(painted: readonly PaintedPage[]): Map<string, First[]> {
  const bySubset = new Map<string, Map<number, First>>();
  for (const { number: page, marks } of painted)
    for (const run of marks) {
      if (run.kind !== 'text' || run.codes === undefined || run.show === undefined) continue;
      const firsts = bySubset.get(run.subset) ?? new Map<number, First>();
      bySubset.set(run.subset, firsts);
      const characters = run.codes.length === run.text.length ? run.text : '';
      for (const [index, code] of run.codes.entries())
        if (!firsts.has(code)) firsts.set(code, { code, character: characters[index] ?? '', page, run });
    }
  return new Map([...bySubset].map(([subset, firsts]) => [subset, [...firsts.values()]]));
}

type Odd = Omit<OutOfTurn, 'font'>;

function oddWords(
  firsts: readonly First[],
  wordOf: (first: First) => Word | undefined,
  characters: ReadonlyMap<number, string> = new Map(),
): Odd[] {
  if (!areNumbered(firsts)) return [];
  const inTurn = longestRise(firsts, ({ code }) => code);
  const odd = new Map<Word, Odd>();
  const note = (first: First, word: Word | undefined, as: 'early' | 'gone', character: string) => {
    if (word === undefined || character === '') return;
    const known = odd.get(word) ?? { page: first.page, word, early: [], gone: [] };
    odd.set(word, known);
    known[as].push(character);
  };
  const kept = firsts.filter((first) => inTurn.has(first));
  if (firsts.length - kept.length > MAX_SHARE * firsts.length) return [];
  const homeOf = (code: number) => home(kept, code, wordOf);
  for (const [index, first] of firsts.entries()) {
    if (inTurn.has(first)) continue;
    const before = firsts.slice(0, index).findLast((one) => inTurn.has(one));
    const behind = firsts.slice(index + 1).filter((one) => inTurn.has(one));
    const next = behind.find(({ code }) => code < first.code);
    const isAmong = before !== undefined && kept.indexOf(before) + 1 >= BEFORE && behind.length >= BEHIND;
    // A page may be finished after the pages that follow it.
    if (next !== undefined) {
      if (isAmong && next.page === first.page) note(first, wordOf(first), 'early', first.character);
      else return [];
    } else {
      const place = homeOf(first.code);
      if (place !== undefined) note(place, wordOf(place), 'gone', first.character);
    }
  }
  const shown = new Set(firsts.map(({ code }) => code));
  for (const [code, character] of characters) {
    const place = shown.has(code) || !/^\d$/.test(character) ? undefined : homeOf(code);
    if (place !== undefined) note(place, wordOf(place), 'gone', character);
  }
  return [...odd.values()];
}

/** Whether the codes are almost consecutive: those of a complete font have gaps. */
function areNumbered(firsts: readonly First[]): boolean {
  if (firsts.length < FEWEST) return false;
  const codes = firsts.map(({ code }) => code);
  const [lowest, highest] = codes.reduce(([low, high], code) => [Math.min(low, code), Math.max(high, code)], [
    Number.POSITIVE_INFINITY,
    0,
  ] as [number, number]);
  return highest - lowest + 1 - firsts.length <= UNSEEN;
}

/** Where a code was first needed: the word that shows both the code before it and the code after it, if one word shows both. */
function home(kept: readonly First[], code: number, wordOf: (first: First) => Word | undefined): First | undefined {
  const at = kept.findLastIndex((first) => first.code < code);
  const [before, behind] = [kept[at], kept[at + 1]];
  if (before === undefined || behind === undefined || at + 1 < BEFORE || kept.length - at - 1 < BEHIND)
    return undefined;
  return wordOf(before) === wordOf(behind) ? before : undefined;
}
