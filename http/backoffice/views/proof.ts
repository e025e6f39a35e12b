import type { Request } from 'express';
import { html } from '../../../core/html.ts';
import { hostedAddress } from '../../edge/addresses.ts';
import { pageOf, placeOf } from '../office.ts';
import type { Page } from '../route.ts';
import type { Layout } from './layout.ts';
import { passkeySignIn } from './passkeys.ts';
import { howTo } from './sign-in.ts';

/** Asks for a new sign-in before an action for which the last one is too long ago. The link returns to where the visitor was. */
export function proofPage(req: Request, layout: Pick<Layout, 't' | 'office' | 'csrf'>): Page {
  const { t, office, csrf } = layout;
  // An action is started again on the page that has its form.
  const opens = pageOf(office.routes, placeOf(req, office))?.place ?? '';
  const signIn = hostedAddress(req, `${office.name}/sign-in`);
  const main = html`<p class="lead">${t.text('proof.text')}</p>
<form class="stack" method="post" action="${hostedAddress(req, `${office.name}/proof`)}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="opens" value="${opens}">
<button>${t.text('proof.button')}</button>
</form>
${office.hasPasskeys ? passkeySignIn(t, { signIn, csrf, label: t.text('proof.passkey'), opens }) : undefined}
${howTo(layout)}`;
  return { title: t.text('proof.title'), main, hasPasskeys: office.hasPasskeys };
}
