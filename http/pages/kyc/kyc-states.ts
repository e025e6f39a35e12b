import { type Html, html } from '../../../core/html.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import { icons, spinner } from '../views/drawings.ts';
import type { KycAddress } from '../views/kyc-step.ts';
import { homeLink, statePage as namedStatePage } from '../views/link-states.ts';
import type { UnmarkedPage } from '../views/page.ts';
import { checkOnPhone } from '../views/phone.ts';
import { rejectionIn } from '../views/rejection.ts';

/** When framed, the embedding page continues from here. */
const close = (t: Texts, home?: string, isOther = false) =>
  home === undefined ? html`<p class="alone">${t.text('kyc.close')}</p>` : homeLink(t, home, isOther);
const startAgain = (t: Texts) => html`<p>${t.text('kyc.start-again')}</p>`;

function statePage(t: Texts, title: string, picture: Html, text: Html): UnmarkedPage {
  return namedStatePage(t, title, picture, text, t.text('name.kyc'));
}

export function verifiedPage(t: Texts, home?: string): UnmarkedPage {
  const text = html`<p>${t.text('kyc.verified-text')}</p>${close(t, home)}`;
  return { ...statePage(t, t.text('kyc.verified'), icons.good, text), emits: 'KYC_COMPLETED' };
}

export function rejectedPage(t: Texts, reason: string | null, home?: string): UnmarkedPage {
  const why = reason === null ? undefined : html`<p class="reason-given">${rejectionIn(t, reason)}</p>`;
  const text = html`${why}${startAgain(t)}${close(t, home)}`;
  return { ...statePage(t, t.text('kyc.rejected'), icons.bad, text), emits: 'KYC_ERROR' };
}

export function failedPage(t: Texts, home?: string): UnmarkedPage {
  const text = html`<p>${t.text('kyc.failed-text')}</p>
${startAgain(t)}${close(t, home)}`;
  return { ...statePage(t, t.text('kyc.failed'), icons.trouble, text), emits: 'KYC_ERROR' };
}

export function expiredPage(t: Texts, home?: string): UnmarkedPage {
  const text = html`<p>${t.text('kyc.expired-text')}</p>${startAgain(t)}${close(t, home)}`;
  return { ...statePage(t, t.text('link.expired'), icons.late, text), emits: 'KYC_ERROR' };
}

/** The verification stays open. */
export function leftPage(t: Texts, to: KycAddress, home?: string): UnmarkedPage {
  const text = html`<p>${t.text('kyc.left-text')}</p>
<p class="actions"><a class="button" href="${to()}#step">${t.text('kyc.go-on')}</a></p>${close(t, home, true)}`;
  return { ...statePage(t, t.text('kyc.left'), icons.away, text), emits: 'KYC_USER_EXIT' };
}

export function checkingPage(t: Texts, to: KycAddress): UnmarkedPage {
  const text = html`<p role="status" data-patience="${t.text('kyc.checking-patience')}">${t.text('kyc.checking-text')}</p>`;
  return { ...statePage(t, t.text('kyc.checking'), spinner, text), leave: to('left'), watches: to('status') };
}

/** Leaves without a click, as a person might; the verification stays open. */
export function leavingPage(t: Texts, to: KycAddress): UnmarkedPage {
  const page = statePage(t, t.text('kyc.checking'), spinner, html`<p>${t.text('kyc.leaving-text')}</p>`);
  return { ...page, leave: to('left'), moves: { seconds: 1, to: to('left') } };
}

/** Sends a person on to the pages of the provider, and waits for the outcome. */
export function handOverPage(t: Texts, to: KycAddress, phone: string): UnmarkedPage {
  const text = html`<p>${t.text('kyc.hand-over-text')}</p>
<p class="actions"><a class="button" href="${to('continue')}" target="_blank" rel="noopener"><span>${t.rich('kyc.hand-over-button')}</span></a></p>
<p class="note" role="status">${t.text('kyc.hand-over-note')}</p>
${checkOnPhone(t, phone)}`;
  return { ...statePage(t, t.text('kyc.hand-over'), icons.onward, text), leave: to('left'), watches: to('status') };
}

export function tryAgainPage(t: Texts, to: KycAddress): UnmarkedPage {
  const text = html`<p>${t.text('kyc.away-text')}</p>
<p class="actions"><a class="button" href="${to('continue')}">${t.text('page.try-again')}</a></p>`;
  return { ...statePage(t, t.text('kyc.away'), icons.trouble, text), leave: to('left') };
}

/** An internal error; the verification stays open. */
export function troublePage(t: Texts): UnmarkedPage {
  return statePage(t, t.text('link.trouble.title'), icons.trouble, html`<p>${t.text('kyc.trouble-text')}</p>`);
}

export function unknownPage(t: Texts): UnmarkedPage {
  const text = html`<p>${t.text('kyc.unknown-text')}</p>${close(t)}`;
  return statePage(t, t.text('link.unknown.title'), icons.unknown, text);
}
