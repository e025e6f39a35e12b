import type { Request, Response } from 'express';
import { type Html, html, isolated } from '../../../core/html.ts';
import type { DeskTexts } from '../../../core/texts/desk-texts.ts';
import { IDLE_MS } from '../../../db/access/sign-in.ts';
import { askedPath, hostedAddress } from '../../edge/addresses.ts';
import { askedQuery } from '../../edge/fields.ts';
import { assetPath } from '../assets.ts';
import { stateText } from '../live.ts';
import { noticeOf } from '../notices.ts';
import { type Office, routesAt, type SignedIn } from '../office.ts';
import type { Page } from '../route.ts';
import { liveBar } from './live.ts';

const IDLE = { console: IDLE_MS.account_id, desk: IDLE_MS.member_id };

/** What surrounds a page. */
export interface Layout {
  office: Pick<Office<never>, 'name' | 'sections' | 'title' | 'routes' | 'hasPasskeys' | 'hasMailbox'>;
  t: DeskTexts;
  /** Undefined for pages without a session: they have no menu. */
  signedIn: SignedIn | undefined;
  csrf: string;
}

export function sendPage(res: Response, page: Page, layout: Layout, status = 200): void {
  res
    .status(status)
    .type('html')
    .send(document(page, layout, res.req).markup);
}

function document(page: Page, layout: Layout, req: Request): Html {
  const { title, heading = html`${title}`, above = [], main, state, isWaiting, hasPasskeys } = page;
  const { office, t, signedIn } = layout;
  const to = (path: string) => hostedAddress(req, `${office.name}/${path}`);
  const notice = noticeOf(t, askedQuery(req).get('notice'));
  const name = office.title(signedIn, t);
  // A live page notices the end of its session.
  const isLeft = signedIn !== undefined && state === undefined;
  return html`<!doctype html>
<html lang="${t.language}" dir="${t.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${title} · ${office.name === 'console' ? 'Console' : name}</title>
<link rel="icon" href="${hostedAddress(req, assetPath(office.name, 'favicon.svg'))}">
<link rel="stylesheet" href="${hostedAddress(req, assetPath(office.name, 'office.css'))}">
${state === undefined ? undefined : html`<script src="${hostedAddress(req, assetPath(office.name, 'live.js'))}" defer></script>`}
${isLeft ? html`<script src="${hostedAddress(req, assetPath(office.name, 'leave.js'))}" defer></script>` : undefined}
${isWaiting ? html`<script src="${hostedAddress(req, assetPath(office.name, 'wait.js'))}" defer></script>` : undefined}
${hasPasskeys ? html`<script src="${hostedAddress(req, assetPath(office.name, 'passkeys.js'))}" defer></script>` : undefined}
</head>
<body${signedIn ? undefined : html` class="alone"`}${isLeft ? html` data-sign-in="${to('sign-in')}" data-idle-ms="${IDLE[office.name]}"` : undefined}>
<a class="sr skip" href="#content">${t.text('layout.skip')}</a>
<header class="top">
<a class="brand" href="${to('')}">${isolated(name)}</a>
${signedIn && accountBox(layout, signedIn, to)}
${signedIn && menu(layout, signedIn, askedPath(req), to)}
</header>
<main id="content" tabindex="-1"${state === undefined ? undefined : html` data-live="${stateText(state)}"`}${isWaiting ? html` data-waits` : undefined}>
${state === undefined ? undefined : liveBar()}
${notice && html`<p class="notice" role="status">${notice}</p>`}
${above.length > 0 ? html`<p class="crumbs">${above.map((one, index) => html`${index > 0 ? ' ' : undefined}${one}`)}</p>` : undefined}
${heading ? html`<h1>${heading}</h1>` : undefined}
${main}
</main>
${office.hasMailbox ? html`<footer class="soft">${mailboxNote(layout, req)}</footer>` : undefined}
</body>
</html>
`;
}

/** Where the mails of the sandbox are. */
function mailboxNote({ office, t }: Layout, req: Request): Html {
  return office.name === 'desk'
    ? html`${t.text('layout.mailbox')} <a href="${hostedAddress(req, 'mailbox')}">${t.text('layout.mailbox-link')}</a>`
    : html`${t.text('layout.mailbox')} On it, <code>mail list</code> shows those to operators.`;
}

function accountBox({ t, csrf }: Layout, { visitor }: SignedIn, to: (path: string) => string): Html {
  return html`<form class="account" method="post" action="${to('sign-out')}">
<input type="hidden" name="csrf" value="${csrf}">
<span><a href="${to('account')}"><b translate="no">${visitor.name}</b></a> <span class="soft">${visitor.role}</span></span>
<button class="quiet">${t.text('layout.sign-out')}</button>
</form>`;
}

/** The sections of pages that are not in the menu. */
const BELOW: Record<Layout['office']['name'], Record<string, string>> = {
  console: { analyses: 'people', documents: 'people', keys: 'landlords', reports: 'applications', events: 'webhooks' },
  desk: {
    people: 'applications',
    analyses: 'applications',
    documents: 'applications',
    reports: 'applications',
    events: 'webhooks',
  },
};

function menu({ office, t }: Layout, { admits }: SignedIn, asked: string, to: (path: string) => string): Html {
  const [, first = ''] = asked.split('/');
  const section = BELOW[office.name][first] ?? first;
  const isOpen = (path: string) =>
    routesAt(office.routes, path).some((route) => route.method === 'GET' && admits(route));
  const items = office
    .sections(t)
    .filter(([path]) => isOpen(path))
    .map(([path, name]) => {
      const isHere = asked === `${office.name}/${path}`;
      const current = path === section ? html` aria-current="${isHere ? 'page' : 'true'}"` : undefined;
      return html`<li><a href="${to(path)}"${current}>${name}</a></li>`;
    });
  return html`<nav aria-label="${t.text('layout.sections')}"><ul>${items}</ul></nav>`;
}
