import { type Html, html } from '../../../core/html.ts';
import type { DeskTexts } from '../../../core/texts/desk-texts.ts';

interface PasskeyForm {
  /** Where the browser's answer goes. */
  action: string;
  csrf: string;
  label: string;
  /** What to say when the browser gives no answer. */
  failed: string;
  /** What the browser needs to create a passkey, or the address of what it needs to sign in with one. */
  needs: { creation: unknown } | { request: string };
  fields?: Html | undefined;
  /** Whether it stands beside another way. */
  isOther?: boolean;
}

/** A form that `assets/passkeys.js` shows and fills in. Its page sets `hasPasskeys`. */
export function passkeyForm({ action, csrf, label, failed, needs, fields, isOther }: PasskeyForm): Html {
  const data =
    'creation' in needs
      ? html`data-creation="${JSON.stringify(needs.creation)}"`
      : html`data-request="${needs.request}"`;
  return html`<form class="${isOther ? 'stack' : 'action tall'}" method="post" action="${action}" hidden data-passkey ${data}>
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="credential" value="">
${fields}
<button${isOther ? html` class="quiet"` : undefined}>${label}</button>
<p class="note" role="status" hidden>${failed}</p>
</form>`;
}

/** The form that signs in with a passkey. @param signIn the address of the page for signing in @param opens the page that opens then */
export function passkeySignIn(
  t: DeskTexts,
  { signIn, csrf, label, opens }: { signIn: string; csrf: string; label: string; opens?: string },
): Html {
  return passkeyForm({
    action: `${signIn}/passkey`,
    csrf,
    label,
    isOther: true,
    failed: t.text('sign-in.passkey-failed'),
    needs: { request: `${signIn}/passkey` },
    fields: opens === undefined ? undefined : html`<input type="hidden" name="opens" value="${opens}">`,
  });
}
