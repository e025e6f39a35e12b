import { type Html, html } from '../../../core/html.ts';
import { icons, spinner } from './drawings.ts';
import type { KycAddress } from './kyc-step.ts';
import { statePage as namedStatePage } from './link-states.ts';
import type { UnmarkedPage } from './page.ts';

/** When framed, the embedding page goes on from here. */
const close = html`<p class="alone">You can close this window now.</p>`;
const startAgain = html`<p>To try again, go back to where you came from and start anew.</p>`;

function statePage(title: string, picture: Html, text: Html): UnmarkedPage {
  return namedStatePage(title, picture, text, 'Identity verification');
}

export function verifiedPage(): UnmarkedPage {
  const text = html`<p>Thank you. Your identity is confirmed.</p>${close}`;
  return { ...statePage('You are verified', icons.good, text), tells: 'KYC_COMPLETED' };
}

export function rejectedPage(reason: string | null): UnmarkedPage {
  const why = reason === null ? undefined : html`<p class="reason-given">${reason}</p>`;
  const text = html`${why}${startAgain}${close}`;
  return { ...statePage('We could not verify you', icons.bad, text), tells: 'KYC_ERROR' };
}

export function failedPage(): UnmarkedPage {
  const text = html`<p>A technical problem stopped the check. It is not your fault, and nothing was decided about you.</p>
${startAgain}${close}`;
  return { ...statePage('Something went wrong', icons.trouble, text), tells: 'KYC_ERROR' };
}

export function expiredPage(): UnmarkedPage {
  const text = html`<p>The verification was not finished in time.</p>${startAgain}${close}`;
  return { ...statePage('This link has expired', icons.late, text), tells: 'KYC_ERROR' };
}

/** The verification stays open. */
export function leftPage(to: KycAddress): UnmarkedPage {
  const text = html`<p>Nothing is lost. You can go on where you were, until the link expires.</p>
<p class="actions"><a class="button" href="${to()}#step">Go on</a></p>${close}`;
  return { ...statePage('You have left the verification', icons.away, text), tells: 'KYC_USER_EXIT' };
}

export function checkingPage(to: KycAddress): UnmarkedPage {
  const text = html`<p role="status" data-patience="We are still checking. You can leave this page open: it goes on by itself.">This takes a moment. The page goes on by itself.</p>`;
  return { ...statePage('Checking your details', spinner, text), leave: to('left'), watches: to('status') };
}

/** Leaves without a click, as a person might; the verification stays open. */
export function leavingPage(to: KycAddress): UnmarkedPage {
  const page = statePage('Checking your details', spinner, html`<p>This simulated person leaves in a moment.</p>`);
  return { ...page, leave: to('left'), moves: { seconds: 1, to: to('left') } };
}

/** Sends a person on to the pages of the provider, and waits for the outcome. */
export function handOverPage(to: KycAddress): UnmarkedPage {
  const text = html`<p>The check takes place on the page of our partner, which opens in a new tab. Have an identity document at hand.</p>
<p class="actions"><a class="button" href="${to('continue')}" target="_blank" rel="noopener">Continue<span class="sr"> in a new tab</span></a></p>
<p class="note" role="status">Keep this page open: it goes on by itself when you are done.</p>`;
  return { ...statePage('Verify your identity', icons.onward, text), leave: to('left'), watches: to('status') };
}

export function tryAgainPage(to: KycAddress): UnmarkedPage {
  const text = html`<p>Nothing is lost. Please try again in a moment.</p>
<p class="actions"><a class="button" href="${to('continue')}">Try again</a></p>`;
  return { ...statePage('The check cannot be reached just now', icons.trouble, text), leave: to('left') };
}

/** An internal error; the verification stays open. */
export function troublePage(): UnmarkedPage {
  const text = html`<p>It is not your fault, and nothing is lost. Please load this page again in a moment.</p>`;
  return statePage('Something went wrong on our side', icons.trouble, text);
}

export function unknownPage(): UnmarkedPage {
  const text = html`<p>Check that you opened the whole link. If it still does not work, ask for a new one where you got it.</p>${close}`;
  return statePage('This link leads nowhere', icons.unknown, text);
}
