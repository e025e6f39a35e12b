import { html } from '../../../core/html.ts';
import type { Invitation } from '../../../jobs/invitations/consent.ts';
import { icons } from './drawings.ts';
import { journey } from './journey.ts';
import { faultText } from './kyc-step.ts';
import { day, type LinkView, type Mistake, statePage, underWay, uploadStep } from './link-states.ts';
import { quoted, type UnmarkedPage } from './page.ts';

const NAME = 'Invitation';

/** The page of an invitation, in each of its states. */
export function invitationPage(
  invitation: Invitation,
  { token, documents }: LinkView,
  mistake?: Mistake,
): UnmarkedPage {
  const { consent, expiredAt } = invitation;
  if (consent === 'accepted') return acceptedPage(invitation, token, documents);
  if (consent === 'rejected') return declinedPage(invitation);
  return expiredAt === null ? openPage(invitation, mistake?.fault) : expiredPage(invitation, expiredAt);
}

function openPage({ title, landlord, email, inviter }: Invitation, fault?: string): UnmarkedPage {
  const heading = 'Would you like to apply together?';
  const who = inviter === null ? html`You are` : html`<strong>${quoted(inviter)}</strong> has`;
  const asked = inviter === null ? 'asked to take part in' : 'invited you to';
  return {
    title: `${fault ? 'Error: ' : ''}${heading} – ${NAME}`,
    main: html`${journey({ first: 'answer' }, 'answer')}
<h1 id="heading" tabindex="-1">${heading}</h1>
<p class="lead">${who} ${asked} a rental application with <strong>${quoted(landlord)}</strong>.</p>
<dl class="facts">
<div><dt>For</dt><dd>${quoted(title)}</dd></div>
<div><dt>Invited</dt><dd>${quoted(email)}</dd></div>
</dl>
<form method="post">
${faultText(fault)}
<p class="answers"><button name="answer" value="accept">Accept</button><button class="plain" name="answer" value="decline">Decline</button></p>
</form>
<p class="note">Accepting means that you want to take part; you sign nothing. Declining means that you do not, and the landlord sees it. You can answer once.</p>`,
  };
}

function acceptedPage(
  { title, landlord, inviter, mayUpload }: Invitation,
  token: string,
  documents: number,
): UnmarkedPage {
  const next = inviter === null ? undefined : html` ${quoted(inviter)} will tell you what comes next.`;
  const text = html`<p>Thank you. You take part in the application for <strong>${quoted(title)}</strong> with ${quoted(landlord)}.${mayUpload ? undefined : next}</p>
${mayUpload ? uploadStep(token, documents) : undefined}
<p class="note">Was that a mistake? Please tell ${quoted(landlord)}.</p>`;
  const page = statePage('You have accepted', icons.good, text, NAME);
  return mayUpload ? underWay(page, { first: 'answer', documents }) : page;
}

export function declinedPage({ title, landlord }: Pick<Invitation, 'title' | 'landlord'>, name = NAME): UnmarkedPage {
  const text = html`<p>You do not take part in the application for <strong>${quoted(title)}</strong> with ${quoted(landlord)}. There is nothing else to do.</p>
<p class="note">Have you changed your mind? Please tell ${quoted(landlord)}.</p>`;
  return statePage('You have declined', icons.away, text, name);
}

function expiredPage({ title, landlord, inviter }: Invitation, expiredAt: string): UnmarkedPage {
  const text = html`<p>Your invitation to the application for <strong>${quoted(title)}</strong> with ${quoted(landlord)} could be answered until ${day(expiredAt)}. Nothing was decided.</p>
<p>${quoted(inviter ?? landlord)} can ask for a new one.</p>`;
  return statePage('This invitation has expired', icons.late, text, NAME);
}
