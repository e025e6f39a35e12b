import type { Request } from 'express';
import { type Html, html } from '../../../core/html.ts';
import type { DeskMessage, DeskTexts } from '../../../core/texts/desk-texts.ts';
import { askedPath, hostedAddress } from '../../edge/addresses.ts';
import type { Page } from '../route.ts';
import type { Layout } from './layout.ts';
import { passkeySignIn } from './passkeys.ts';

/** How visitors say who they are. */
export interface SignInField {
  name: 'name' | 'email';
  type: 'text' | 'email';
  maxLength: number;
}

const HOW = html`<p class="note">On the service's machine, <code>console-account link &lt;name&gt;</code> also creates a link.</p>`;

export const howTo = ({ office }: Pick<Layout, 'office'>): Html | undefined =>
  office.name === 'console' ? HOW : undefined;

/** @param isAsked whether a link has just been requested */
export function signInPage(
  req: Request,
  layout: Pick<Layout, 'office' | 't'>,
  { csrf, field, isAsked }: { csrf: string; field: SignInField; isAsked: boolean },
): Page {
  const { t, office } = layout;
  const signIn = hostedAddress(req, `${office.name}/sign-in`);
  const main = html`${isAsked ? html`<p class="notice" role="status">${t.text(`sign-in.asked.${office.name}`)}</p>` : undefined}
<p class="lead">${t.text('sign-in.lead')}</p>
<form class="stack" method="post" action="${signIn}">
<input type="hidden" name="csrf" value="${csrf}">
<label for="who">${t.text(`sign-in.field.${field.name}`)}</label>
<input id="who" name="${field.name}" type="${field.type}" required autocomplete="${field.type === 'email' ? 'email' : 'username'}" autocapitalize="none" spellcheck="false" maxlength="${field.maxLength}">
<button>${t.text('sign-in.ask')}</button>
</form>
${office.hasPasskeys ? passkeySignIn(t, { signIn, csrf, label: t.text('sign-in.passkey') }) : undefined}
${howTo(layout)}`;
  return { title: t.text('sign-in.title'), main, hasPasskeys: office.hasPasskeys };
}

/** GET does not use the link up: link previews open it, too. */
export function linkPage(req: Request, t: DeskTexts, csrf: string): Page {
  const main = html`<p class="lead">${t.text('sign-in.link')}</p>
<form class="stack" method="post" action="${hostedAddress(req, askedPath(req))}">
<input type="hidden" name="csrf" value="${csrf}">
<button>${t.text('sign-in.enter')}</button>
</form>`;
  return { title: t.text('sign-in.title'), main };
}

export function deadLinkPage(req: Request, layout: Pick<Layout, 'office' | 't'>): Page {
  const { title, main } = signInFrom(req, layout, 'sign-in.dead.title', 'sign-in.dead.text', 'sign-in.another');
  return { title, main: html`${main}${howTo(layout)}` };
}

export function refusedPasskeyPage(req: Request, layout: Pick<Layout, 'office' | 't'>): Page {
  return signInFrom(req, layout, 'sign-in.passkey-refused.title', 'sign-in.passkey-refused.text');
}

export function tooManyPage(t: DeskTexts, seconds: number): Page {
  const main = html`<p class="lead">${t.text('sign-in.too-many.text', { minutes: Math.ceil(seconds / 60) })}</p>`;
  return { title: t.text('sign-in.too-many.title'), main };
}

export function signedOutPage(req: Request, layout: Pick<Layout, 'office' | 't'>): Page {
  return signInFrom(req, layout, 'sign-in.out.title', `sign-in.out.${layout.office.name}`);
}

/** A page that only leads to the sign-in. */
function signInFrom(
  req: Request,
  { t, office }: Pick<Layout, 'office' | 't'>,
  title: DeskMessage,
  text: DeskMessage,
  label: DeskMessage = 'sign-in.enter',
) {
  const main = html`<p class="lead">${t.text(text)}</p>
<p><a class="button" href="${hostedAddress(req, `${office.name}/sign-in`)}">${t.text(label)}</a></p>`;
  return { title: t.text(title), main };
}

export function reloadingPage(req: Request, t: DeskTexts): Page {
  const address = hostedAddress(req, req.originalUrl.slice('/'.length));
  const main = html`<meta http-equiv="refresh" content="0; url=${address}">
<p class="lead"><a href="${address}">${t.text('sign-in.reloading.link')}</a></p>`;
  return { title: t.text('sign-in.reloading.title'), main };
}
