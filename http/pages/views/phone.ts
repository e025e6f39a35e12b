import encodeQR from 'qr';
import { type Html, html } from '../../../core/html.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import { HAND_OVER_MINUTES } from '../../../jobs/invitations/hand-over.ts';
import { icons } from './drawings.ts';
import { statePage } from './link-states.ts';
import type { UnmarkedPage } from './page.ts';

/** The quiet zone, in modules, without which scanners do not find the code. */
const BORDER = 4;

/** For people at a desk whose phone has the camera. @param address the content of the code */
export function phoneSection(t: Texts, address: string, explanation?: string): Html {
  return html`<details class="phone"><summary class="to-phone">${t.text('phone.summary')}</summary>
<p>${explanation ?? t.text('phone.explanation', { minutes: HAND_OVER_MINUTES })}</p>
${drawn(address, t.text('phone.label'))}</details>`;
}

function drawn(text: string, label: string): Html {
  const rows: boolean[][] = encodeQR(text, 'raw', { ecc: 'low', border: BORDER });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const size = rows.length;
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark.join('')}" fill="#000"/></svg>`;
}

/** A check continues on the phone by its own address, which can be opened any number of times. */
export function checkOnPhone(t: Texts, address: string): Html {
  return phoneSection(t, address, t.text('phone.explanation-check'));
}

/** On the phone: opening an address must not use the code up, because previews of links open it, too. */
export function handOverPage(t: Texts): UnmarkedPage {
  const text = html`<p>${t.text('phone.here')}</p>
<form method="post"><p class="actions"><button>${t.text('page.continue')}</button></p></form>`;
  return statePage(t, t.text('phone.title'), icons.onward, text);
}

/** Used, expired or wrong. */
export function noHandOverPage(t: Texts): UnmarkedPage {
  return statePage(t, t.text('phone.over'), icons.late, html`<p>${t.text('phone.again')}</p>`);
}
