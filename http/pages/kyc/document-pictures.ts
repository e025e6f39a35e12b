import { type Html, html } from '../../../core/html.ts';
import type { SimulatedDocument } from '../../../providers/sandbox/kyc.ts';

/** Head and shoulders within 24 by 28. */
const person = html`<circle cx="12" cy="10" r="5.5"/><path d="M1.5 28c0-6.5 4.5-10 10.5-10s10.5 3.5 10.5 10z"/>`;

function card(inside: Html): Html {
  return html`<svg class="document" viewBox="0 0 128 84" aria-hidden="true"><rect class="paper" x="1.5" y="1.5" width="125" height="81" rx="7"/>${inside}</svg>`;
}

function lines(...rows: [x: number, y: number, width: number][]): Html[] {
  return rows.map(([x, y, width]) => html`<rect class="line" x="${x}" y="${y}" width="${width}" height="4" rx="2"/>`);
}

/** Drawings of the documents, without text. */
export const documentPictures: Record<SimulatedDocument, Html> = {
  passport: card(
    html`<rect class="photo" x="11" y="12" width="31" height="38" rx="3"/><g class="person" transform="translate(14.5 20)">${person}</g>
${lines([52, 14, 36], [52, 24, 52], [52, 34, 44], [52, 44, 28])}<path class="code" d="M11 62h106M11 71h106"/>`,
  ),
  identity_card: card(
    html`<rect class="band" x="11" y="11" width="106" height="9" rx="3"/><rect class="photo" x="11" y="28" width="34" height="42" rx="3"/><g class="person" transform="translate(16 39)">${person}</g>
${lines([55, 30, 48], [55, 41, 62], [55, 52, 36], [55, 64, 52])}`,
  ),
  driving_licence: card(
    html`<rect class="photo" x="11" y="14" width="34" height="42" rx="3"/><g class="person" transform="translate(16 25)">${person}</g>
${lines([55, 15, 30], [55, 26, 62], [55, 37, 48])}<path class="mark-line" d="M57 64l3-7.5a3 3 0 0 1 2.8-2h13.4a3 3 0 0 1 2.8 2l3 7.5v8h-4v-3H61v3h-4zM61 60.5h17"/>${lines([11, 66, 34])}`,
  ),
};

/** A person in front of the camera. */
export const portrait = html`<svg class="document portrait" viewBox="0 0 84 84" aria-hidden="true"><g class="person" transform="translate(15 14) scale(2.25 2.5)">${person}</g></svg>`;
