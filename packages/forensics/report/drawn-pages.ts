import type { AnalysedDocument, Preview } from '../analysis.ts';
import { kindOf } from '../kind.ts';
import type { Box } from '../model.ts';
import type { Strength } from '../rule.ts';
import { html, type Markup } from './markup.ts';
import type { NumberedFinding } from './sections.ts';
import { visible } from './visible.ts';

/** Pages as SVG in the page's own units, with marks where findings are. */

export interface DrawnPage {
  /** Unique in the report: enlarged places reuse the picture by it. */
  id: string;
  preview: Preview;
  marks: Mark[];
}

interface Mark {
  number: number;
  strength: Strength;
  box: Box;
}

const MARKS_A_PAGE = 60;
/** Share of the page: a larger place is not marked, because it concerns the whole page. */
const WHOLE = 0.85;

/** @param prefix of every id in this document's part of the report */
export function drawnPages(
  prefix: string,
  previews: readonly Preview[],
  findings: readonly NumberedFinding[],
): DrawnPage[] {
  return [...previews]
    .sort((a, b) => a.page - b.page)
    .map((preview) => ({ id: `${prefix}p${preview.page}`, preview, marks: marksOn(preview, findings) }));
}

function marksOn(preview: Preview, findings: readonly NumberedFinding[]): Mark[] {
  return findings
    .flatMap(({ number, finding: { evidence, strength } }) =>
      evidence.flatMap(({ page = 1, box }) =>
        page === preview.page && box && isDrawable(box) ? [{ number, strength, box: within(box, preview) }] : [],
      ),
    )
    .filter(({ box: { width, height } }) => {
      const share = (width * height) / (preview.width * preview.height);
      return share > 0 && share < WHOLE;
    })
    .slice(0, MARKS_A_PAGE);
}

function isDrawable({ x, y, width, height }: Box): boolean {
  return [x, y, width, height].every(Number.isFinite);
}

/** The part of the box on the page, grown so that it is visible. */
function within({ x, y, width, height }: Box, page: Preview): Box {
  const grown = page.width / 200;
  const left = clamp(x - grown, 0, page.width);
  const top = clamp(y - grown, 0, page.height);
  return {
    x: left,
    y: top,
    width: clamp(x + width + grown, left, page.width) - left,
    height: clamp(y + height + grown, top, page.height) - top,
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

export function pageFigure(
  { id, preview, marks }: DrawnPage,
  prefix: string,
  { name, facts }: AnalysedDocument,
): Markup {
  const { page, width, height } = preview;
  const isPicture = facts.kind !== 'pdf';
  const what = isPicture ? 'The picture' : `Page ${page}`;
  const ofAll = isPicture || !facts.pages || facts.pages < 2 ? '' : ` of ${facts.pages}`;
  const label = `${what}${ofAll}, ${visible(name, 100)}`;
  const legend = marks.length === 0 ? '' : '. The numbers are those of the findings.';
  return html`<figure class="page${marks.length === 0 ? ' plain' : ''}">
<svg viewBox="${viewBox({ x: 0, y: 0, width, height })}" role="group" aria-label="${label}">
<image id="${id}" href="${dataUri(preview.picture)}" width="${width}" height="${height}" preserveAspectRatio="none" role="img" aria-label="${what}"/>
${marks.map((mark) => box(mark))}${numbered(marks, preview, prefix)}
</svg>
<figcaption>${what}${ofAll}${legend}</figcaption>
</figure>`;
}

/** The error level analysis of a JPEG. */
export function errorLevelFigure(preview: Preview, levels: Uint8Array): Markup {
  const { width, height } = preview;
  return html`<figure class="page levels">
<svg viewBox="${viewBox({ x: 0, y: 0, width, height })}" role="img" aria-label="Error levels of the picture">
<image href="${dataUri(levels)}" width="${width}" height="${height}" preserveAspectRatio="none"/>
</svg>
<figcaption>Error levels: brighter where the picture changes more when it is compressed again. Edges and fine print are always
bright; look for one part that differs from its like. For people to look at: it decides nothing.</figcaption>
</figure>`;
}

function box({ box: { x, y, width, height }, strength }: Mark): Markup {
  return html`<rect class="mark ${strength}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"/>`;
}

/** Places numbers left of their boxes, where they cover least, and side by side where boxes meet. */
function numbered(marks: readonly Mark[], page: Preview, prefix: string): Markup[] {
  const radius = page.width / 58;
  const taken: { number: number; x: number; y: number }[] = [];
  const isNear = (at: { x: number; y: number }) => (other: { x: number; y: number }) =>
    Math.hypot(other.x - at.x, other.y - at.y) < 1.9 * radius;
  return marks.flatMap(({ number, strength, box }) => {
    const at = {
      x: clamp(box.x - 1.2 * radius, radius, page.width - radius),
      y: clamp(box.y + Math.min(box.height / 2, 2 * radius), radius, page.height - radius),
    };
    // One finding may have several boxes in one place.
    if (taken.some((other) => other.number === number && isNear(at)(other))) return [];
    while (taken.some(isNear(at)) && at.x > 3 * radius) at.x -= 2 * radius;
    taken.push({ number, ...at });
    return [
      html`<a href="#${prefix}f${number}" class="number ${strength}" aria-label="Finding ${number}"><circle cx="${round(at.x)}" cy="${round(at.y)}" r="${round(radius)}"/><text x="${round(at.x)}" y="${round(at.y)}" font-size="${round(radius * 1.35)}" dy="0.36em">${number}</text></a>`,
    ];
  });
}

/**
 * A place enlarged with its surroundings; undefined if that is most of the page already. The view extends mostly to the left,
 * because an amount ends its row.
 */
export function enlarged(
  { id, preview }: DrawnPage,
  place: Box,
  strength: Strength,
  label: string,
): Markup | undefined {
  if (!isDrawable(place)) return undefined;
  const marked = within(place, preview);
  const width = clamp(marked.width * 1.3, preview.width * 0.8, preview.width);
  const height = clamp(marked.height * 2.5, preview.width * 0.12, preview.height);
  if (marked.width * marked.height === 0 || width * height > preview.width * preview.height * 0.6) return undefined;
  const x = clamp(marked.x + marked.width + preview.width * 0.05 - width, 0, preview.width - width);
  const y = clamp(marked.y + marked.height / 2 - height / 2, 0, preview.height - height);
  return html`<svg class="enlarged" viewBox="${viewBox({ x, y, width, height })}" role="img" aria-label="${label}"><use href="#${id}"/>${box({ number: 0, strength, box: marked })}</svg>`;
}

function viewBox({ x, y, width, height }: Box): string {
  return [x, y, width, height].map(round).join(' ');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function dataUri(picture: Uint8Array): string {
  const type = kindOf(picture) === 'jpeg' ? 'image/jpeg' : 'image/png';
  return `data:${type};base64,${Buffer.from(picture).toString('base64')}`;
}
