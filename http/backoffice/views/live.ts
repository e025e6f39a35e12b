import { type Html, html } from '../../../core/html.ts';

/** A part of a page that is replaced when the page's state has changed. Of its input fields, only checkboxes keep what was entered. */
export function livePart(name: string, content: Html): Html {
  return html`<div data-part="${name}">${content}</div>`;
}

/** Says that the page updates automatically, and lets the reader pause that. Scripts reveal it. */
export function liveBar(): Html {
  return html`<div class="live" hidden><span>Updates automatically</span><button class="quiet" type="button">Pause</button></div>`;
}
