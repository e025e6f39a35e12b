import type { Glance } from '../analysis.ts';
import { papersIn } from '../content/claims/papers.ts';
import { textOf } from '../content/read.ts';
import { type Document, type Page, type Pixels, Unreadable } from '../model.ts';
import { openDocument } from '../open-document.ts';
import { countOf, expiryOf, newestDay } from './days.ts';
import { looksOf } from './looks.ts';
import { sheetsOf } from './sheets.ts';
import { thumbnailOf } from './thumbnail.ts';

interface Settings {
  ocr: boolean;
  /** CPU time for reading pictures. */
  ocrSeconds: number;
  /** As in `2026-03-31`. */
  today: string;
}

/** What a person should know about a file while they hand it in, and a small picture of it. Judges nothing. */
export async function glanceAt(
  name: string,
  bytes: Uint8Array,
  { ocr, ocrSeconds, today }: Settings,
): Promise<{ glance: Glance; thumbnail: Pixels | undefined } | undefined> {
  const { document, facts } = await openDocument(name, bytes, { ocr, ocrSeconds });
  if (!document) return undefined;
  const thumbnail = await unlessUnreadable(thumbnailOf(document));
  const text = await unlessUnreadable(textOf(document));
  const isPicture = document.kind !== 'pdf' || (await isOfPictures(document, text?.isRead));
  if (!text) return { glance: { isPicture, possible: [], numbers: [], missing: [], count: 1 }, thumbnail };
  const seen = await readIn(document, text.pages, text.isRead, today);
  // Only the first pages of a long scan are read.
  const isWhole = text.pages.length === (facts.pages ?? 1);
  return { glance: { isPicture, ...seen, ...(isWhole ? {} : { numbers: [], missing: [] }) }, thumbnail };
}

async function readIn(
  document: Document,
  pages: Page[],
  isRead: boolean,
  today: string,
): Promise<Omit<Glance, 'isPicture'>> {
  const { look, possible } = await looksOf(pages, isRead);
  const papers = await papersIn(document);
  const day = newestDay(papers, pages, today);
  const expires = await expiryOf(pages, isRead);
  return {
    ...(look ? { look } : {}),
    possible,
    ...(day ? { day } : {}),
    ...(expires ? { expires } : {}),
    ...sheetsOf(pages),
    count: countOf(look, papers),
  };
}

/** A PDF of scans or photos, whose text is at best what a program read in them. */
async function isOfPictures(document: Document, isRead: boolean | undefined): Promise<boolean> {
  if (isRead) return true;
  const pages = await unlessUnreadable(document.pages());
  return pages?.every(({ items }) => items.length === 0) ?? false;
}

async function unlessUnreadable<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
