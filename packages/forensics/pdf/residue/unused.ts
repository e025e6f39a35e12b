import { dictionaryOf, entry, listOf, nameOf, type PdfObject, referenceOf } from '../objects.ts';
import type { Structure } from '../structure.ts';
import { contentStreams, likeness, pageContent, shownBytes } from './content.ts';

const STREAMS = 200;
const PAGES = 300;
/** Former content must show at least this share of what a page shows. */
const ALIKE = 0.75;
const BYTES_COMPARED = 20_000_000;
/** Shorter text is a frame or a page number. */
const SHORTEST = 20;

/** Content that nothing in the file draws. */
interface UnusedContent {
  stream: PdfObject;
  data: Uint8Array;
  /** The index of the page whose former content it is. */
  page: number;
}

/** Former contents of pages, without those that may belong to removed pages. */
export function unusedContents(structure: Structure): UnusedContent[] {
  const unused = unusedStreams(structure).flatMap((stream) => {
    const data = structure.decoded(stream);
    const text = data && shownBytes(data);
    return data === undefined || text === undefined || text.length < SHORTEST ? [] : [{ stream, data, text }];
  });
  if (unused.length === 0) return [];
  const pages = structure.current.pages().slice(0, PAGES);
  const shown = pages.map((page) => shownBytes(pageContent(structure, page) ?? new Uint8Array(0)));
  // A page with unused content that shows the same text has no other former content.
  const settled = new Set(unused.map(({ text }) => shown.findIndex((own) => own.equals(text))));
  const score = likenesses();
  return unused.flatMap(({ stream, data, text }) => {
    const scores = shown.map((own) => (own.equals(text) ? 0 : score(own, text)));
    const best = Math.max(0, ...scores);
    const page = scores.indexOf(best);
    const object = pages[page];
    const isFormer =
      best >= ALIKE && !settled.has(page) && object !== undefined && isReplaced(structure, stream, object);
    return isFormer ? [{ stream, data, page }] : [];
  });
}

function likenesses(): (first: Buffer, second: Buffer) => number {
  let left = BYTES_COMPARED;
  return (first, second) => {
    const [shorter, longer] = [Math.min(first.length, second.length), Math.max(first.length, second.length)];
    if (shorter < ALIKE * longer || left < 0) return 0;
    left -= longer;
    return likeness(first, second);
  };
}

/**
 * Whether a page's current content was added to the file later than the unused content, which was its own. A removed page with the same
 * layout also leaves its content behind. In that case the content of the remaining page is written alike and numbered next to its
 * page, and the number of the removed page is free.
 */
function isReplaced(structure: Structure, unused: PdfObject, page: PdfObject): boolean {
  const drawn = mostWritten(structure, page);
  if (drawn === undefined || drawn.number < unused.number) return false;
  if (wayOf(structure, drawn) !== wayOf(structure, unused)) return true;
  const isOwn = Math.abs(page.number - unused.number) < Math.abs(page.number - drawn.number);
  const free = freeBelow(structure, drawn.number);
  return isOwn && (free === undefined ? isFull(structure) : unused.number < free && page.number < free);
}

/** Whether every number up to the highest reachable one is taken; unreachable objects may have any number. */
function isFull({ objects, current }: Structure): boolean {
  const highest = [...current.reachable()].reduce((most, { number }) => Math.max(most, number), 0);
  const taken = new Set(objects.map(({ number }) => number).filter((number) => number > 0 && number <= highest));
  return highest === taken.size;
}

/**
 * The highest free number below another one. Programs that omit what is no longer needed, such as a cross-reference stream, continue
 * counting after it, so the gap separates original objects from added ones.
 */
function freeBelow({ objects }: Structure, number: number): number | undefined {
  const taken = new Set(objects.map((object) => object.number));
  for (let free = number - 1; free > 0; free--) if (!taken.has(free)) return free;
  return undefined;
}

/** The stream that shows most of a page's text; stamps are in other streams. */
function mostWritten(structure: Structure, page: PdfObject): PdfObject | undefined {
  const streams = contentStreams(structure.current, page).map((stream) => {
    const data = structure.decoded(stream);
    return { stream, shown: data === undefined ? 0 : shownBytes(data).length };
  });
  return streams.sort((a, b) => b.shown - a.shown)[0]?.stream;
}

/** How a stream is written: its entries in order, and the beginning of its data, which shows the compression level. */
function wayOf({ bytes }: Structure, { value, data }: PdfObject): string {
  const filter = entry(value, 'Filter');
  const filters = (listOf(filter) ?? [filter]).map((name) => nameOf(name) ?? '');
  const isDeflated = filters[0] === 'FlateDecode' && data !== undefined;
  const beginning = isDeflated ? Buffer.from(bytes.subarray(data.start, data.start + 2)).toString('hex') : '';
  return [...(dictionaryOf(value)?.entries.keys() ?? []), ...filters, beginning].join(' ');
}

/** Untyped streams that no revision of the file reaches and that belong to no removed page. */
function unusedStreams(structure: Structure): PdfObject[] {
  const { objects, views, current } = structure;
  const streams = objects.filter(isContent);
  if (streams.length === 0) return [];
  const reached = new Set(views.flatMap((view) => [...view.reachable()]));
  const pages = new Set(current.pages().map(({ number }) => number));
  const former = objects.filter(
    (object) => !reached.has(object) && !pages.has(object.number) && nameOf(entry(object.value, 'Type')) === 'Page',
  );
  const ofFormerPages = new Set(
    former.flatMap(({ value }) => {
      const contents = entry(value, 'Contents');
      return (listOf(contents) ?? [contents]).map((part) => referenceOf(part)?.number);
    }),
  );
  return streams.filter((stream) => !reached.has(stream) && !ofFormerPages.has(stream.number)).slice(0, STREAMS);
}

function isContent({ value, data }: PdfObject): boolean {
  const dictionary = dictionaryOf(value);
  if (data === undefined || dictionary === undefined) return false;
  return !['Type', 'Subtype', 'Length1', 'FunctionType'].some((key) => dictionary.entries.has(key));
}
