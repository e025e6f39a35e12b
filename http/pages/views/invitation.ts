import { type Html, html, isolated } from '../../../core/html.ts';
import type { Message, Texts } from '../../../core/texts/texts.ts';
import type { Invitation } from '../../../jobs/invitations/consent.ts';
import { icons } from './drawings.ts';
import { journey, type StepProgress } from './journey.ts';
import { faultText, nameField } from './kyc-step.ts';
import { faultIn, type LinkView, type Mistake, statePage, uploadStep, withDataLink, withSteps } from './link-states.ts';
import { type UnmarkedPage, windowTitle } from './page.ts';

/** The page of an invitation, in each of its states. */
export function invitationPage(invitation: Invitation, view: LinkView, mistake?: Mistake): UnmarkedPage {
  const page = stateOf(invitation, view, mistake);
  return invitation.expiredAt === null ? withDataLink(page, view) : page;
}

function stateOf(invitation: Invitation, view: LinkView, mistake?: Mistake): UnmarkedPage {
  const { consent, expiredAt, mayUpload, hasProfile } = invitation;
  const { t, documents } = view;
  const progress = { place: 'invitation', hasAnswered: consent === 'accepted', hasProfile, documents } as const;
  if (mayUpload && !hasProfile) return profilePage(t, invitation, progress, mistake);
  if (mayUpload) return withSteps(acceptedPage(t, invitation, uploadStep(view)), progress);
  if (consent === 'accepted') return acceptedPage(t, invitation);
  if (consent === 'rejected') return declinedPage(t, invitation);
  return expiredAt === null ? openPage(t, invitation, progress, mistake) : expiredPage(t, invitation, expiredAt);
}

/** What a page says about a link: names and values. */
export function factList(facts: readonly [label: string, value: string][]): Html {
  return html`<dl class="facts">
${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${isolated(value)}</dd></div>\n`)}</dl>`;
}

/** The buttons with which a person answers. */
export function answerButtons(t: Texts): Html {
  return html`<p class="answers"><button name="answer" value="accept">${t.text('answer.accept')}</button><button class="plain" name="answer" value="decline">${t.text('answer.decline')}</button></p>`;
}

function openPage(
  t: Texts,
  { title, landlord, email, inviter }: Invitation,
  progress: StepProgress,
  mistake?: Mistake,
): UnmarkedPage {
  const heading = t.text('invitation.heading');
  const lead =
    inviter === null ? t.rich('invitation.lead', { landlord }) : t.rich('invitation.lead-by', { inviter, landlord });
  return {
    t,
    title: windowTitle(t, [heading, t.text('name.invitation')], mistake !== undefined),
    main: html`${journey(t, progress, 'answer')}
<h1 id="heading" tabindex="-1">${heading}</h1>
<p class="lead">${lead}</p>
${factList([
  [t.text('facts.for'), title],
  [t.text('facts.invited'), email],
])}
<form method="post">
${faultText(t, faultIn(t, mistake?.fault))}
${answerButtons(t)}
</form>
<p class="note">${t.text('invitation.note')}</p>`,
  };
}

function profilePage(t: Texts, invitation: Invitation, progress: StepProgress, mistake?: Mistake): UnmarkedPage {
  const { title, landlord, email, name } = invitation;
  const heading = t.text('profile.heading');
  return {
    t,
    title: windowTitle(t, [heading, t.text('name.invitation')], mistake !== undefined),
    main: html`${journey(t, progress, 'profile')}
<h1 id="heading" tabindex="-1">${heading}</h1>
<p class="lead">${t.rich('invitation.profile', { landlord })}</p>
${factList([
  [t.text('facts.for'), title],
  [t.text('facts.email'), email],
])}
<form method="post" novalidate>
${nameField(t, mistake?.sent.get('name') ?? name, faultIn(t, mistake?.fault))}
<p class="go"><button>${t.text('profile.confirm')}</button></p>
</form>
<p class="note">${t.rich('invitation.accepted-by-mistake', { landlord })}</p>`,
  };
}

/** @param onward the next step; without it, a person will contact them */
function acceptedPage(t: Texts, { title, landlord, inviter }: Invitation, onward?: Html): UnmarkedPage {
  const next = inviter === null || onward ? undefined : html` ${t.rich('invitation.accepted-next', { inviter })}`;
  const text = html`<p>${t.rich('invitation.accepted-text', { title, landlord })}${next}</p>
${onward}
<p class="note">${t.rich('invitation.accepted-note', { landlord })}</p>`;
  return statePage(t, t.text('invitation.accepted'), icons.good, text, t.text('name.invitation'));
}

export function declinedPage(
  t: Texts,
  { title, landlord }: Pick<Invitation, 'title' | 'landlord'>,
  name: Message = 'name.invitation',
): UnmarkedPage {
  const text = html`<p>${t.rich('invitation.declined-text', { title, landlord })}</p>
<p class="note">${t.rich('invitation.declined-note', { landlord })}</p>`;
  return statePage(t, t.text('invitation.declined'), icons.away, text, t.text(name));
}

function expiredPage(t: Texts, { title, landlord, inviter }: Invitation, expiredAt: string): UnmarkedPage {
  const text = html`<p>${t.rich('invitation.expired-text', { title, landlord, end: new Date(expiredAt) })}</p>
<p>${t.rich('invitation.expired-next', { who: inviter ?? landlord })}</p>`;
  return statePage(t, t.text('invitation.expired'), icons.late, text, t.text('name.invitation'));
}
