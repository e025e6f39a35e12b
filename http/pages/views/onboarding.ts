import { type Html, html } from '../../../core/html.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import type { Onboarding } from '../../../jobs/invitations/onboarding.ts';
import { icons } from './drawings.ts';
import { answerButtons, declinedPage, factList } from './invitation.ts';
import { journey } from './journey.ts';
import { nameField } from './kyc-step.ts';
import { faultIn, type LinkView, type Mistake, statePage, uploadStep, withDataLink, withSteps } from './link-states.ts';
import { type UnmarkedPage, windowTitle } from './page.ts';

const ASKED = { place: 'onboarding', hasAnswered: false, hasProfile: false, documents: 0 } as const;

/** The page of an onboarding link, in each of its states. */
export function onboardingPage(onboarding: Onboarding, view: LinkView, mistake?: Mistake): UnmarkedPage {
  const page = stateOf(onboarding, view, mistake);
  return onboarding.isOpen ? withDataLink(page, view) : page;
}

function stateOf(onboarding: Onboarding, view: LinkView, mistake?: Mistake): UnmarkedPage {
  const { state } = onboarding;
  const { t } = view;
  if (state === 'used') return usedPage(onboarding, view);
  if (state === 'declined') return declinedPage(t, onboarding, 'name.application');
  if (state === 'expired') return expiredPage(t, onboarding);
  return formPage(t, onboarding, state === 'asking' ? requestWords(t, onboarding) : openWords(t, onboarding), mistake);
}

interface Words {
  heading: string;
  lead: Html;
  buttons: Html;
  note?: Html;
}

function formPage(
  t: Texts,
  { title, landlord, email, name }: Onboarding,
  { heading, lead, buttons, note }: Words,
  mistake?: Mistake,
): UnmarkedPage {
  return {
    t,
    title: windowTitle(t, [heading, t.text('name.application')], mistake !== undefined),
    main: html`${journey(t, ASKED, 'profile')}
<h1 id="heading" tabindex="-1">${heading}</h1>
<p class="lead">${lead}</p>
${factList([
  [t.text('facts.for'), title],
  [t.text('facts.email'), email],
])}
<form method="post" novalidate>
${nameField(t, mistake?.sent.get('name') ?? name, faultIn(t, mistake?.fault))}
${buttons}
</form>
${note}
<p class="note">${t.rich('onboarding.other-address', { landlord })}</p>`,
  };
}

function openWords(t: Texts, { landlord }: Onboarding): Words {
  return {
    heading: t.text('profile.heading'),
    lead: t.rich('onboarding.lead', { landlord }),
    buttons: html`<p class="go"><button>${t.text('profile.confirm')}</button></p>`,
  };
}

/** Someone who has not answered, the lead included, decides first: no one takes part without having been asked. */
function requestWords(t: Texts, { landlord }: Onboarding): Words {
  return {
    heading: t.text('onboarding.asking'),
    lead: t.rich('onboarding.asking-lead', { landlord }),
    buttons: answerButtons(t),
    note: html`<p class="note">${t.text('onboarding.asking-note')}</p>`,
  };
}

/** A used link no longer reveals whose profile it is. */
function usedPage({ title, landlord, mayUpload }: Onboarding, view: LinkView): UnmarkedPage {
  const { t, documents } = view;
  const next = mayUpload ? uploadStep(view) : html`<p>${t.text('onboarding.nothing-left')}</p>`;
  const text = html`<p>${t.rich('onboarding.done-text', { title, landlord })}</p>
${next}`;
  const page = statePage(t, t.text('onboarding.done'), icons.good, text, t.text('name.application'));
  return mayUpload ? withSteps(page, { ...ASKED, hasAnswered: true, hasProfile: true, documents }) : page;
}

function expiredPage(t: Texts, { title, landlord }: Onboarding): UnmarkedPage {
  const text = html`<p>${t.rich('onboarding.expired-text', { title, landlord })}</p>`;
  return statePage(t, t.text('link.expired'), icons.late, text, t.text('name.application'));
}
