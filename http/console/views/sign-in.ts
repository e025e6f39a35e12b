import type { Request } from 'express';
import { html } from '../../../core/html.ts';
import { askedPath, hostedAddress } from '../../edge/addresses.ts';
import type { Page } from '../route.ts';

const HOW = html`<p class="note">On the service's machine, <code>console-account link &lt;name&gt;</code> also creates a link.</p>`;

/** @param asked whether a link has just been requested */
export function signInPage(req: Request, csrf: string, asked: boolean): Page {
  const main = html`<h1>Sign in</h1>
${asked ? html`<p class="notice" role="status">If this account exists and has an e-mail address, a link is on its way. It works once, within half an hour. While a link is valid, no other is sent: look for an earlier mail.</p>` : undefined}
<p class="lead">Sign in with a one-time link, sent by e-mail.</p>
<form class="stack" method="post" action="${hostedAddress(req, 'console/sign-in')}">
<input type="hidden" name="csrf" value="${csrf}">
<label for="name">Your name in the console</label>
<input id="name" name="name" type="text" required autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="32">
<button>Send me a link</button>
</form>
${HOW}`;
  return { title: 'Sign in', main };
}

/** GET does not use the link up: link previews open it, too. */
export function linkPage(req: Request, csrf: string): Page {
  const main = html`<h1>Sign in</h1>
<p class="lead">This link works once, in this browser. Your actions are recorded under your name.</p>
<form class="stack" method="post" action="${hostedAddress(req, askedPath(req))}">
<input type="hidden" name="csrf" value="${csrf}">
<button>Sign in</button>
</form>`;
  return { title: 'Sign in', main };
}

export function deadLinkPage(req: Request): Page {
  const main = html`<h1>This link no longer works</h1>
<p class="lead">It was used, was replaced by a newer one, or has expired.</p>
<p><a class="button" href="${hostedAddress(req, 'console/sign-in')}">Get another link</a></p>
${HOW}`;
  return { title: 'This link no longer works', main };
}

export function tooManyPage(seconds: number): Page {
  const main = html`<h1>Too many attempts</h1>
<p class="lead">Wait ${Math.ceil(seconds / 60)} min, then try again.</p>`;
  return { title: 'Too many attempts', main };
}

export function signedOutPage(req: Request): Page {
  const main = html`<h1>You are signed out</h1>
<p class="lead">A session ends after half an hour without use, and after twelve hours in any case.</p>
<p><a class="button" href="${hostedAddress(req, 'console/sign-in')}">Sign in</a></p>`;
  return { title: 'Signed out', main };
}

export function reloadingPage(req: Request): Page {
  const address = hostedAddress(req, req.originalUrl.slice('/'.length));
  const main = html`<meta http-equiv="refresh" content="0; url=${address}">
<h1>One moment</h1>
<p class="lead"><a href="${address}">Continue to the console</a></p>`;
  return { title: 'One moment', main };
}
