import { type Html, html, isolated } from '../../../core/html.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import type { Host } from './brand.ts';
import { icons } from './drawings.ts';
import { faultText } from './kyc-step.ts';
import { statePage } from './link-states.ts';
import { type UnmarkedPage, windowTitle } from './page.ts';

/** A person who may lead from now on: their name, or their address with most letters hidden. */
export interface Candidate {
  id: string;
  name: string;
}

export interface PartView extends Host {
  title: string;
  isLead: boolean;
  candidates: readonly Candidate[];
  /** Whether no one was chosen to take over. */
  isWrong?: boolean;
  /** The addresses of the actions, and of the page that the link leads to. */
  leave: string;
  lead: string;
  back: string;
}

/** The person's part in the application: handing over the lead, and leaving. Both ask once more. */
export function partPage(t: Texts, view: PartView): UnmarkedPage {
  const { landlord, title, brand, contact, back, isLead } = view;
  return {
    t,
    title: windowTitle(t, [t.text('part.title')], view.isWrong),
    requester: { landlord, title, brand, contact },
    main: html`<h1 id="heading" tabindex="-1">${t.text('part.title')}</h1>
${isLead ? leadSection(t, view) : undefined}
<section><h2>${t.text('part.leave-title')}</h2>${leaving(t, view)}</section>
<p class="actions"><a class="button plain" href="${back}#step">${t.text('page.back')}</a></p>`,
  };
}

function leadSection(t: Texts, view: PartView): Html {
  const { candidates, lead } = view;
  const choices = candidates.map(
    ({ id, name }) =>
      html`<label class="choice"><input type="radio" name="to" value="${id}" required><span><b>${isolated(name)}</b></span></label>`,
  );
  const form = html`<form method="post" action="${lead}" novalidate>${faultText(t, view.isWrong ? t.text('part.lead-choose') : undefined)}<fieldset><legend>${t.text('part.lead-choose')}</legend>${choices}</fieldset>
<p class="go"><button>${t.text('part.lead-button')}</button></p></form>`;
  return html`<section><h2>${t.text('part.lead-title')}</h2><p>${t.text('part.lead')}</p>
${candidates.length > 0 ? form : html`<p class="note">${t.text('part.lead-none')}</p>`}</section>`;
}

/** A lead hands over first, while there is a person who can take over. */
function leaving(t: Texts, { landlord, isLead, candidates, leave }: PartView): Html {
  if (isLead && candidates.length > 0) return html`<p>${t.text('part.leave-lead')}</p>`;
  return html`<p>${t.rich('part.leave', { landlord })}</p>
<details class="final"><summary>${t.text('part.leave-open')}</summary>
<form method="post" action="${leave}"><p class="go"><button>${t.text('part.leave-button')}</button></p></form></details>`;
}

/** Asks for a new link. The page does not show where it is mailed to: the former link may be in wrong hands. */
export function renewPage(t: Texts, action: string): UnmarkedPage {
  const text = html`<p>${t.text('renew.text')}</p>
<form method="post" action="${action}"><p class="actions"><button>${t.text('renew.button')}</button></p></form>`;
  return statePage(t, t.text('renew.title'), icons.late, text);
}

/** The same whether a mail was sent or not. */
export function renewedPage(t: Texts): UnmarkedPage {
  return statePage(t, t.text('renew.sent-title'), icons.onward, html`<p>${t.text('renew.sent')}</p>`);
}

/** One click stops the reminders. */
export function remindersPage(t: Texts, action: string): UnmarkedPage {
  const text = html`<p>${t.text('reminders.text')}</p>
<form method="post" action="${action}"><p class="actions"><button>${t.text('reminders.button')}</button></p></form>`;
  return statePage(t, t.text('reminders.title'), icons.away, text);
}

export function remindersStoppedPage(t: Texts): UnmarkedPage {
  return statePage(t, t.text('reminders.title'), icons.good, html`<p>${t.text('reminders.stopped')}</p>`);
}
