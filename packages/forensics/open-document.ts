import { createHash } from 'node:crypto';
import { cpuSeconds } from './cpu-time.ts';
import { kindOf } from './kind.ts';
import { type Box, type Document, type Page, Unreadable } from './model.ts';
import type { Renderer } from './pdf/render.ts';
import { prescan } from './prescan/prescan.ts';
import { Refused } from './prescan/refused.ts';
import type { Facts } from './result.ts';

/** OCR settings. */
export interface Reading {
  /** Whether to read text in pictures. */
  ocr: boolean;
  /** Processor time for the text of all pages together. */
  ocrSeconds: number;
}

export interface Opened {
  /** Undefined when the pre-scan refuses the file or it cannot be read at all; then no rule runs. */
  document: Document | undefined;
  facts: Facts;
  /** Why the document cannot be read completely, for a caseworker. */
  unreadable: string | undefined;
}

const READ_ALL: Reading = { ocr: true, ocrSeconds: 15 };
const PAGES_READ = 5;
/** Makes 8-point print 20 pixels high. */
const READING_SCALE = 2.5;
const DRAWING_SCALE = 2;
/** For one line of a page. */
const LINE_SCALE = 4;
const LINE_SECONDS = 3;
/** Less text is a stamp or a page number on a scan. */
const MIN_CHARACTERS = 20;
/** Share of the page: a smaller picture is a logo or a signature. */
const MIN_COVERED_SHARE = 0.2;
const PICTURES_ONLY = 'The pages are pictures without digital text, so the file shows little of how it came about.';
const NO_TEXT = 'The pages have no text.';
const OCR_OFF = 'Reading text from pictures is switched off.';

/** Pre-scans the bytes and opens the document. Throws only on internal faults, regardless of the bytes. */
export async function openDocument(name: string, bytes: Uint8Array, reading: Reading = READ_ALL): Promise<Opened> {
  const kind = kindOf(bytes);
  const facts: Facts = {
    ...(kind ? { kind } : {}),
    size_bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
  try {
    const found = prescan(bytes);
    return found.kind === 'pdf'
      ? await openPdf(name, bytes, facts, reading)
      : openPicture(name, bytes, { ...facts, ...found, kind: found.kind }, reading);
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreadable)) throw error;
    return { document: undefined, facts, unreadable: error.message };
  }
}

async function openPdf(name: string, bytes: Uint8Array, facts: Facts, reading: Reading): Promise<Opened> {
  const [{ readPages }, { factsOf }] = await Promise.all([
    import('./pdf/text/read-pages.ts'),
    import('./pdf/metadata.ts'),
  ]);
  const pages = once(() => readPages(bytes));
  const renderer = once(async () => (await import('./pdf/render.ts')).openRenderer(bytes));
  const document: Document = {
    name,
    kind: 'pdf',
    bytes,
    pages,
    pagesRead: once(async () => readPictures(bytes, await pages(), renderer, reading)),
    textIn: (page, box) => readLine(page, box, renderer, reading),
    pixels: async (page = 1, scale = DRAWING_SCALE) => (await (await renderer()).draw(page, scale)).pixels,
  };
  try {
    const read = await pages();
    const count = read.length;
    return { document, facts: { ...facts, pages: count, ...factsOf(bytes) }, unreadable: await lacking(bytes, read) };
  } catch (error) {
    // Our own parser may read more of a damaged file than pdf.js, so the rules still run.
    if (!(error instanceof Unreadable)) throw error;
    return { document, facts: { ...facts, ...factsOf(bytes) }, unreadable: error.message };
  }
}

async function lacking(bytes: Uint8Array, pages: readonly Page[]): Promise<string | undefined> {
  if (pages.some((page) => characters(page) >= MIN_CHARACTERS)) return undefined;
  if ((await pagesOfPictures(bytes, pages)).length > 0) return PICTURES_ONLY;
  return pages.some((page) => characters(page) > 0) ? undefined : NO_TEXT;
}

function openPicture(
  name: string,
  bytes: Uint8Array,
  facts: Facts & { kind: 'jpeg' | 'png' },
  { ocr, ocrSeconds }: Reading,
): Opened {
  // Decoding needs native code, which is loaded only for pictures.
  const pixels = once(async () => (await import('./image/pixels.ts')).pixelsOf(bytes));
  const pagesRead = async () => {
    if (!ocr) throw new Unreadable(OCR_OFF);
    const { readPicture } = await import('./ocr/read-picture.ts');
    return [await readPicture(await pixels(), { seconds: ocrSeconds })];
  };
  const { kind } = facts;
  const document: Document = { name, kind, bytes, pages: async () => [], pagesRead: once(pagesRead), pixels };
  return { document, facts, unreadable: undefined };
}

/** @throws Unreadable if there are scanned pages and OCR is off or fails */
async function readPictures(
  bytes: Uint8Array,
  pages: readonly Page[],
  renderer: () => Promise<Renderer>,
  { ocr, ocrSeconds }: Reading,
): Promise<Page[]> {
  const numbers = (await pagesOfPictures(bytes, pages)).slice(0, PAGES_READ);
  if (numbers.length === 0) return [];
  if (!ocr) throw new Unreadable(OCR_OFF);
  const { readPicture } = await import('./ocr/read-picture.ts');
  const end = cpuSeconds() + ocrSeconds;
  const read: Page[] = [];
  for (const page of numbers) {
    const seconds = end - cpuSeconds();
    if (seconds <= 0) break;
    const { pixels } = await (await renderer()).draw(page, READING_SCALE);
    read.push(await readPicture(pixels, { page, pixelsAPoint: READING_SCALE, seconds }));
  }
  return read;
}

/** @throws Unreadable if OCR is off or fails */
async function readLine(page: number, box: Box, renderer: () => Promise<Renderer>, { ocr }: Reading): Promise<string> {
  if (!ocr) throw new Unreadable(OCR_OFF);
  const { readLine: read } = await import('./ocr/read-picture.ts');
  const { pixels } = await (await renderer()).draw(page, LINE_SCALE);
  const { x, y, width, height } = box;
  const scaled = { x: x * LINE_SCALE, y: y * LINE_SCALE, width: width * LINE_SCALE, height: height * LINE_SCALE };
  return read(pixels, scaled, LINE_SECONDS);
}

/** The numbers of scanned pages: pictures without digital text. */
async function pagesOfPictures(bytes: Uint8Array, pages: readonly Page[]): Promise<number[]> {
  const textless = new Set(pages.filter((page) => characters(page) < MIN_CHARACTERS).map(({ number }) => number));
  if (textless.size === 0) return [];
  const { readPaint } = await import('./pdf/paint/read-paint.ts');
  const painted = (await readPaint(bytes)).filter(({ number }) => textless.has(number));
  const covered = painted.filter(({ marks, width, height }) => {
    const pictures = marks.filter(({ kind }) => kind === 'picture');
    const areas = pictures.map(({ box }) => box.width * box.height);
    return areas.reduce((sum, area) => sum + area, 0) > MIN_COVERED_SHARE * width * height;
  });
  return covered.map(({ number }) => number);
}

function characters({ items }: Page): number {
  return items.reduce((sum, { text }) => sum + text.trim().length, 0);
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
