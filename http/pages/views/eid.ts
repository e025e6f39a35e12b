import { type Html, html } from '../../../core/html.ts';
import type { Asker } from '../../../db/applications/asker.ts';
import type { EidStep } from '../../../jobs/identity/eid-flows.ts';
import type { SimulatedEidResult } from '../../../providers/sandbox/eid.ts';
import { icons, spinner } from './drawings.ts';
import type { Page } from './page.ts';

/** Links, because the Content Security Policy blocks forms to other origins. @param back leads on with a result */
export function simulatedEidPage(asker: Asker | undefined, back: (result: SimulatedEidResult) => string): Page {
  return {
    title: 'Confirm your identity – National electronic identity',
    simulated: true,
    brand,
    asker,
    main: html`<h1 id="heading" tabindex="-1">Confirm your identity</h1>
<p class="lead"><strong>Tenant Screening</strong> asks who you are, for your rental application.</p>
<h2>What is shared</h2>
<dl class="facts">
<div><dt>Name</dt><dd>Your name, as it is registered</dd></div>
<div><dt>Document</dt><dd>Your identity document, as a PDF</dd></div>
</dl>
<p class="note">It is shared once, for this landlord alone.</p>
<p class="actions"><a class="button" href="${back('confirmed')}">Confirm my identity</a><a class="button plain" href="${back('cancelled')}">Cancel</a></p>
<section class="tester" aria-labelledby="tester"><h2 id="tester">Sandbox: for testers</h2>
<p>See what happens when the provider cannot confirm an identity.</p>
<p><a class="button plain" href="${back('failed')}">Let it fail</a></p></section>`,
  };
}

/** A simulated sign-in that ends without a click. */
export function eidWaitingPage({ asker }: Shown<'waiting'>): Page {
  return {
    title: 'Confirming your identity',
    simulated: true,
    moves: { seconds: 1 },
    brand,
    asker,
    main: html`<div class="state">${spinner}<h1>Confirming your identity</h1>
<p>This takes a moment. Then we take you back.</p></div>`,
  };
}

function statePage(title: string, picture: Html, text: Html): Page {
  return { title, simulated: false, main: html`<div class="state">${picture}<h1>${title}</h1>\n${text}</div>` };
}

type Shown<Show extends EidStep['show']> = Extract<EidStep, { show: Show }>;
type Over = Shown<'over'>;

/** How a flow ended. Nothing here leads to the integrator: only a success does, once. */
export function eidOverPage({ status, asker, again }: Over): Page {
  const [title, picture, text] = endings[status];
  const retry = again === undefined ? startAgain : tryAgain(again);
  const next = endings[status] === confirmed ? undefined : retry;
  return { ...statePage(title, picture, html`${text}${next}`), asker };
}

function tryAgain(again: string): Html {
  return html`\n<p class="actions"><a class="button" href="${again}">Try again</a></p>`;
}

const startAgain = html`<p>To try again, go back to where you came from and start again.</p>`;

const confirmed: [string, Html, Html] = [
  'Your identity is confirmed',
  icons.good,
  html`<p>Thank you. There is nothing else to do here; you can close this page.</p>`,
];

const endings: Record<Over['status'], [title: string, picture: Html, text: Html]> = {
  downloading: confirmed,
  succeeded: confirmed,
  cancelled: ['The sign-in was cancelled', icons.away, html`<p>Nothing was shared.</p>`],
  failed: ['Your identity could not be confirmed', icons.bad, html`<p>Nothing was shared.</p>`],
  expired: ['This link has expired', icons.late, html`<p>Your identity was not confirmed in time.</p>`],
};

/** The callback reached a browser that did not start the flow. */
export function eidRefusedPage({ asker }: Shown<'refused'>): Page {
  const text = html`<p>To keep you safe, it can only be finished where it was started. Open your link again, and stay in one browser.</p>`;
  return { ...statePage('This sign-in was started in another browser', icons.trouble, text), asker };
}

/** `again` is the person's own link. */
export function eidTryAgainPage({ again, asker }: Shown<'unavailable'>): Page {
  const text = html`<p>Nothing is lost. Please try again in a moment.</p>${tryAgain(again)}`;
  return { ...statePage('The sign-in cannot be reached just now', icons.trouble, text), asker };
}

/** An internal error; the verification stays open. */
export function eidTroublePage(): Page {
  const text = html`<p>Nothing is lost. Please open your link again in a moment.</p>`;
  return statePage('Something went wrong on our side', icons.trouble, text);
}

export function eidUnknownPage(): Page {
  const text = html`<p>Check that you opened the whole link. If it still does not work, ask for a new one where you got it.</p>`;
  return statePage('This link leads nowhere', icons.unknown, text);
}

/** The seal of a state that does not exist. */
const brand = html`<p class="brand national"><svg viewBox="0 0 32 32" width="28" height="28" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" aria-hidden="true"><path d="M16 3 27 7v8c0 7-4.6 11.7-11 14C9.6 26.7 5 22 5 15V7z"/><path d="m16 9.5 1.800 3.900 4.200.5-3.100 2.900.8 4.200-3.7-2.100-3.7 2.100.8-4.200-3.100-2.900 4.200-.5z"/></svg>National electronic identity</p>`;
