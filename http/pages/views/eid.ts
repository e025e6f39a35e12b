import { type Html, html } from '../../../core/html.ts';
import type { Message, Texts } from '../../../core/texts/texts.ts';
import type { Requester } from '../../../db/applications/requester.ts';
import type { EidStart } from '../../../jobs/identity/eid-flows.ts';
import type { SimulatedEidResult } from '../../../providers/sandbox/eid.ts';
import { SERVICE } from './brand.ts';
import { icons, spinner } from './drawings.ts';
import { homeLink } from './link-states.ts';
import { type Page, windowTitle } from './page.ts';

/**
 * Links instead of forms, because the Content Security Policy blocks forms to other origins. @param back the address that continues with a
 * result
 */
export function simulatedEidPage(
  t: Texts,
  requester: Requester | undefined,
  back: (result: SimulatedEidResult) => string,
): Page {
  const title = t.text('eid.confirm');
  return {
    t,
    title: windowTitle(t, [title, t.text('name.eid')]),
    simulated: true,
    brand: brand(t),
    requester,
    main: html`<h1 id="heading" tabindex="-1">${title}</h1>
<p class="lead">${t.rich('eid.confirm-lead', { service: SERVICE })}</p>
<h2>${t.text('eid.shared')}</h2>
<dl class="facts">
<div><dt>${t.text('facts.name')}</dt><dd>${t.text('eid.shared-name')}</dd></div>
<div><dt>${t.text('facts.document')}</dt><dd>${t.text('eid.shared-document')}</dd></div>
</dl>
<p class="note">${t.text('eid.shared-note')}</p>
<p class="actions"><a class="button" href="${back('confirmed')}">${t.text('eid.confirm-button')}</a><a class="button plain" href="${back('cancelled')}">${t.text('eid.cancel')}</a></p>
<section class="tester" aria-labelledby="tester"><h2 id="tester">${t.text('eid.tester')}</h2>
<p>${t.text('eid.tester-note')}</p>
<p><a class="button plain" href="${back('failed')}">${t.text('eid.tester-fail')}</a></p></section>`,
  };
}

/** A simulated sign-in that ends without a click. */
export function eidWaitingPage(t: Texts, { requester }: Shown<'waiting'>): Page {
  const title = t.text('eid.waiting');
  return {
    t,
    title,
    simulated: true,
    moves: { seconds: 1 },
    brand: brand(t),
    requester,
    main: html`<div class="state">${spinner}<h1>${title}</h1>
<p>${t.text('eid.waiting-text')}</p></div>`,
  };
}

function statePage(t: Texts, name: Message, picture: Html, text: Html): Page {
  const title = t.text(name);
  return { t, title, simulated: false, main: html`<div class="state">${picture}<h1>${title}</h1>\n${text}</div>` };
}

type Shown<Show extends EidStart['show']> = Extract<EidStart, { show: Show }>;
type Over = Shown<'over'>;

/** The outcome of a flow. Nothing here leads to the integrator; only a success does, once. @param home of the person, if they came from it */
export function eidOverPage(t: Texts, { status, requester, again }: Omit<Over, 'checked'>, home?: string): Page {
  const [title, picture, text] = endings[status];
  const isConfirmed = endings[status] === confirmed;
  const retry = again === undefined ? html`<p>${t.text('eid.start-again')}</p>` : tryAgain(t, again);
  // Someone who came from their page continues there, instead of closing this one.
  const said = isConfirmed && home !== undefined ? undefined : html`<p>${t.text(text)}</p>`;
  const back = home === undefined ? undefined : homeLink(t, home, !isConfirmed && again !== undefined);
  return { ...statePage(t, title, picture, html`${said}${isConfirmed ? undefined : retry}${back}`), requester };
}

function tryAgain(t: Texts, again: string): Html {
  return html`\n<p class="actions"><a class="button" href="${again}">${t.text('page.try-again')}</a></p>`;
}

type Ending = [title: Message, picture: Html, text: Message];

const confirmed: Ending = ['eid.confirmed', icons.good, 'eid.confirmed-text'];

const endings: Record<Over['status'], Ending> = {
  downloading: confirmed,
  succeeded: confirmed,
  cancelled: ['eid.cancelled', icons.away, 'eid.nothing-shared'],
  failed: ['eid.failed', icons.bad, 'eid.nothing-shared'],
  expired: ['link.expired', icons.late, 'eid.expired-text'],
};

/** The browser keeps no cookie. @param again the person's link @param site whose cookies to allow */
export function eidNoCookiesPage(
  t: Texts,
  { requester }: Shown<'unbound'>,
  { again, site }: { again: string; site: string },
): Page {
  const text = html`<p>${t.text('eid.no-cookies-why')}</p>
<p>${t.rich('eid.no-cookies-allow', { site })} ${t.text('eid.no-cookies-other')}</p>${tryAgain(t, again)}`;
  return { ...statePage(t, 'eid.no-cookies', icons.trouble, text), requester };
}

/** The callback reached a browser that did not start the flow. */
export function eidRefusedPage(t: Texts, { requester }: Shown<'refused'>): Page {
  return { ...statePage(t, 'eid.refused', icons.trouble, html`<p>${t.text('eid.refused-text')}</p>`), requester };
}

/** `again` is the person's own link. */
export function eidTryAgainPage(t: Texts, { again, requester }: Shown<'unavailable'>): Page {
  const text = html`<p>${t.text('kyc.away-text')}</p>${tryAgain(t, again)}`;
  return { ...statePage(t, 'eid.away', icons.trouble, text), requester };
}

/** An internal error; the verification stays open. */
export function eidTroublePage(t: Texts): Page {
  return statePage(t, 'link.trouble.title', icons.trouble, html`<p>${t.text('eid.trouble-text')}</p>`);
}

export function eidUnknownPage(t: Texts): Page {
  return statePage(t, 'link.unknown.title', icons.unknown, html`<p>${t.text('kyc.unknown-text')}</p>`);
}

/** The seal of a state that does not exist. */
function brand(t: Texts): Html {
  return html`<p class="brand national"><svg viewBox="0 0 32 32" width="28" height="28" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" aria-hidden="true"><path d="M16 3 27 7v8c0 7-4.6 11.7-11 14C9.6 26.7 5 22 5 15V7z"/><path d="m16 9.5 1.800 3.900 4.200.5-3.100 2.900.8 4.200-3.7-2.100-3.7 2.100.8-4.200-3.100-2.900 4.200-.5z"/></svg>${t.text('name.eid')}</p>`;
}
