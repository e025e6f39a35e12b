import { html } from '../../../core/html.ts';
import type { Onboarding } from '../../../jobs/invitations/onboarding.ts';
import { icons } from './drawings.ts';
import { nameField } from './kyc-step.ts';
import { type Mistake, quoted, statePage } from './link-states.ts';
import type { UnmarkedPage } from './page.ts';

const NAME = 'Your profile';

/** The page of an onboarding link, in each of its states. */
export function onboardingPage(onboarding: Onboarding, mistake?: Mistake): UnmarkedPage {
  if (onboarding.state === 'used') return usedPage();
  return onboarding.state === 'open' ? openPage(onboarding, mistake) : expiredPage(onboarding);
}

function openPage({ title, landlord, email, knownName }: Onboarding, mistake?: Mistake): UnmarkedPage {
  const heading = 'Complete your profile';
  const fault = mistake?.fault;
  return {
    title: `${fault ? 'Error: ' : ''}${heading}`,
    main: html`<h1 id="heading" tabindex="-1">${heading}</h1>
<p class="lead"><strong>${quoted(landlord)}</strong> asks for it, so that your application can go on.</p>
<dl class="facts">
<div><dt>For</dt><dd>${quoted(title)}</dd></div>
<div><dt>E-mail</dt><dd>${quoted(email)}</dd></div>
</dl>
<form method="post" novalidate>
${nameField(mistake?.sent.get('name') ?? knownName, fault)}
<p class="go"><button>Confirm</button></p>
</form>
<p class="note">If this is not your e-mail address, close this page and tell ${quoted(landlord)}.</p>`,
  };
}

/** A used link no longer reveals whose profile it is. */
function usedPage(): UnmarkedPage {
  const text = html`<p>Thank you. There is nothing else to do here; you can close this page.</p>`;
  return statePage('Your profile is complete', icons.good, text, NAME);
}

function expiredPage({ landlord }: Onboarding): UnmarkedPage {
  const text = html`<p>Your profile was not completed in time. Please ask ${quoted(landlord)} for a new link.</p>`;
  return statePage('This link has expired', icons.late, text, NAME);
}
