import { type Html, html } from '../../../core/html.ts';
import type { DeskTexts } from '../../../core/texts/desk-texts.ts';
import type { Visit } from '../route.ts';

interface Action {
  /** Below the root of the office. */
  to: string;
  label: string;
  /** Fields of the form. */
  fields?: Html;
  /** Marks an action that cannot be undone. */
  isFinal?: boolean;
  /** Fields below each other, for longer forms. */
  isTall?: boolean;
  /** Holds a file, or a table. */
  hasFile?: boolean;
  /** For fields elsewhere on the page. */
  id?: string;
}

/** A form for an action, with its CSRF token. Empty for visitors who may not use the action. */
export function actionForm(
  { csrf, to, may }: Pick<Visit, 'csrf' | 'to' | 'may'>,
  { to: path, label, fields, isFinal, isTall, hasFile, id }: Action,
): Html | undefined {
  if (!may('POST', path)) return undefined;
  return html`<form class="${isTall ? 'action tall' : 'action'}" method="post" action="${to(path)}"${hasFile ? html` enctype="multipart/form-data"` : undefined}${id === undefined ? undefined : html` id="${id}"`}>
<input type="hidden" name="csrf" value="${csrf}">
${fields}
<button${isFinal ? html` class="final"` : undefined}>${label}</button>
</form>`;
}

/** Filters a list; the address carries the choice. */
export function filterForm(here: string, fields: Html, button = 'Show'): Html {
  return html`<form class="filter" method="get" action="${here}">${fields}<button class="quiet">${button}</button></form>`;
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

/** A choice by which a list is filtered, or any. */
export function filterChoice(
  t: DeskTexts,
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string | undefined,
): Html {
  return choice(name, label, [['', t.text('filter.any')], ...options], chosen ?? '');
}

/** A box that is either ticked or not. */
export function box(name: string, label: string, isTicked = false): Html {
  return html`<label><input type="checkbox" name="${name}" value="on"${isTicked ? html` checked` : undefined}> ${label}</label>`;
}

/** @param options by value */
export function boxes(
  name: string,
  legend: string,
  options: readonly (readonly [string, string])[],
  chosen: readonly string[],
): Html {
  const all = options.map(
    ([value, text]) =>
      html`<label><input type="checkbox" name="${name}" value="${value}"${chosen.includes(value) ? html` checked` : undefined}> <bdi>${text}</bdi></label>`,
  );
  return html`<fieldset class="boxes"><legend>${legend}</legend>${all}</fieldset>`;
}

export function hidden(values: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

export function field(
  name: string,
  label: string,
  value: string,
  hint = '',
  type: 'text' | 'email' | 'url' | 'date' = 'text',
): Html {
  return html`<label>${label}<input type="${type}" name="${name}" value="${value}" placeholder="${hint}" spellcheck="false" autocomplete="off"></label>`;
}

const ACCEPTED = {
  table: '.csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain',
  picture: 'image/png,image/jpeg,image/webp',
};

export function fileField(name: string, label: string, holds: keyof typeof ACCEPTED = 'table'): Html {
  return html`<label>${label}<input type="file" name="${name}" accept="${ACCEPTED[holds]}"></label>`;
}

/** For a pasted table. */
export function longField(name: string, label: string, value: string): Html {
  return html`<label>${label}<textarea name="${name}" rows="12" spellcheck="false" autocomplete="off">
${value}</textarea></label>`;
}
