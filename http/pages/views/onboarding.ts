import { type Html, html } from '../../../core/html.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import type { Onboarding } from '../../../jobs/invitations/onboarding.ts';
import { icons } from './drawings.ts';
import { homePage } from './home.ts';
import { answerButtons, declinedPage, factList, guarantorTerms, said } from './invitation.ts';
import { journey } from './journey.ts';
import { nameField } from './kyc-step.ts';
import { faultIn, type LinkView, type Mistake, renewLink, statePage, withDataLink } from './link-states.ts';
import { type UnmarkedPage, windowTitle } from './page.ts';
import { phoneSection } from './phone.ts';

/** The page of an onboarding link, in each of its states. */
export function onboardingPage(onboarding: Onboarding, view: LinkView, mistake?: Mistake): UnmarkedPage {
  const page = stateOf(onboarding, view, mistake);
  return onboarding.isExpired ? page : withDataLink(page, view);
}

function stateOf(onboarding: Onboarding, view: LinkView, mistake?: Mistake): UnmarkedPage {
  const { state } = onboarding;
  const { t } = view;
  if (state === 'used') return onboarding.mayUpload ? homePage(t, onboarding, view) : usedPage(t, onboarding);
  if (state === 'declined') return declinedPage(t, onboarding, 'name.application');
  if (state === 'expired') return expiredPage(view, onboarding);
  return formPage(
    view,
    onboarding,
    state === 'asking' ? requestWords(t, onboarding) : openWords(t, onboarding),
    mistake,
  );
}

interface Words {
  heading: string;
  lead: Html;
  terms?: Html | undefined;
  buttons: Html;
  note?: Html;
}

function formPage(
  { t, progress, phone }: LinkView,
  { title, landlord, email, name }: Onboarding,
  { heading, lead, terms, buttons, note }: Words,
  mistake?: Mistake,
): UnmarkedPage {
  return {
    t,
    title: windowTitle(t, [heading, t.text('name.application')], mistake !== undefined),
    main: html`${journey(t, progress.steps, 'profile')}
<h1 id="heading" tabindex="-1">${heading}</h1>
<p class="lead">${lead}</p>
${factList([
  [t.text('facts.for'), title],
  [t.text('facts.email'), email],
])}
${terms}
<form method="post" novalidate>
${nameField(t, mistake?.sent.get('name') ?? name, faultIn(t, mistake?.fault))}
${buttons}
</form>
${note}
<p class="note">${t.rich('onboarding.other-address', { landlord })}</p>
${phoneSection(t, phone)}`,
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
function requestWords(t: Texts, { landlord, isGuarantor }: Onboarding): Words {
  return {
    heading: t.text(isGuarantor ? 'guarantor.heading' : 'onboarding.asking'),
    lead: t.rich(isGuarantor ? 'guarantor.asking-lead' : 'onboarding.asking-lead', { landlord }),
    buttons: answerButtons(t, landlord),
    terms: isGuarantor ? guarantorTerms(t, landlord) : undefined,
    note: html`<p class="note">${t.text('onboarding.asking-note')}</p>`,
  };
}

/** A used link no longer reveals whose profile it is. */
function usedPage(t: Texts, { title, landlord }: Onboarding): UnmarkedPage {
  const text = html`<p>${t.rich('onboarding.done-text', { title, landlord })}</p>
<p>${t.text('onboarding.nothing-left')}</p>`;
  return statePage(t, t.text('onboarding.done'), icons.good, text, t.text('name.application'));
}

function expiredPage(view: LinkView, { title, landlord }: Onboarding): UnmarkedPage {
  const { t } = view;
  const text = html`<p>${said(t, 'onboarding.expired-text', { title, landlord })}</p>
${renewLink(view)}`;
  return statePage(t, t.text('link.expired'), icons.late, text, t.text('name.application'));
}
