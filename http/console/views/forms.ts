import { type Html, html } from '../../../core/html.ts';
import type { Visit } from '../route.ts';

interface Action {
  /** Below `/console/`. */
  to: string;
  label: string;
  /** Fields of the form. */
  fields?: Html;
  /** Marks an action that cannot be undone. */
  isFinal?: boolean;
}

/** A form for an action, with its CSRF token. Empty for viewers, who may not act. */
export function actionForm(
  { account, csrf, to }: Visit,
  { to: path, label, fields, isFinal }: Action,
): Html | undefined {
  if (account.role !== 'operator') return undefined;
  return html`<form class="action" method="post" action="${to(path)}">
<input type="hidden" name="csrf" value="${csrf}">
${fields}
<button${isFinal ? html` class="final"` : undefined}>${label}</button>
</form>`;
}

/** Filters a list; the address carries the choice. */
export function filterForm(here: string, fields: Html): Html {
  return html`<form class="filter" method="get" action="${here}">${fields}<button class="quiet">Show</button></form>`;
}

/** @param options by value; the empty value stands for all */
export function choice(
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
): Html {
  const all = options.map(
    ([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : undefined}>${text}</option>`,
  );
  return html`<label>${label}<select name="${name}">${all}</select></label>`;
}

export function field(name: string, label: string, value: string, hint = ''): Html {
  return html`<label>${label}<input type="text" name="${name}" value="${value}" placeholder="${hint}" spellcheck="false" autocomplete="off"></label>`;
}
