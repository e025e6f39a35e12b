import { charactersOf, dictionaryOf, entry, nameOf, type PdfObject, textOf, type Value } from '../objects.ts';
import { readPaint } from '../paint/read-paint.ts';
import { pageContent } from '../residue/content.ts';
import type { Structure } from '../structure.ts';
import type { TextLine } from '../text/lines.ts';
import { type Named, namesOn } from '../text/names.ts';
import { readPages, type TextPage } from '../text/read-pages.ts';
import { phraseOf, type Word } from '../text/words.ts';
import { paired } from './paired.ts';
import { type Show, stepsIn } from './shows.ts';

/** A text shown by one operator, with its words. */
export interface Shown extends Show {
  /** From 1. */
  page: number;
  /** The object number of the form that shows it; undefined for the page's own content. */
  form: number | undefined;
  words: Word[];
  /** The lines of the words. */
  lines: TextLine[];
  /** The name that it shows, or a part of it. */
  name: Word | undefined;
  /** What programs read instead of it, and everything that is replaced with it. */
  actual: { text: string; by: Value } | undefined;
}

type Written = Show & Pick<Shown, 'form' | 'actual'>;

const PAGES = 100;
const MAX_SHOW_OPERATORS = 60_000;
const MAX_FORMS = 200;
const NESTED = 6;

/** The visible texts of the pages and their forms, with the way each is written. @throws Unreadable */
export async function shownOn(structure: Structure): Promise<Shown[]> {
  const painted = await readPaint(structure.bytes);
  const read = await readPages(structure.bytes);
  const objects = structure.current.pages();
  const all: Shown[] = [];
  for (const [index, page] of read.slice(0, PAGES).entries()) {
    const object = objects[index];
    if (object === undefined || all.length > MAX_SHOW_OPERATORS) continue;
    const written = writtenOn(structure, object);
    all.push(...wordsBy(paired(painted[index]?.texts ?? [], written), page));
  }
  return all;
}

/** What shows text on a page, in the order of drawing. */
function writtenOn(structure: Structure, page: PdfObject): Written[] {
  const { current } = structure;
  const written: Written[] = [];
  let forms = 0;
  const read = (content: Uint8Array, resources: Value | undefined, form: number | undefined, depth: number) => {
    for (const step of stepsIn(content)) {
      if (written.length > MAX_SHOW_OPERATORS) return;
      if ('habits' in step) {
        const named = current.get(current.dictionary(resources, 'Properties'), nameOf(step.marked) ?? '');
        written.push({ ...step, form, actual: actualIn(dictionaryOf(step.marked) ?? named) });
        continue;
      }
      const drawn = current.referred(entry(current.dictionary(resources, 'XObject'), step.draws));
      const isForm = drawn !== undefined && nameOf(current.get(drawn.value, 'Subtype')) === 'Form';
      if (!isForm || depth === NESTED || forms++ >= MAX_FORMS) continue;
      const own = dictionaryOf(current.get(drawn.value, 'Resources'));
      read(structure.decoded(drawn) ?? new Uint8Array(), own ?? resources, drawn.number, depth + 1);
    }
  };
  read(pageContent(structure, page) ?? new Uint8Array(), current.inherited(page, 'Resources'), undefined, 0);
  return written;
}

function actualIn(properties: Value | undefined): Shown['actual'] {
  const text = textOf(entry(properties, 'ActualText'));
  return properties === undefined || text === undefined ? undefined : { text: charactersOf(text), by: properties };
}

function wordsBy(shows: readonly (Written | undefined)[], page: TextPage): Shown[] {
  const shown = shows.map(
    (show): Shown | undefined => show && { ...show, page: page.number, words: [], lines: [], name: undefined },
  );
  for (const line of page.lines)
    for (const word of line.items)
      for (const index of new Set(word.runs.flatMap(({ nth }) => nth ?? []))) {
        const one = shown[index];
        one?.words.push(word);
        if (one !== undefined && one.lines.at(-1) !== line) one.lines.push(line);
      }
  const names = namesOn(page);
  return shown.flatMap((one) =>
    one !== undefined && one.words.length > 0 ? [{ ...one, name: nameIn(one, names) }] : [],
  );
}

/** If it shows nothing else. */
function nameIn({ words }: Shown, names: readonly Named[]): Word | undefined {
  const [first, ...others] = words;
  const isName = names.some((name) => words.every((word) => name.words.includes(word)));
  return first !== undefined && isName ? phraseOf(first, ...others) : undefined;
}
