import type { Request } from 'express';
import { html } from '../../../core/html.ts';
import { hostedAddress } from '../../edge/addresses.ts';
import type { Return } from '../kept-form.ts';
import type { Page } from '../route.ts';
import type { Layout } from './layout.ts';
import { passkeySignIn } from './passkeys.ts';
import { howTo } from './sign-in.ts';

/**
 * Asks for a new sign-in before an action for which the last one is too long ago.
 * @param back the page to which the visitor returns
 */
export function proofPage(
  req: Request,
  layout: Pick<Layout, 't' | 'office' | 'csrf'>,
  { opens, isKept }: Return,
): Page {
  const { t, office, csrf } = layout;
  const signIn = hostedAddress(req, `${office.name}/sign-in`);
  const main = html`<p class="lead">${t.text('proof.text')}${isKept ? ` ${t.text('proof.keeps')}` : ''}</p>
<form class="stack" method="post" action="${hostedAddress(req, `${office.name}/proof`)}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="opens" value="${opens}">
<button>${t.text('proof.button')}</button>
</form>
${office.hasPasskeys ? passkeySignIn(t, { signIn, csrf, label: t.text('proof.passkey'), opens }) : undefined}
${howTo(layout)}`;
  return { title: t.text('proof.title'), main, hasPasskeys: office.hasPasskeys };
}
