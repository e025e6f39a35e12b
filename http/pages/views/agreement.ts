import { type Html, html } from '../../../core/html.ts';
import { hashSecret } from '../../../core/secrets/secrets.ts';
import { type Line, agreementTexts as texts } from '../texts/agreement.ts';
import { faultText } from './kyc-step.ts';
import { quoted, type UnmarkedPage } from './page.ts';

/** The field of the form that tells which text the person agreed to. */
const SHOWN = 'shown';

/** @param action where the form goes */
export function agreementPage(lines: readonly Line[], action: string, isChanged = false): UnmarkedPage {
  const { title, lead, button, note, changed } = texts;
  return {
    title: `${isChanged ? 'Error: ' : ''}${title} – Identity verification`,
    main: html`<h1 id="heading" tabindex="-1">${title}</h1>
<p class="lead">${lead}</p>
${faultText(isChanged ? changed : undefined)}
<dl class="terms">${lines.map(shown)}</dl>
<form method="post" action="${action}">
<input type="hidden" name="${SHOWN}" value="${digest(lines)}">
<p class="go"><button>${button}</button></p>
</form>
<p class="note">${note}</p>`,
  };
}

/** Whether the form was shown with these lines. */
export function isOf(sent: URLSearchParams, lines: readonly Line[]): boolean {
  return sent.get(SHOWN) === digest(lines);
}

/** As it is stored with the flow. */
export function asText(lines: readonly Line[]): string {
  return lines.map(({ label, text }) => `${label}: ${text}`).join('\n');
}

function shown({ label, text }: Line): Html {
  return html`<div><dt>${label}</dt><dd>${quoted(text)}</dd></div>`;
}

function digest(lines: readonly Line[]): string {
  return hashSecret(asText(lines));
}
