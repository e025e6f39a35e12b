import type { AnalysedDocument, Preview } from '../analysis.ts';
import type { Box } from '../model.ts';
import { pagesToShow } from '../previews.ts';
import type { Strength } from '../rule.ts';
import { enlargedFigure, nameOfPage } from './drawn-pages.ts';
import { box, dataUri, marksOn, numbered, type PageSize, placeIn, viewBox } from './marks.ts';
import { html, type Markup } from './markup.ts';
import { numberedFindings } from './sections.ts';
import type { ShownPages } from './shown-pages.ts';
import { visible } from './visible.ts';

/** Pages as pictures with their own URLs, for a report that must not wait until they are drawn. */

/** What a picture shows: a page with its marks, or one place. */
export type Picture = { page: number } | { page: number; place: Box; strength: Strength };

/** The numbers of the pages that the report shows. */
export function pagesShown({ facts, checks }: AnalysedDocument): number[] {
  return pagesToShow(facts.pages ?? 1, checks);
}

/** Assumed for a page that is not drawn yet. Decides only which places are counted as marked and which are enlarged. */
const A4: PageSize = { width: 595, height: 842 };
const ENLARGED = 12;

/** @param addressOf undefined if the document's pictures no longer exist */
export function linkedPages(
  document: AnalysedDocument,
  addressOf: ((picture: Picture) => string) | undefined,
): ShownPages {
  if (!addressOf) return { pages: [], enlarged: () => undefined };
  const { facts } = document;
  const findings = numberedFindings(document);
  const numbers = pagesShown(document);
  const size = facts.kind !== 'pdf' && facts.width && facts.height ? { width: facts.width, height: facts.height } : A4;
  let enlargements = 0;
  return {
    pages: numbers
      .toSorted((a, b) => a - b)
      .map((page) => {
        const marks = marksOn({ page, ...size }, findings);
        return {
          isMarked: marks.length > 0,
          figure: pageFigure(
            document,
            page,
            marks.map(({ number }) => number),
            addressOf({ page }),
          ),
        };
      }),
    enlarged({ page, box: place, strength, label }) {
      const seen = numbers.includes(page) ? placeIn(size, place) : undefined;
      if (!seen || ++enlargements > ENLARGED) return undefined;
      const src = addressOf({ page, place, strength });
      return enlargedFigure(html`<img src="${src}" alt="${label}">`, seen.isAtEnd, label);
    },
  };
}

function pageFigure(document: AnalysedDocument, page: number, numbers: readonly number[], address: string): Markup {
  const { label, caption } = nameOfPage(page, document, numbers.length > 0);
  const marked = numbers.length > 0 ? `, with marks for ${[...new Set(numbers)].join(', ')}` : '';
  return html`<figure class="page${numbers.length === 0 ? ' plain' : ''}">
<a href="${address}"><img src="${address}" alt="${label}${marked}"></a>
<figcaption>${caption}</figcaption>
</figure>`;
}

/** A picture as a standalone SVG file that loads nothing. */
export function pictureFile(document: AnalysedDocument, preview: Preview, picture: Picture): string {
  const { width, height } = preview;
  const image = imageOf(preview, preview.picture);
  if ('place' in picture) {
    // The whole page, if its real size leaves nothing to enlarge.
    const { view = { x: 0, y: 0, width, height }, marked } = placeIn(preview, picture.place) ?? {};
    return svg(view, html`${image}${marked && box({ number: 0, strength: picture.strength, box: marked })}`);
  }
  const marks = marksOn(preview, numberedFindings(document));
  const label = visible(nameOfPage(preview.page, document, false).label);
  const drawn = html`<title>${label}</title>${image}${marks.map((mark) => box(mark))}${numbered(marks, preview)}`;
  return svg({ x: 0, y: 0, width, height }, drawn);
}

/** A page without marks, as a standalone SVG file that loads nothing. */
export function onlyPicture(preview: Preview): string {
  const { width, height, picture } = preview;
  return svg({ x: 0, y: 0, width, height }, imageOf(preview, picture));
}

/** Replaces a picture with text in a font that every browser has. */
export function notDrawn(lines: readonly string[]): string {
  const [width, height] = [A4.width, 40 + 20 * lines.length];
  const shown = lines.map((line, index) => html`<text x="20" y="${40 + 20 * index}">${line}</text>`);
  return svg(
    { x: 0, y: 0, width, height },
    html`<title>${lines.join(' ')}</title><rect width="${width}" height="${height}" fill="#f6f8f7"/><g font-family="sans-serif" font-size="14" fill="#4c5a54">${shown}</g>`,
  );
}

function imageOf({ width, height }: Preview, picture: Uint8Array): Markup {
  return html`<image href="${dataUri(picture)}" width="${width}" height="${height}" preserveAspectRatio="none"/>`;
}

function svg(view: Box, content: Markup): string {
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox(view)}" width="${view.width}" height="${view.height}">${content}</svg>`
    .text;
}
