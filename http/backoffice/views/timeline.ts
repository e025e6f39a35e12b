import { type Html, html } from '../../../core/html.ts';
import type { DeskTexts } from '../../../core/texts/desk-texts.ts';
import { type Cell, moment } from './parts.ts';

/** An event on a timeline. */
export interface TimelineEntry {
  at: string | null | undefined;
  what: Cell;
  /** Details, on a separate line. */
  more?: Cell;
}

/** Newest first. Entries without a time are left out. */
export function timeline(t: DeskTexts, entries: readonly TimelineEntry[]): Html {
  const sorted = entries
    .flatMap(({ at, ...rest }) => (at ? [{ at, ...rest }] : []))
    .sort((a, b) => b.at.localeCompare(a.at));
  if (sorted.length === 0) return html`<p class="lead">${t.text('timeline.empty')}</p>`;
  return html`<ol class="timeline">${sorted.map(
    ({ at, what, more }) =>
      html`<li>${moment(at)}<div>${what ?? undefined}${more !== undefined && more !== null ? html`<p>${more}</p>` : undefined}</div></li>\n`,
  )}</ol>`;
}
