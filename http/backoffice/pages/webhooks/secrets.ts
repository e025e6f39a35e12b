import { type Html, html } from '../../../../core/html.ts';
import { MAX_FORMER_SECRETS, TooManySecrets } from '../../../../core/secrets/former-secrets.ts';
import type { DeskTexts } from '../../../../core/texts/desk-texts.ts';
import { durationMs } from '../../../../core/time.ts';
import { oneIn } from '../../query.ts';
import { type Page, Refused, type Visit } from '../../route.ts';
import { choice, type Field } from '../../views/forms.ts';
import { link, moment } from '../../views/parts.ts';

/** How long a replaced secret remains valid, as on the command line. */
const OVERLAPS = ['24h', '7d', '0s'] as const;

export function overlapField(t: DeskTexts, label: 'secret.old-signing' | 'secret.old-key'): Field {
  const options = OVERLAPS.map((overlap) => [overlap, t.text(`overlap.${overlap}`)] as const);
  return choice('overlap', t.text(label), options, '24h');
}

/** Replaces a secret with the overlap that a form asks for. @throws Refused where too many replaced ones are valid */
export async function withOverlap<Result>({ form, t }: Visit, replace: (overlapMs: number) => Promise<Result>) {
  try {
    return await replace(durationMs(oneIn(form, 'overlap', OVERLAPS) ?? '24h'));
  } catch (error) {
    if (!(error instanceof TooManySecrets)) throw error;
    throw new Refused(409, t, 'refused.secrets', { limit: MAX_FORMER_SECRETS }, 'overlap');
  }
}

interface Secret {
  /** The API key; undefined for the secret of a webhook. */
  of?: { name: string };
  secret: string;
  formerUntil: string | null;
  before?: Html;
}

/** Shows a secret once: it is not stored in a form that could be shown again. @param back the page to continue with */
export function secretPage({ t, to }: Visit, back: string, { of, secret, formerUntil, before }: Secret): Page {
  const main = html`<p class="lead">${t.text('secret.once')}</p>
${before}
<pre tabindex="0" translate="no">${secret}</pre>
<p class="note">${formerUntil === null ? t.text('secret.only') : html`${t.text('secret.former')} ${moment(formerUntil)} <span translate="no">UTC</span>`}</p>
<p>${link(to(back), t.text('continue'))}</p>`;
  if (!of) return { title: t.text('secret.of-webhook'), main };
  const { name } = of;
  return { title: t.text('secret.of-key', { name }), heading: t.rich('secret.of-key', { name }), main };
}
