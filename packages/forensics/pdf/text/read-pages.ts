import type { Page } from '../../model.ts';
import type { PaintedPage } from '../paint/marks.ts';
import { readPaint } from '../paint/read-paint.ts';
import { linesOf, type TextLine } from './lines.ts';
import { redactionsOn } from './redactions.ts';
import { seenRuns } from './seen.ts';
import { type Word, wordsOf } from './words.ts';

/** A page of a PDF; its words keep the runs that paint them. */
export interface TextPage extends Page {
  items: Word[];
  lines: TextLine[];
}

const read = new WeakMap<Uint8Array, Promise<TextPage[]>>();

/**
 * The visible text of a PDF's pages, cached by byte array. Excludes the text of annotations and form fields, and invisible text: text
 * without paint, such as recognised text under a scan, and text under something opaque.
 *
 * @throws Unreadable if the file is encrypted or damaged, or exceeds the limits
 */
export function readPages(bytes: Uint8Array): Promise<TextPage[]> {
  const known = read.get(bytes);
  if (known !== undefined) return known;
  const reading = readPaint(bytes).then((pages) => pages.map(textOf));
  read.set(bytes, reading);
  return reading;
}

function textOf(page: PaintedPage): TextPage {
  const { number, width, height } = page;
  const items = wordsOf(seenRuns(page));
  const redactions = redactionsOn(page);
  return { number, width, height, items, lines: linesOf(items), ...(redactions.length > 0 ? { redactions } : {}) };
}
