import type { Document, Page } from '../model.ts';

/** What a document says, and whether it was read by OCR, in which case a wrong digit may be a misreading. */
export interface Text {
  pages: Page[];
  isRead: boolean;
}

/** Fewer letters and digits on all pages are a stamp or a page number beside a scan. */
const MIN_CHARACTERS = 60;

/** Digital text if there is enough, otherwise OCR text. Used by every rule about content. */
export async function textOf(document: Document): Promise<Text> {
  const pages = document.kind === 'pdf' ? await document.pages() : [];
  let characters = 0;
  for (const { items } of pages) {
    for (const { text } of items) characters += text.length;
    if (characters >= MIN_CHARACTERS) return { pages, isRead: false };
  }
  const read = await document.pagesRead();
  return read.length === 0 ? { pages, isRead: false } : { pages: read, isRead: true };
}
