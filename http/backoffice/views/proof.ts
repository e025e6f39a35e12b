import type { Request } from 'express';
import { html } from '../../../core/html.ts';
import { askedPath, hostedAddress } from '../../edge/addresses.ts';
import type { Page } from '../route.ts';
import type { Layout } from './layout.ts';
import { passkeySignIn } from './passkeys.ts';

/** Asks for a new sign-in before an action for which the last one is too long ago. The link returns to where the visitor was. */
export function proofPage(
  req: Request,
  { t, office, csrf }: Pick<Layout, 't' | 'office' | 'csrf'>,
  method: 'GET' | 'POST',
): Page {
  const title = t.text('proof.title');
  const { search } = new URL(req.originalUrl, 'http://office.invalid');
  const asked = `${askedPath(req)}${search}`.slice(`${office.name}/`.length);
  // An action is started again on the page that has its form, which is one level up.
  const opens = method === 'GET' ? asked : asked.replace(/\/[^/]*$/, '');
  const signIn = hostedAddress(req, `${office.name}/sign-in`);
  const main = html`<h1>${title}</h1>
<p class="lead">${t.text('proof.text')}</p>
<form class="stack" method="post" action="${hostedAddress(req, `${office.name}/proof`)}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="opens" value="${opens}">
<button>${t.text('proof.button')}</button>
</form>
${office.hasPasskeys ? passkeySignIn(t, { signIn, csrf, label: t.text('proof.passkey'), opens }) : undefined}`;
  return { title, main, hasPasskeys: office.hasPasskeys };
}
