import type { Preview } from './analysis.ts';
import { encodePng } from './image/encode-png.ts';
import { type Document, Unreadable } from './model.ts';
import type { Check } from './result.ts';

const PAGES = 6;
/** In pixels, for an A4 page on a screen. */
const MAX_SIDE_PIXELS = 1400;
const POINTS_OF_A4 = 842;
const MAX_SCALE = 3;

/** Renders pages for a report; skips pages that cannot be rendered. */
export async function* previewsOf(document: Document, pages: readonly number[]): AsyncGenerator<Preview> {
  for (const page of pages) {
    try {
      yield document.kind === 'pdf' ? await pageOf(document, page) : await pictureOf(document);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
  }
}

/** The pages that a report shows, those with findings first. @param pages their number */
export function pagesToShow(pages: number, checks: readonly Check[]): number[] {
  const findings = checks.flatMap((check) => check.findings ?? []);
  const marked = findings.flatMap(({ evidence }) => evidence.flatMap(({ page }) => page ?? []));
  const all = [...marked, ...Array.from({ length: Math.min(pages, PAGES) }, (_, index) => index + 1)];
  return [...new Set(all)].filter((page) => page >= 1 && page <= pages).slice(0, PAGES);
}

async function pageOf(document: Document, page: number): Promise<Preview> {
  const scale = Math.min(MAX_SCALE, MAX_SIDE_PIXELS / POINTS_OF_A4);
  const pixels = await document.pixels(page, scale);
  return { page, width: pixels.width / scale, height: pixels.height / scale, picture: encodePng(pixels) };
}

async function pictureOf(document: Document): Promise<Preview> {
  const { asJpeg } = await import('./image/pixels.ts');
  const pixels = await document.pixels();
  const { width, height } = pixels;
  return { page: 1, width, height, picture: await asJpeg(pixels, MAX_SIDE_PIXELS) };
}
