import { type Html, html } from '../../../core/html.ts';
import { textsOf } from '../../../core/texts/texts.ts';
import type { KeptMail } from '../../../providers/mail/port.ts';
import { icons } from './drawings.ts';
import { statePage, troublePage } from './link-states.ts';
import type { Page, UnmarkedPage } from './page.ts';

/** For developers: in English alone, like the documentation. */
const t = textsOf('en');
const english = { t, isFixed: true } as const;

/** A mail of the list, and the address of its page. */
export interface ShownMail extends KeptMail {
  address: string;
}

export interface ShownMails {
  mails: readonly ShownMail[];
  /** Whether older mails are left out. */
  isTruncated: boolean;
}

export function mailboxPage({ toMembers, toApplicants }: Record<'toMembers' | 'toApplicants', ShownMails>): Page {
  return {
    ...english,
    title: 'Mailbox',
    simulated: true,
    main: html`<h1>Mailbox</h1>
<p class="lead">What the service mailed. Nothing left this machine. Load the page again to see what is new.</p>
<h2>To applicants</h2>
${mailList(toApplicants, 'There are no mails yet. Everyone added to an application of your key gets one, except its lead.')}
<h2>To members of your desk</h2>
${mailList(toMembers, 'There are no mails of the last three days: links to sign in, invitations, and notices about passkeys and webhooks.')}`,
  };
}

function mailList({ mails, isTruncated }: ShownMails, none: string): Html {
  if (mails.length === 0) return html`<p class="note">${none}</p>`;
  const note = isTruncated ? html`<p class="note">These are the newest ${mails.length}.</p>` : undefined;
  const rows = mails.map(
    ({ address, subject, to, sentAt }) => html`<li><a href="${address}"><b><bdi>${subject}</bdi></b>
<span><bdi>${to}</bdi>${moment(sentAt)}</span></a></li>`,
  );
  return html`<ul class="mails">${rows}</ul>
${note}`;
}

/** Where the links of a mail page lead. */
export interface MailLinks {
  mailbox: string;
  /** The HTML part as the recipient sees it. */
  html: string;
  /** The prefix of the addresses that become links. */
  ours: string;
}

export function mailPage({ subject, to, sentAt, text }: KeptMail, links: MailLinks): Page {
  return {
    ...english,
    title: `${subject} – Mailbox`,
    simulated: true,
    frames: true,
    main: html`<p class="back"><a href="${links.mailbox}">Mailbox</a></p>
<h1><bdi>${subject}</bdi></h1>
<dl class="facts">
<div><dt>To</dt><dd><bdi>${to}</bdi></dd></div>
<div><dt>Sent</dt><dd>${moment(sentAt)}</dd></div>
</dl>
<h2>As its reader sees it</h2>
<iframe class="mail" title="The mail" src="${links.html}"></iframe>
<h2>As text</h2>
<p class="mail-text">${linked(text.trim(), links.ours)}</p>`,
  };
}

export function mailboxSignInPage(): UnmarkedPage {
  const text = html`<p>Sign in with your client id as the user and your client secret as the password. Load the page again to be asked.</p>`;
  return { ...statePage(t, 'This mailbox is your key’s', icons.away, text), ...english };
}

export function noMailPage(): UnmarkedPage {
  const text = html`<p>It was never here, is gone, or belongs to another key or landlord.</p>`;
  return { ...statePage(t, 'There is no such mail', icons.unknown, text), ...english };
}

export function mailboxTroublePage(): UnmarkedPage {
  return { ...troublePage(t), ...english };
}

function moment(at: Date): Html {
  const iso = at.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** Links only what leads to the pages that such a mail is about; other addresses may be user input and stay plain text. */
function linked(text: string, beginning: string): Html[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) => (part.startsWith(beginning) ? html`<a href="${part}">${part}</a>` : html`${part}`));
}
