import type { Preview } from '../analysis.ts';
import { kindOf } from '../kind.ts';
import type { Box } from '../model.ts';
import type { Strength } from '../rule.ts';
import { html, type Markup } from './markup.ts';
import type { NumberedFinding } from './sections.ts';

/** Marks on a page, as SVG in the page's own units. */
export interface Mark {
  number: number;
  strength: Strength;
  box: Box;
}

const MARKS_A_PAGE = 60;
/** Share of the page. A larger place is not marked, because it concerns the whole page. */
const WHOLE = 0.85;

/** For white pages, in light and dark mode alike. Attributes, because a standalone picture has no style sheet. */
const PAINT: Record<Strength, { fill: string; stroke: string; number: string }> = {
  strong: { fill: '#d3212d', stroke: '#b01e28', number: '#b01e28' },
  medium: { fill: '#d98200', stroke: '#9a5d00', number: '#855000' },
  context: { fill: '#5a6f8f', stroke: '#43536b', number: '#43536b' },
};

export type PageSize = Pick<Preview, 'width' | 'height'>;

export function marksOn(preview: PageSize & { page: number }, findings: readonly NumberedFinding[]): Mark[] {
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

export function isDrawable({ x, y, width, height }: Box): boolean {
  return [x, y, width, height].every(Number.isFinite);
}

/** The part of the box on the page, enlarged so that it is visible. */
function within({ x, y, width, height }: Box, page: PageSize): Box {
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

export function box({ box: { x, y, width, height }, strength }: Mark): Markup {
  const { fill, stroke } = PAINT[strength];
  const dashes = strength === 'context' ? html` stroke-dasharray="5 4"` : undefined;
  return html`<rect class="mark ${strength}" fill="${fill}" fill-opacity="0.12" stroke="${stroke}" stroke-width="2.5" vector-effect="non-scaling-stroke"${dashes} x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"/>`;
}

/** Places numbers to the left of their boxes, where they hide least, and side by side if boxes are close together. */
export function numbered(marks: readonly Mark[], page: PageSize, addressOf?: (number: number) => string): Markup[] {
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
    const shape = html`<circle cx="${round(at.x)}" cy="${round(at.y)}" r="${round(radius)}" fill="${PAINT[strength].number}" stroke="#ffffff" stroke-width="1.5" vector-effect="non-scaling-stroke"/><text x="${round(at.x)}" y="${round(at.y)}" font-size="${round(radius * 1.35)}" dy="0.36em" fill="#ffffff" font-family="sans-serif" font-weight="700" text-anchor="middle">${number}</text>`;
    return [
      addressOf
        ? html`<a href="${addressOf(number)}" class="number ${strength}" aria-label="Finding ${number}">${shape}</a>`
        : shape,
    ];
  });
}

/**
 * A place with its surroundings; undefined if these are most of the page. The view is as wide as the page, so that the labels of the row
 * are complete.
 */
export function placeIn(page: PageSize, place: Box): { marked: Box; view: Box; isAtEnd: boolean } | undefined {
  if (!isDrawable(place)) return undefined;
  const marked = within(place, page);
  const height = clamp(marked.height * 2.5, page.width * 0.12, page.height);
  if (marked.width * marked.height === 0 || height > page.height * 0.6) return undefined;
  const y = clamp(marked.y + marked.height / 2 - height / 2, 0, page.height - height);
  return {
    marked,
    view: { x: 0, y, width: page.width, height },
    isAtEnd: marked.x + marked.width / 2 > page.width / 2,
  };
}

export function viewBox({ x, y, width, height }: Box): string {
  return [x, y, width, height].map(round).join(' ');
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function dataUri(picture: Uint8Array): string {
  const type = kindOf(picture) === 'jpeg' ? 'image/jpeg' : 'image/png';
  return `data:${type};base64,${Buffer.from(picture).toString('base64')}`;
}
