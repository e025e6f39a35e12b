import type { AnalysedDocument, Preview } from '../analysis.ts';
import { box, dataUri, type Mark, marksOn, numbered, placeIn, viewBox } from './marks.ts';
import { html, type Markup } from './markup.ts';
import { numberedFindings } from './sections.ts';
import type { ShownPages } from './shown-pages.ts';
import { visible } from './visible.ts';

/** Pages as SVG within the report. */

interface DrawnPage {
  /** Unique in the report; enlarged places reference the picture by it. */
  id: string;
  preview: Preview;
  marks: Mark[];
}

/** @param prefix of every id in this document's part of the report */
export function drawnPages(document: AnalysedDocument, prefix: string, previews: readonly Preview[]): ShownPages {
  const findings = numberedFindings(document);
  const drawn = [...previews]
    .sort((a, b) => a.page - b.page)
    .map((preview) => ({ id: `${prefix}p${preview.page}`, preview, marks: marksOn(preview, findings) }));
  return {
    pages: drawn.map((page) => ({
      isMarked: page.marks.length > 0,
      figure: pageFigure(page, prefix, document),
    })),
    enlarged({ page, box: place, strength, label }) {
      const found = drawn.find(({ preview }) => preview.page === page);
      const seen = found && placeIn(found.preview, place);
      if (!seen) return undefined;
      const use = html`<use href="#${found.id}"/>${box({ number: 0, strength, box: seen.marked })}`;
      return enlargedFigure(
        html`<svg viewBox="${viewBox(seen.view)}" role="img" aria-label="${label}">${use}</svg>`,
        seen.isAtEnd,
        label,
      );
    },
  };
}

/** On a narrow screen the picture scrolls, starting at the side of the value. */
export function enlargedFigure(picture: Markup, isAtEnd: boolean, label: string): Markup {
  return html`<div class="enlarged${isAtEnd ? ' at-end' : ''}" tabindex="0" role="group" aria-label="${label}">${picture}</div>`;
}

/** A page's name alone, with its document, and as a caption under its picture. */
export function nameOfPage(page: number, { name, facts }: AnalysedDocument, isMarked: boolean) {
  const isPicture = facts.kind !== 'pdf';
  const what = isPicture ? 'The picture' : `Page ${page}`;
  const ofAll = isPicture || !facts.pages || facts.pages < 2 ? '' : ` of ${facts.pages}`;
  const caption = `${what}${ofAll}${isMarked ? '. The numbers are those of the findings.' : ''}`;
  return { what, label: `${what}${ofAll}, ${visible(name, 100)}`, caption };
}

function pageFigure({ id, preview, marks }: DrawnPage, prefix: string, document: AnalysedDocument): Markup {
  const { page, width, height } = preview;
  const { what, label, caption } = nameOfPage(page, document, marks.length > 0);
  return html`<figure class="page${marks.length === 0 ? ' plain' : ''}">
<svg viewBox="${viewBox({ x: 0, y: 0, width, height })}" role="group" aria-label="${label}">
<image id="${id}" href="${dataUri(preview.picture)}" width="${width}" height="${height}" preserveAspectRatio="none" role="img" aria-label="${what}"/>
${marks.map((mark) => box(mark))}${numbered(marks, preview, (number) => `#${prefix}f${number}`)}
</svg>
<figcaption>${caption}</figcaption>
</figure>`;
}
