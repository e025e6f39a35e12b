import type { Box, Page } from '../../model.ts';
import type { PaintedPage, Run } from '../paint/marks.ts';
import { readPaint } from '../paint/read-paint.ts';
import { linesOf, type TextLine } from './lines.ts';
import { redactionsOn } from './redactions.ts';
import { seenRuns, shownOn } from './seen.ts';
import { type Word, wordsOf } from './words.ts';

/** A page of a PDF; its words keep the runs that paint them. */
export interface TextPage extends Page {
  items: Word[];
  lines: TextLine[];
}

const read = new WeakMap<Uint8Array, Promise<TextPage[]>>();
const readOwn = new WeakMap<Uint8Array, Promise<TextPage[]>>();

/**
 * The text of a PDF's pages as people see it, cached by byte array: without text below something opaque, and without invisible text, such
 * as recognised text under a scan. Of annotations and form fields only what stands in the place of a figure that they hide; see `shownOn`.
 *
 * @throws Unreadable if the file is encrypted or damaged, or exceeds the limits
 */
export function readPages(bytes: Uint8Array): Promise<TextPage[]> {
  return reading(read, bytes, (page) => {
    const { runs, hidden } = shownOn(page);
    return textOf(page, runs, [...redactionsOn(page), ...hidden]);
  });
}

/** The same without annotations. @throws Unreadable */
export function readOwnPages(bytes: Uint8Array): Promise<TextPage[]> {
  return reading(readOwn, bytes, (page) => textOf(page, seenRuns(page), []));
}

function reading(
  known: WeakMap<Uint8Array, Promise<TextPage[]>>,
  bytes: Uint8Array,
  text: (page: PaintedPage) => TextPage,
): Promise<TextPage[]> {
  const done = known.get(bytes) ?? readPaint(bytes).then((pages) => pages.map(text));
  known.set(bytes, done);
  return done;
}

function textOf({ number, width, height }: PaintedPage, runs: readonly Run[], redactions: Box[]): TextPage {
  const items = wordsOf(runs);
  return { number, width, height, items, lines: linesOf(items), ...(redactions.length > 0 ? { redactions } : {}) };
}
