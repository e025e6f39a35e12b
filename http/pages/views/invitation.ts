import { type Html, html, isolated } from '../../../core/html.ts';
import type { Message, Texts } from '../../../core/texts/texts.ts';
import type { Invitation } from '../../../jobs/invitations/consent.ts';
import type { Host } from './brand.ts';
import { icons } from './drawings.ts';
import { homePage } from './home.ts';
import { journey } from './journey.ts';
import { faultText, nameField } from './kyc-step.ts';
import { faultIn, type LinkView, type Mistake, renewLink, statePage, withDataLink } from './link-states.ts';
import { type UnmarkedPage, windowTitle } from './page.ts';
import { phoneSection } from './phone.ts';

/** The page of an invitation, in each of its states. */
export function invitationPage(invitation: Invitation, view: LinkView, mistake?: Mistake): UnmarkedPage {
  const page = stateOf(invitation, view, mistake);
  return invitation.isExpired ? page : withDataLink(page, view);
}

function stateOf(invitation: Invitation, view: LinkView, mistake?: Mistake): UnmarkedPage {
  const { consent, expiredAt, mayUpload, hasProfile } = invitation;
  const { t } = view;
  if (mayUpload && !hasProfile) return profilePage(view, invitation, mistake);
  if (mayUpload) return homePage(t, invitation, view);
  if (consent === 'accepted') return acceptedPage(view, invitation);
  if (consent === 'rejected') return declinedPage(t, invitation);
  return expiredAt === null ? openPage(view, invitation, mistake) : expiredPage(view, invitation, expiredAt);
}

/** What a page says about a link: names and values. */
export function factList(facts: readonly [label: string, value: string][]): Html {
  return html`<dl class="facts">
${facts.filter(([, value]) => value.trim() !== '').map(([label, value]) => html`<div><dt>${label}</dt><dd>${isolated(value)}</dd></div>\n`)}</dl>`;
}

/** The buttons with which a person answers. Declining asks once more. */
export function answerButtons(t: Texts, landlord: string): Html {
  return html`<p class="answers"><button name="answer" value="accept">${t.text('answer.accept')}</button></p>
<details class="final"><summary>${t.text('answer.decline')}</summary><p>${t.rich('answer.decline-sure', { landlord })}</p>
<p class="answers"><button class="plain" name="answer" value="decline">${t.text('answer.decline-now')}</button></p></details>`;
}

/** What a guarantor signs up for, which they read before they answer. */
export function guarantorTerms(t: Texts, landlord: string): Html {
  return html`<div class="prose"><p>${t.rich('guarantor.note', { landlord })}</p></div>`;
}

/** What a person is asked: to apply together, to apply, or to be the guarantor. */
function wordsFor(
  t: Texts,
  { landlord, inviter, isLead, isGuarantor }: Invitation,
): { heading: string; lead: Html; terms?: Html; note?: Html } {
  const by = inviter === null ? {} : { inviter };
  const name = inviter === null ? '' : '-by';
  if (isGuarantor)
    return {
      heading: t.text('guarantor.heading'),
      lead: t.rich(`guarantor.lead${name}`, { landlord, ...by }),
      terms: guarantorTerms(t, landlord),
    };
  return {
    heading: t.text(isLead ? 'onboarding.asking' : 'invitation.heading'),
    lead: t.rich(`invitation.lead${name}`, { landlord, ...by }),
    note: html`<p class="note">${t.text('invitation.note')}</p>`,
  };
}

function openPage({ t, progress, phone }: LinkView, invitation: Invitation, mistake?: Mistake): UnmarkedPage {
  const { title, landlord, email } = invitation;
  const { heading, lead, terms, note } = wordsFor(t, invitation);
  return {
    t,
    title: windowTitle(t, [heading, t.text('name.invitation')], mistake !== undefined),
    main: html`${journey(t, progress.steps, 'answer')}
<h1 id="heading" tabindex="-1">${heading}</h1>
<p class="lead">${lead}</p>
${factList([
  [t.text('facts.for'), title],
  [t.text('facts.invited'), email],
])}
${terms}
<form method="post">
${faultText(t, faultIn(t, mistake?.fault))}
${answerButtons(t, landlord)}
</form>
${note}
${phoneSection(t, phone)}`,
  };
}

function profilePage({ t, to, progress, phone }: LinkView, invitation: Invitation, mistake?: Mistake): UnmarkedPage {
  const { title, landlord, email, name } = invitation;
  const heading = t.text('profile.heading');
  return {
    t,
    title: windowTitle(t, [heading, t.text('name.invitation')], mistake !== undefined),
    main: html`${journey(t, progress.steps, 'profile')}
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
<p class="note rights"><a href="${to('part')}#step">${t.text('invitation.accepted-by-mistake')}</a></p>
${phoneSection(t, phone)}`,
  };
}

/** The link no longer admits to the home: it has expired, or the landlord's access has ended. */
function acceptedPage(view: LinkView, { title, landlord, expiredAt }: Invitation): UnmarkedPage {
  const { t } = view;
  const text = html`<p>${said(t, 'invitation.accepted-text', { title, landlord })}</p>
${expiredAt === null ? undefined : renewLink(view)}
<p class="note">${t.rich('invitation.accepted-note', { landlord })}</p>`;
  return statePage(t, t.text('invitation.accepted'), icons.good, text, t.text('name.invitation'));
}

export function declinedPage(
  t: Texts,
  { title, landlord }: Pick<Invitation, 'title' | 'landlord'>,
  name: Message = 'name.invitation',
): UnmarkedPage {
  const text = html`<p>${said(t, 'invitation.declined-text', { title, landlord })}</p>
<p class="note">${t.rich('invitation.declined-note', { landlord })}</p>`;
  return statePage(t, t.text('invitation.declined'), icons.away, text, t.text(name));
}

/** The landlord has removed the person, who keeps the rights to their data. */
export function removedPage(holder: Host & Pick<Invitation, 'title'>, view: Pick<LinkView, 't' | 'to'>): UnmarkedPage {
  const { t } = view;
  const { title, landlord } = holder;
  const text = html`<p>${said(t, 'removed.text', { title, landlord })}</p>
<p class="note">${t.rich('invitation.accepted-note', { landlord })}</p>`;
  const page = statePage(t, t.text('data.removed'), icons.away, text, t.text('name.application'));
  return { ...withDataLink(page, view), host: holder };
}

function expiredPage(view: LinkView, { title, landlord }: Invitation, expiredAt: string): UnmarkedPage {
  const { t } = view;
  const text = html`<p>${said(t, 'invitation.expired-text', { title, landlord, end: new Date(expiredAt) })}</p>
${renewLink(view)}`;
  return statePage(t, t.text('invitation.expired'), icons.late, text, t.text('name.invitation'));
}

/** A sentence about an application, whose title may be empty. */
export function said(
  t: Texts,
  message:
    | 'invitation.accepted-text'
    | 'invitation.declined-text'
    | 'invitation.expired-text'
    | 'removed.text'
    | 'onboarding.expired-text',
  values: { title: string; landlord: string; end?: Date },
): Html {
  const title = values.title.trim() === '' ? t.text('home.no-title') : values.title;
  return t.rich(message, { ...values, title });
}
