import { type Html, html } from '../../../core/html.ts';
import type { Onboarding } from '../../../jobs/invitations/onboarding.ts';
import { icons } from './drawings.ts';
import { declinedPage } from './invitation.ts';
import { journey } from './journey.ts';
import { nameField } from './kyc-step.ts';
import { type LinkView, type Mistake, statePage, underWay, uploadStep } from './link-states.ts';
import { quoted, type UnmarkedPage } from './page.ts';

const NAME = 'Rental application';

/** The page of an onboarding link, in each of its states. */
export function onboardingPage(
  onboarding: Onboarding,
  { token, documents }: LinkView,
  mistake?: Mistake,
): UnmarkedPage {
  const { state } = onboarding;
  if (state === 'used') return usedPage(onboarding, token, documents);
  if (state === 'declined') return declinedPage(onboarding, NAME);
  if (state === 'expired') return expiredPage(onboarding);
  return formPage(onboarding, state === 'asking' ? askingWords(onboarding) : openWords(onboarding), mistake);
}

interface Words {
  heading: string;
  lead: Html;
  buttons: Html;
  note: Html;
}

function formPage(
  { title, landlord, email, name }: Onboarding,
  { heading, lead, buttons, note }: Words,
  mistake?: Mistake,
): UnmarkedPage {
  const fault = mistake?.fault;
  return {
    title: `${fault ? 'Error: ' : ''}${heading} – ${NAME}`,
    main: html`${journey({ first: 'profile' }, 'profile')}
<h1 id="heading" tabindex="-1">${heading}</h1>
<p class="lead">${lead}</p>
<dl class="facts">
<div><dt>For</dt><dd>${quoted(title)}</dd></div>
<div><dt>E-mail</dt><dd>${quoted(email)}</dd></div>
</dl>
<form method="post" novalidate>
${nameField(mistake?.sent.get('name') ?? name, fault)}
${buttons}
</form>
${note}
<p class="note">If this is not your e-mail address, close this page and tell ${quoted(landlord)}.</p>`,
  };
}

function openWords({ landlord }: Onboarding): Words {
  return {
    heading: 'Complete your profile',
    lead: html`<strong>${quoted(landlord)}</strong> asks for it, so that your application can go on.`,
    buttons: html`<p class="go"><button>Confirm</button></p>`,
    note: html``,
  };
}

/** Someone who has not answered decides first, the lead too: nobody takes part without having been asked. */
function askingWords({ landlord }: Onboarding): Words {
  return {
    heading: 'Would you like to apply?',
    lead: html`<strong>${quoted(landlord)}</strong> invites you to take part in a rental application. Please confirm your name, too.`,
    buttons: html`<p class="answers"><button name="answer" value="accept">Accept</button><button class="plain" name="answer" value="decline">Decline</button></p>`,
    note: html`<p class="note">Accepting confirms your name and that you want to take part; you sign nothing. Declining means that you do not; the landlord sees it, and your name is not kept. You can answer once.</p>`,
  };
}

/** A used link no longer reveals whose profile it is. */
function usedPage({ title, landlord, mayUpload }: Onboarding, token: string, documents: number): UnmarkedPage {
  const next = mayUpload
    ? uploadStep(token, documents)
    : html`<p>There is nothing else to do here; you can close this page.</p>`;
  const text = html`<p>Thank you. ${quoted(landlord)} can go on with the application for <strong>${quoted(title)}</strong>.</p>
${next}`;
  const page = statePage('Your profile is complete', icons.good, text, NAME);
  return mayUpload ? underWay(page, { first: 'profile', documents }) : page;
}

function expiredPage({ title, landlord }: Onboarding): UnmarkedPage {
  const text = html`<p>Your profile for <strong>${quoted(title)}</strong> was not completed in time. Please ask ${quoted(landlord)} for a new link.</p>`;
  return statePage('This link has expired', icons.late, text, NAME);
}
