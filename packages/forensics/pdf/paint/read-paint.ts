import { Unreadable } from '../../model.ts';
import { programFamilies } from './font-programs.ts';
import type { PaintedPage } from './marks.ts';
import { withPdf } from './open.ts';
import { paintedBy } from './walk.ts';

/** For all pages of a file together. */
const MAX_MARKS = 600_000;

const read = new WeakMap<Uint8Array, Promise<PaintedPage[]>>();

/** What the pages paint, mark by mark; cached by byte array. @throws Unreadable */
export function readPaint(bytes: Uint8Array): Promise<PaintedPage[]> {
  const known = read.get(bytes);
  if (known !== undefined) return known;
  const reading = paintOf(bytes);
  read.set(bytes, reading);
  return reading;
}

function paintOf(bytes: Uint8Array): Promise<PaintedPage[]> {
  return withPdf(bytes, async (pdf, pdfjs) => {
    const layers = await pdf.getOptionalContentConfig();
    const families = programFamilies(bytes);
    const pages: PaintedPage[] = [];
    let marks = 0;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const painted = await paintedBy(page, pdfjs, (properties) => layers.isVisible(properties), families);
      page.cleanup();
      marks += painted.marks.length;
      if (marks > MAX_MARKS) throw new Unreadable('The file paints more than can be examined.');
      pages.push({ number, ...painted });
    }
    return pages;
  });
}
