import { showsIn } from '../hand/shows.ts';
import { dictionaryOf, entry, listOf, nameOf, type PdfObject } from '../objects.ts';
import { contentStreams } from '../residue/content.ts';
import type { Structure } from '../structure.ts';
import type { View } from '../view.ts';
import { fontStreams, fontsOf } from './page-fonts.ts';
import { tellingContent, Ways } from './ways.ts';

/** Page content, and how it is compressed. */
interface Content {
  /** From 1. */
  page: number;
  stream: PdfObject;
  own: string;
}

/** Page content that is compressed differently from the rest of the file. */
export interface Recompressed extends Content {
  usual: string;
  /** Whether all content of the page differs from the page's own fonts. */
  isWhole: boolean;
}

export interface Compressions {
  recompressed: Recompressed[];
  /** Content that `fflate` compressed although none of the libraries that use it wrote it. */
  byScript: Content[];
}

const PAGES = 20;
const PARTS = 5;
/** Fewer texts do not show which program wrote them. */
const TEXTS = 5;
const FEW = 0.5;

/** Compares the compression of page contents with that of the page's fonts, else of other streams, and with the library that wrote them. */
export async function compressionsOf(structure: Structure): Promise<Compressions> {
  const first = structure.views[0] ?? structure.current;
  const pages = structure.encrypted ? [] : pagesOf(first);
  const own = new Set(pages.flatMap(({ streams }) => streams));
  if (![...own].some((stream) => tellingContent(structure.bytes, stream) !== undefined))
    return { recompressed: [], byScript: [] };
  const others = structure.objects.filter((object) => object.offset < first.end && !own.has(object) && isPlain(object));
  const { zlibSync: fflate } = await import('fflate');
  const { deflate: zlib } = await import('pako');
  const ways = new Ways(structure.bytes, { zlib, fflate });
  const compressions: Compressions = { recompressed: [], byScript: [] };
  for (const { page, streams, fonts } of pages) {
    const contents = streams.flatMap((stream): Content[] => {
      const way = ways.of(stream);
      return way === undefined ? [] : [{ page, stream, own: way }];
    });
    const ofFonts = ways.common(fonts);
    const usual = ofFonts ?? ways.common(others);
    const odd = contents.filter(({ own }) => usual !== undefined && own !== usual);
    const isWhole = ofFonts !== undefined && odd.length === contents.length;
    compressions.recompressed.push(...odd.map((content) => ({ ...content, usual: usual ?? '', isWhole })));
    compressions.byScript.push(
      ...contents.filter(({ stream }) => ways.isFflate(stream) && isOfOthers(structure.decoded(stream))),
    );
  }
  return compressions;
}

/** Whether most texts are written differently from jsPDF and pdf-lib: they show one string with Tj and put each operator on its own line. */
function isOfOthers(content: Uint8Array = new Uint8Array()): boolean {
  const shows = showsIn(content);
  const own = shows.filter(
    ({ habits }) =>
      habits.get('showing operator') === 'Tj' &&
      habits.get('spaces before the showing operator') === 'one' &&
      habits.get('spaces after the showing operator') === 'a line break' &&
      (habits.get('spaces at the beginning of a text object') ?? 'a line break') === 'a line break',
  );
  return shows.length >= TEXTS && own.length < FEW * shows.length;
}

function pagesOf(view: View): { page: number; streams: PdfObject[]; fonts: PdfObject[] }[] {
  return view
    .pages()
    .slice(0, PAGES)
    .map((page, index) => ({
      page: index + 1,
      streams: contentStreams(view, page, PARTS).filter(isPlain),
      fonts: fontStreams(view, fontsOf(view, page)).filter(isPlain),
    }));
}

/** Compressed, and neither a picture nor a stream that the last program to save the file writes anyway. */
function isPlain({ value, data, container }: PdfObject): boolean {
  if (data === undefined || container !== undefined) return false;
  const filter = entry(value, 'Filter');
  const filters = listOf(filter) ?? [filter];
  if (filters.length !== 1 || nameOf(filters[0]) !== 'FlateDecode') return false;
  const keys = dictionaryOf(value)?.entries;
  const type = nameOf(keys?.get('Type')) ?? '';
  return keys?.has('DecodeParms') !== true && !['XRef', 'ObjStm', 'Metadata', 'XObject', 'EmbeddedFile'].includes(type);
}
