import { type Html, html } from '../../../core/html.ts';

/** Decorative: the text next to each drawing says the same. */
function icon(kind: string, lines: Html): Html {
  return html`<svg class="icon ${kind}" viewBox="0 0 48 48" width="64" height="64" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="24" cy="24" r="22" class="disc" stroke="none"/>${lines}</svg>`;
}

export const icons = {
  good: icon('good', html`<path d="m15.5 24.8 6 6 11.5-12.6"/>`),
  bad: icon('bad', html`<path d="m17.5 17.5 13 13m0-13-13 13"/>`),
  trouble: icon('warn', html`<path d="M24 14.5v12.5M24 33.2v.1"/>`),
  late: icon('warn', html`<circle cx="24" cy="24" r="10.5"/><path d="M24 18v6.3l4 2.7"/>`),
  away: icon(
    'calm',
    html`<path d="M26 14.5h-8.5a1.5 1.5 0 0 0-1.5 1.5v16a1.5 1.5 0 0 0 1.5 1.5H26M23 24h11m-4.2-4.5L34.3 24l-4.5 4.5"/>`,
  ),
  onward: icon(
    'calm',
    html`<path d="M22 16h-5a1.5 1.5 0 0 0-1.5 1.5v13.5a1.5 1.5 0 0 0 1.5 1.5h13.5a1.5 1.5 0 0 0 1.5-1.5v-5M26.5 15h6.5v6.5M32.5 15.5 23 25"/>`,
  ),
  unknown: icon(
    'calm',
    html`<path d="m21.5 26.5 5-5M20 30.5l-1.7 1.7a4.300 4.300 0 0 1-6-6l4.200-4.200a4.300 4.300 0 0 1 5.7-.3M28 17.5l1.7-1.7a4.300 4.300 0 0 1 6 6l-4.200 4.200a4.300 4.300 0 0 1-5.7.3"/>`,
  ),
};

export const spinner = html`<div class="spinner" aria-hidden="true"></div>`;
