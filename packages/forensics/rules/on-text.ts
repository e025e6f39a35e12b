import { textOf } from '../content/read.ts';
import { forPeople } from '../content/reread.ts';
import { type WordLine, wordLines } from '../content/words.ts';
import type { Document, Page } from '../model.ts';
import { readPages, type TextPage } from '../pdf/text/read-pages.ts';
import { type Finding, notApplicable, type Verdict, verdictOf } from '../rule.ts';

/** The verdict on the digital text of a PDF; not applicable if it has none. @throws Unreadable */
export async function verdictOnText(bytes: Uint8Array, find: (pages: TextPage[]) => Finding[]): Promise<Verdict> {
  const pages = await readPages(bytes);
  const hasText = pages.some(({ items }) => items.length > 0);
  return hasText ? verdictOf(find(pages)) : notApplicable('The pages have no digital text.');
}

/**
 * The verdict on the lines of a document. In OCR text findings are context only, because a wrong digit may be a misreading. @param find
 * returns a verdict if there is nothing to check @throws Unreadable
 */
export async function verdictOnLines(
  document: Document,
  find: (lines: readonly WordLine[], pages: Page[]) => Finding[] | Verdict | Promise<Finding[] | Verdict>,
): Promise<Verdict> {
  const { pages, isRead } = await textOf(document);
  const found = await find(wordLines(pages), pages);
  if (!Array.isArray(found)) return found;
  return verdictOf(isRead ? forPeople(pages, found) : found);
}
