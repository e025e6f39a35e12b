import { type Html, html } from '../../../../core/html.ts';
import type { DeskTexts } from '../../../../core/texts/desk-texts.ts';
import { durationMs } from '../../../../core/time.ts';
import { oneIn } from '../../query.ts';
import type { Page, Visit } from '../../route.ts';
import { choice } from '../../views/forms.ts';
import { link, moment } from '../../views/parts.ts';

/** How long a replaced secret remains valid, as on the command line. */
const OVERLAPS = ['24h', '7d', '0s'] as const;

export function overlapField(t: DeskTexts, label: 'secret.old-signing' | 'secret.old-key'): Html {
  const options = OVERLAPS.map((overlap) => [overlap, t.text(`overlap.${overlap}`)] as const);
  return choice('overlap', t.text(label), options, '24h');
}

export function overlapMs(form: URLSearchParams): number {
  return durationMs(oneIn(form, 'overlap', OVERLAPS) ?? '24h');
}

/** Shows a secret once: it is not stored in a form that could be shown again. @param back the page to continue with */
export function secretPage(
  { t, to }: Pick<Visit, 't' | 'to'>,
  back: string,
  {
    title,
    heading,
    secret,
    formerUntil,
    before,
  }: { title: string; heading?: Html; secret: string; formerUntil: string | null; before?: Html },
): Page {
  const main = html`<h1>${heading ?? title}</h1>
<p class="lead">${t.text('secret.once')}</p>
${before}
<pre tabindex="0" translate="no">${secret}</pre>
<p class="note">${formerUntil === null ? t.text('secret.only') : html`${t.text('secret.former')} ${moment(formerUntil)} <span translate="no">UTC</span>`}</p>
<p>${link(to(back), t.text('continue'))}</p>`;
  return { title, main };
}
