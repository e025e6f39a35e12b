import { html } from '../../../core/html.ts';
import { icons, spinner } from './drawings.ts';
import type { Page } from './page.ts';

/** The choices of a person on the simulated page: addresses that lead on. */
export interface EidChoices {
  name: string;
  confirm: string;
  cancel: string;
  fail: string;
}

/** Simulates the sign-in of a national eID. Uses links, because the Content Security Policy blocks forms to other origins. */
export function simulatedEidPage({ name, confirm, cancel, fail }: EidChoices): Page {
  return {
    title: 'Confirm your identity – National electronic identity',
    simulated: true,
    brand,
    main: html`<h1 id="heading" tabindex="-1">Confirm your identity</h1>
<p class="lead"><strong>Tenant Screening</strong> asks who you are.</p>
<h2>What is shared</h2>
<dl class="facts">
<div><dt>Name</dt><dd>${name}</dd></div>
<div><dt>Document</dt><dd>Your identity document, as a PDF</dd></div>
</dl>
<p class="note">It is shared once, with Tenant Screening alone.</p>
<p class="actions"><a class="button" href="${confirm}">Confirm my identity</a><a class="button plain" href="${cancel}">Cancel</a></p>
<section class="tester" aria-labelledby="tester"><h2 id="tester">Sandbox: for testers</h2>
<p>See what happens when the provider cannot confirm an identity.</p>
<p><a class="button plain" href="${fail}">Let it fail</a></p></section>`,
  };
}

/** A simulated sign-in that ends without a click. */
export function eidWaitingPage(): Page {
  return {
    title: 'Confirming your identity',
    simulated: true,
    moves: { seconds: 1 },
    brand,
    main: html`<div class="state">${spinner}<h1>Confirming your identity</h1>
<p>This takes a moment. Then we take you back.</p></div>`,
  };
}

/** The callback reached a browser that did not start the flow. */
export function eidRefusedPage(): Page {
  return {
    title: 'This sign-in was started in another browser',
    simulated: false,
    main: html`<div class="state">${icons.trouble}<h1>This sign-in was started in another browser</h1>
<p>To keep you safe, it can only be finished where it was started. Open your link again, and stay in one browser.</p></div>`,
  };
}

/** @param again the person's own link */
export function eidTryAgainPage({ again }: { again: string }): Page {
  return {
    title: 'The sign-in cannot be reached just now',
    simulated: false,
    main: html`<div class="state">${icons.trouble}<h1>The sign-in cannot be reached just now</h1>
<p>Nothing is lost. Please try again in a moment.</p>
<p class="actions"><a class="button" href="${again}">Try again</a></p></div>`,
  };
}

/** An internal error; the verification stays open. */
export function eidTroublePage(): Page {
  return {
    title: 'Something went wrong on our side',
    simulated: false,
    main: html`<div class="state">${icons.trouble}<h1>Something went wrong on our side</h1>
<p>Nothing is lost. Please open your link again in a moment.</p></div>`,
  };
}

export function eidUnknownPage(): Page {
  return {
    title: 'This link leads nowhere',
    simulated: false,
    main: html`<div class="state">${icons.unknown}<h1>This link leads nowhere</h1>
<p>Check that you opened the whole link. If it still does not work, ask for a new one where you got it.</p></div>`,
  };
}

/** The seal of a state that does not exist. */
const brand = html`<p class="brand national"><svg viewBox="0 0 32 32" width="28" height="28" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" aria-hidden="true"><path d="M16 3 27 7v8c0 7-4.6 11.7-11 14C9.6 26.7 5 22 5 15V7z"/><path d="m16 9.5 1.800 3.900 4.200.5-3.100 2.900.8 4.200-3.7-2.100-3.7 2.100.8-4.200-3.100-2.900 4.200-.5z"/></svg>National electronic identity</p>`;
