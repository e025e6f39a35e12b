import type { Request, Response } from 'express';
import { type Html, html } from '../../../core/html.ts';
import type { ConsoleAccountRow } from '../../../db/access/console-accounts.ts';
import { askedPath, hostedAddress } from '../../edge/addresses.ts';
import { assetPath } from '../assets.ts';
import { stateText } from '../live.ts';
import { noticeOf } from '../notices.ts';
import type { Page } from '../route.ts';
import { sectionOf, sections } from '../sections.ts';
import { liveBar } from './live.ts';

export interface SignedIn {
  account: ConsoleAccountRow;
  csrf: string;
}

/** @param signedIn undefined for pages without a session: they have no menu */
export function sendPage(res: Response, page: Page, signedIn: SignedIn | undefined, status = 200): void {
  res
    .status(status)
    .type('html')
    .send(document(page, signedIn, res.req).markup);
}

function document({ title, main, state }: Page, signedIn: SignedIn | undefined, req: Request): Html {
  const to = (path: string) => hostedAddress(req, `console/${path}`);
  const notice = noticeOf(new URL(req.originalUrl, 'http://console.invalid').searchParams.get('notice'));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${title} · Console</title>
<link rel="icon" href="${hostedAddress(req, assetPath('favicon.svg'))}">
<link rel="stylesheet" href="${hostedAddress(req, assetPath('console.css'))}">
${state === undefined ? undefined : html`<script src="${hostedAddress(req, assetPath('live.js'))}" defer></script>`}
</head>
<body${signedIn ? undefined : html` class="alone"`}>
<a class="sr skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${to('')}">Screening console</a>
${signedIn && accountBox(signedIn, to)}
${signedIn && menu(askedPath(req), to)}
</header>
<main id="content" tabindex="-1"${state === undefined ? undefined : html` data-live="${stateText(state)}"`}>
${state === undefined ? undefined : liveBar()}
${notice && html`<p class="notice" role="status">${notice}</p>`}
${main}
</main>
</body>
</html>
`;
}

function accountBox({ account, csrf }: SignedIn, to: (path: string) => string): Html {
  return html`<form class="account" method="post" action="${to('sign-out')}">
<input type="hidden" name="csrf" value="${csrf}">
<span><b>${account.name}</b> <span class="soft">${account.role}</span></span>
<button class="quiet">Sign out</button>
</form>`;
}

function menu(asked: string, to: (path: string) => string): Html {
  const section = sectionOf(asked);
  const items = sections.map(([name, path]) => {
    const current =
      path === section ? html` aria-current="${asked === `console/${path}` ? 'page' : 'true'}"` : undefined;
    return html`<li><a href="${to(path)}"${current}>${name}</a></li>`;
  });
  return html`<nav aria-label="Sections"><ul>${items}</ul></nav>`;
}
