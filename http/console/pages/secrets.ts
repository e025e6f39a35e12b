import { html } from '../../../core/html.ts';
import { durationMs } from '../../../core/time.ts';
import { oneIn } from '../query.ts';
import type { Page } from '../route.ts';
import { link, moment } from '../views/parts.ts';

/** How long a replaced secret remains valid, as on the command line. */
export const OVERLAPS = [
  ['24h', 'in a day'],
  ['7d', 'in a week'],
  ['0s', 'at once (if it leaked)'],
] as const;

export function overlapMs(form: URLSearchParams): number {
  return durationMs(
    oneIn(
      form,
      'overlap',
      OVERLAPS.map(([value]) => value),
    ) ?? '24h',
  );
}

/** Shows a secret once: it is not stored in a form that could be shown again. */
export function secretPage(back: string, title: string, secret: string, formerUntil: string | null): Page {
  const main = html`<h1>${title}</h1>
<p class="lead">Hand it over now: it is not shown again.</p>
<pre tabindex="0">${secret}</pre>
<p class="note">${formerUntil === null ? 'No other secret is valid from now on.' : html`Former secrets end on ${moment(formerUntil)} UTC.`}</p>
<p>${link(back, 'Continue')}</p>`;
  return { title, main };
}
