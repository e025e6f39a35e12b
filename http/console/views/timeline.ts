import { type Html, html } from '../../../core/html.ts';
import { type Cell, moment } from './parts.ts';

/** An event on a timeline. */
export interface Happening {
  at: string | null | undefined;
  what: Cell;
  /** Details, on a separate line. */
  more?: Cell;
}

/** Newest first. Entries without a time are left out. */
export function timeline(happenings: readonly Happening[]): Html {
  const happened = happenings
    .flatMap(({ at, ...rest }) => (at ? [{ at, ...rest }] : []))
    .sort((a, b) => b.at.localeCompare(a.at));
  if (happened.length === 0) return html`<p class="lead">Nothing has happened yet.</p>`;
  return html`<ol class="timeline">${happened.map(
    ({ at, what, more }) =>
      html`<li>${moment(at)}<div>${what ?? undefined}${more !== undefined && more !== null ? html`<p>${more}</p>` : undefined}</div></li>\n`,
  )}</ol>`;
}
