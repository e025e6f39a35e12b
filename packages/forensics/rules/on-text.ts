import { textOf } from '../content/read.ts';
import { forPeople } from '../content/reread.ts';
import { type WordLine, wordLines } from '../content/words.ts';
import type { Document, Page } from '../model.ts';
import { readPages, type TextPage } from '../pdf/text/read-pages.ts';
import { type Compared, type Finding, notApplicable, type Verdict, verdictOf } from '../rule.ts';

/** Findings, and what was compared for them. */
export interface Looked {
  findings: Finding[];
  compared: Compared;
}

/** The verdict on the digital text of a PDF; not applicable if it has none. @throws Unreadable */
export async function verdictOnText(bytes: Uint8Array, look: (pages: TextPage[]) => Looked): Promise<Verdict> {
  const pages = await readPages(bytes);
  if (pages.every(({ items }) => items.length === 0)) return notApplicable('The pages have no digital text.');
  const { findings, compared } = look(pages);
  return verdictOf(findings, compared);
}

/**
 * The verdict on the lines of a document. In OCR text findings are context only, because a wrong digit may be a misreading.
 * @throws Unreadable
 */
export async function verdictOnLines(
  document: Document,
  look: (lines: readonly WordLine[], pages: Page[]) => Looked | Promise<Looked>,
): Promise<Verdict> {
  const { pages, isRead } = await textOf(document);
  const { findings, compared } = await look(wordLines(pages), pages);
  return verdictOf(isRead ? forPeople(pages, findings) : findings, compared);
}

/** The same for rules that look at one page at a time. */
export function verdictOnEachPage(
  document: Document,
  mostPages: number,
  look: (page: Page) => Looked,
): Promise<Verdict> {
  return verdictOnLines(document, (_, pages) => {
    const looked = pages.slice(0, mostPages).map(look);
    const compared = looked.find((one) => one.compared.count > 0)?.compared ?? looked[0]?.compared;
    const count = looked.reduce((sum, one) => sum + one.compared.count, 0);
    return {
      findings: looked.flatMap(({ findings }) => findings),
      compared: { ...(compared ?? { what: 'page' }), count },
    };
  });
}
