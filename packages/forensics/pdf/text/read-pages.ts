import type { Page } from '../../model.ts';
import type { PaintedPage } from '../paint/marks.ts';
import { readPaint } from '../paint/read-paint.ts';
import { linesOf, type TextLine } from './lines.ts';
import { redactionsOn } from './redactions.ts';
import { seenRuns } from './seen.ts';
import { type Word, wordsOf } from './words.ts';

/** A page of a PDF, whose words carry how they are painted. */
export interface TextPage extends Page {
  items: Word[];
  lines: TextLine[];
}

const read = new WeakMap<Uint8Array, Promise<TextPage[]>>();

/**
 * What the pages of a PDF show as text, read once for the same bytes. The text of annotations and form fields is not part of
 * it, nor is text that cannot be seen: without paint, as below a scan, or under something opaque.
 *
 * @throws Unreadable when the file is encrypted or damaged, or has more than can be looked at
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
