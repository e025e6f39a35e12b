import { cached } from '../../cached.ts';
import { type Habit, OF_WRITING } from '../hand/habits.ts';
import { type Show, showsIn } from '../hand/shows.ts';
import type { PdfObject } from '../objects.ts';
import { contentStreams } from '../residue/content.ts';
import type { Structure } from '../structure.ts';
import { fontsOf } from './page-fonts.ts';

/** Habits that a program has in all texts that it shows. */
export type TextHabits = readonly (readonly [Habit, string])[];

/** A page whose texts are written differently from those of a program. */
export interface OtherTexts {
  /** From 1. */
  page: number;
  offset: number;
  differences: { habit: Habit; usual: string; own: string }[];
  /** Whether MuPDF wrote them, which rewrites pages when it cleans or redacts them. */
  isOfMuPdf: boolean;
}

const PAGES = 10;
/** In bytes of a stream: its beginning shows how all of it is written. */
const BEGINNING = 6_000;
/** Fewer texts do not show which program wrote them. */
const TEXTS = 5;
const MOST = 0.8;
/** A new version of a program may change one habit. */
const ENOUGH = 2;
/** Fewer pages do not show what is usual. */
const PAGES_ALIKE = 3;
const MAJORITY = 0.6;
const MUPDF: TextHabits = [
  ['spaces after the font', 'one'],
  ['spaces before the showing operator', 'none'],
  ['spaces after the showing operator', 'one'],
];
/** Suffices alone among pages with the same fonts. */
const FORM_OF_STRINGS: Habit = 'hexadecimal or literal strings';
/** Zeros at the end of numbers depend on what stands on a page. */
const BY_PAGE = [...OF_WRITING].filter((habit) => habit !== 'zeros at the end of numbers');

/**
 * Pages whose texts are written differently from those of a program. Only the largest stream of a page counts: others may be marks added
 * later. A page that shares no font with the program's pages was added to the file and does not count.
 */
export function otherTexts(structure: Structure, usual: TextHabits): OtherTexts[] {
  const pages = pagesOf(structure).map((page) => ({ ...page, differences: differencesIn(page.shows, usual) }));
  const others = pages.filter(({ differences }) => differences.length >= ENOUGH);
  const fonts = new Set(pages.filter((page) => !others.includes(page)).flatMap((page) => page.fonts));
  return others.length === pages.length ? others : others.filter((page) => page.fonts.some((font) => fonts.has(font)));
}

/** Pages written differently from most pages of the file, which use all of their fonts: a page that was added has fonts of its own. */
export function pagesApart(structure: Structure): OtherTexts[] {
  const pages = pagesOf(structure);
  const habits = BY_PAGE.map((habit) => ({ habit, ways: pages.map(({ shows }) => commonestOf(shows, habit)) }));
  const usual = habits.flatMap(({ habit, ways }): TextHabits => {
    const known = ways.filter((way) => way !== undefined);
    const most = known.length < PAGES_ALIKE ? undefined : commonest(known, MAJORITY);
    return most === undefined ? [] : [[habit, most]];
  });
  const compared = pages.map((page) => ({ ...page, differences: differencesIn(page.shows, usual) }));
  const others = compared.filter(
    ({ differences }) => differences.length >= ENOUGH || differences.some(({ habit }) => habit === FORM_OF_STRINGS),
  );
  const fonts = new Set(compared.filter((page) => !others.includes(page)).flatMap((page) => page.fonts));
  return others.filter((page) => page.fonts.length > 0 && page.fonts.every((font) => fonts.has(font)));
}

/** By the beginning of a page's content. */
export function isOfMuPdf(content: Uint8Array): boolean {
  return isWrittenAs(showsIn(content.subarray(0, BEGINNING)), MUPDF);
}

function isWrittenAs(shows: readonly Show[], habits: TextHabits): boolean {
  return habits.every(([habit, value]) => commonestOf(shows, habit) === value);
}

interface Page {
  page: number;
  offset: number;
  isOfMuPdf: boolean;
  shows: Show[];
  fonts: PdfObject[];
}

const pagesOf = cached((structure: Structure): readonly Page[] => {
  const { current, encrypted } = structure;
  const pages = encrypted ? [] : current.pages().slice(0, PAGES);
  return pages.flatMap((page, index) => {
    const streams = contentStreams(current, page).map((stream) => ({ stream, data: structure.decoded(stream) }));
    const [largest] = streams.sort((one, other) => (other.data?.length ?? 0) - (one.data?.length ?? 0));
    if (largest?.data === undefined) return [];
    const shows = showsIn(largest.data.subarray(0, BEGINNING));
    if (shows.length < TEXTS) return [];
    return [
      {
        page: index + 1,
        offset: largest.stream.offset,
        shows,
        fonts: fontsOf(current, page),
        isOfMuPdf: isWrittenAs(shows, MUPDF),
      },
    ];
  });
});

function differencesIn(shows: readonly Show[], usual: TextHabits): OtherTexts['differences'] {
  return usual.flatMap(([habit, value]) => {
    const own = commonestOf(shows, habit);
    return own === undefined || own === value ? [] : [{ habit, usual: value, own }];
  });
}

function commonestOf(shows: readonly Show[], habit: Habit): string | undefined {
  const values = shows.flatMap(({ habits }) => habits.get(habit) ?? []);
  return values.length < TEXTS ? undefined : commonest(values, MOST);
}

function commonest(values: readonly string[], share: number): string | undefined {
  const [most] = [...Map.groupBy(values, (value) => value)].sort(([, one], [, other]) => other.length - one.length);
  return most !== undefined && most[1].length >= share * values.length ? most[0] : undefined;
}
