import type { Preview } from './analysis.ts';
import { encodePng } from './encode-png.ts';
import { type Document, type Pixels, Unreadable } from './model.ts';
import type { Check } from './result.ts';

const PAGES = 6;
/** Of a page of A4 on a screen. */
const LONGEST_SIDE = 1400;
const POINTS_OF_A4 = 842;
const LARGEST_SCALE = 3;

/**
 * Pictures of a document's pages for a report, those with findings first. Pages that cannot be drawn are left out.
 * @param pages how many there are
 */
export async function* previewsOf(
  document: Document,
  pages: number,
  checks: readonly Check[],
): AsyncGenerator<Preview> {
  for (const page of pagesToShow(pages, checks)) {
    try {
      yield document.kind === 'pdf' ? await pageOf(document, page) : await pictureOf(document);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
  }
}

function pagesToShow(pages: number, checks: readonly Check[]): number[] {
  const findings = checks.flatMap((check) => check.findings ?? []);
  const told = findings.flatMap(({ evidence }) => evidence.flatMap(({ page }) => page ?? []));
  const all = [...told, ...Array.from({ length: Math.min(pages, PAGES) }, (_, index) => index + 1)];
  return [...new Set(all)].filter((page) => page >= 1 && page <= pages).slice(0, PAGES);
}

async function pageOf(document: Document, page: number): Promise<Preview> {
  const scale = Math.min(LARGEST_SCALE, LONGEST_SIDE / POINTS_OF_A4);
  const pixels = await document.pixels(page, scale);
  return { page, width: pixels.width / scale, height: pixels.height / scale, png: encodePng(pixels) };
}

async function pictureOf(document: Document): Promise<Preview> {
  const pixels = await document.pixels();
  const { width, height } = pixels;
  return { page: 1, width, height, png: encodePng(reduced(pixels)), ...(await errorLevels(document)) };
}

async function errorLevels({ kind, bytes }: Document): Promise<Pick<Preview, 'errorLevels'>> {
  if (kind !== 'jpeg') return {};
  const { errorLevelMap } = await import('./image/error-level.ts');
  return { errorLevels: encodePng(await errorLevelMap(bytes)) };
}

/** Each pixel the mean of a square of them, so that it is no longer than a screen. */
function reduced(pixels: Pixels): Pixels {
  const step = Math.ceil(Math.max(pixels.width, pixels.height) / LONGEST_SIDE);
  if (step <= 1) return pixels;
  const [width, height] = [Math.max(1, Math.floor(pixels.width / step)), Math.max(1, Math.floor(pixels.height / step))];
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < data.length; at++) {
    const pixel = Math.floor(at / 3);
    const [x, y] = [(pixel % width) * step, Math.floor(pixel / width) * step];
    data[at] = meanOf(pixels, x, y, step, at % 3);
  }
  return { width, height, data };
}

function meanOf({ width, height, data }: Pixels, left: number, top: number, step: number, channel: number): number {
  let sum = 0;
  let count = 0;
  for (let y = top; y < Math.min(height, top + step); y++)
    for (let x = left; x < Math.min(width, left + step); x++, count++) sum += data[(y * width + x) * 3 + channel] ?? 0;
  return count === 0 ? 255 : Math.round(sum / count);
}
