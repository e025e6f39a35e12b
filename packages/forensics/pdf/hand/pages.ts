import { readPaint } from '../paint/read-paint.ts';
import { pageContent } from '../residue/content.ts';
import type { Structure } from '../structure.ts';
import type { TextLine } from '../text/lines.ts';
import { readPages } from '../text/read-pages.ts';
import type { Word } from '../text/words.ts';
import { type Show, showsIn } from './shows.ts';

/** A text shown by one operator, with its words. */
export interface Shown extends Show {
  /** From 1. */
  page: number;
  words: Word[];
  /** The lines of the words. */
  lines: TextLine[];
}

const PAGES = 100;
const MOST_SHOWS = 60_000;

/**
 * The visible texts of the pages' own content, with the way each is written. Skips pages on which the two readers count different
 * numbers of showing operators. @throws Unreadable
 */
export async function shownOn(structure: Structure): Promise<Shown[]> {
  const painted = await readPaint(structure.bytes);
  const read = await readPages(structure.bytes);
  const objects = structure.current.pages();
  const all: Shown[] = [];
  for (const [index, { number, lines }] of read.slice(0, PAGES).entries()) {
    const object = objects[index];
    const content = object && pageContent(structure, object);
    if (content === undefined || all.length > MOST_SHOWS) continue;
    const shows = showsIn(content);
    if (shows.length === painted[index]?.shows) all.push(...wordsBy(shows, lines, number));
  }
  return all;
}

function wordsBy(shows: readonly Show[], lines: readonly TextLine[], page: number): Shown[] {
  const shown = shows.map((show): Shown => ({ ...show, page, words: [], lines: [] }));
  for (const line of lines)
    for (const word of line.items)
      for (const index of new Set(word.runs.flatMap(({ show }) => show ?? []))) {
        const one = shown[index];
        one?.words.push(word);
        if (one !== undefined && one.lines.at(-1) !== line) one.lines.push(line);
      }
  return shown.filter(({ words }) => words.length > 0);
}
