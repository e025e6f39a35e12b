import { type Html, html, isolated } from '../../../core/html.ts';
import { hashSecret } from '../../../core/secrets/secrets.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import type { Line } from '../agreement-lines.ts';
import { faultText } from './kyc-step.ts';
import { type UnmarkedPage, windowTitle } from './page.ts';
import { checkOnPhone } from './phone.ts';

/** The form field that identifies the text that the person agreed to. */
const SHOWN = 'shown';

/** @param action where the form goes @param phone the public address of the check, for the person's phone */
export function agreementPage(
  t: Texts,
  lines: readonly Line[],
  { action, phone, isChanged = false }: { action: string; phone: string; isChanged?: boolean },
): UnmarkedPage {
  const title = t.text('agreement.title');
  return {
    t,
    title: windowTitle(t, [title, t.text('name.kyc')], isChanged),
    main: html`<h1 id="heading" tabindex="-1">${title}</h1>
<p class="lead">${t.text('agreement.lead')}</p>
${faultText(t, isChanged ? t.text('agreement.changed') : undefined)}
${agreementTerms(lines)}
<form method="post" action="${action}">
${shownField(lines)}
<p class="go"><button>${t.text('agreement.button')}</button></p>
</form>
<p class="note">${t.text('agreement.note')}</p>
${checkOnPhone(t, phone)}`,
  };
}

export function agreementTerms(lines: readonly Line[]): Html {
  return html`<dl class="terms">${lines.map(shown)}</dl>`;
}

/** Tells with which lines a form was shown. */
export function shownField(lines: readonly Line[]): Html {
  return html`<input type="hidden" name="${SHOWN}" value="${digest(lines)}">`;
}

/** Whether the form was shown with these lines. */
export function isOf(sent: URLSearchParams, lines: readonly Line[]): boolean {
  return sent.get(SHOWN) === digest(lines);
}

/** The text as stored with the flow. */
export function asText(lines: readonly Line[]): string {
  return lines.map(({ label, text }) => `${label}: ${text}`).join('\n');
}

/** Isolates a third party's name, whose writing direction must not spread. */
function shown({ label, text }: Line): Html {
  return html`<div><dt>${label}</dt><dd>${isolated(text)}</dd></div>`;
}

function digest(lines: readonly Line[]): string {
  return hashSecret(asText(lines));
}
