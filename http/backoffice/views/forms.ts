import { type Html, html } from '../../../core/html.ts';
import type { DeskTexts } from '../../../core/texts/desk-texts.ts';
import { MAX_TEXT_LENGTH } from '../query.ts';
import type { RefusedForm, Visit } from '../route.ts';

/** A field of a form. */
export interface Field {
  /** @param refused the form as it was sent, whose value of the field it then shows */
  show(refused?: RefusedForm): Html;
  /** The values of hidden fields: they distinguish the forms of one action. */
  fixed?: Readonly<Record<string, string>>;
}

export type Fields = readonly (Field | Fields | undefined)[];

interface Action {
  /** Below the root of the office. */
  to: string;
  label: string;
  fields?: Fields;
  /**
   * For an action that cannot be undone: the words of the button that confirms it, which appears once the action was chosen. `asked` on a page
   * that only asks for this.
   */
  final?: { sure: Html } | 'asked';
  /** Fields below each other, for longer forms. */
  isTall?: boolean;
  /** Holds a file, or a table. */
  hasFile?: boolean;
  /** For fields elsewhere on the page. */
  id?: string;
}

/** A form for an action, with its CSRF token and the address of its page. Empty for visitors who may not use the action. */
export function actionForm(
  { csrf, to, may, here, refused }: Pick<Visit, 'csrf' | 'to' | 'may' | 'here' | 'refused'>,
  { to: path, label, fields = [], final, isTall, hasFile, id }: Action,
): Html | undefined {
  if (!may('POST', path)) return undefined;
  const all = flat(fields);
  const own = refused && refused.to === path && all.every((one) => holds(refused, one)) ? refused : undefined;
  const isOpened = final !== undefined && final !== 'asked';
  const form = html`<form class="${isTall ? 'action tall' : 'action'}" method="post" action="${to(path)}"${hasFile ? html` enctype="multipart/form-data"` : undefined}${id === undefined ? undefined : html` id="${id}"`}>
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="at" value="${here}">
${own && formNote(own)}
${all.map((one) => one.show(own))}
<button${final ? html` class="final"` : undefined}>${isOpened ? html`<span>${final.sure}</span>` : label}</button>
</form>`;
  return isOpened ? opening(label, form, 'final') : form;
}

function flat(fields: Fields): Field[] {
  return fields.flatMap((one) => (one === undefined ? [] : 'show' in one ? [one] : flat(one)));
}

function holds({ sent }: RefusedForm, { fixed = {} }: Field): boolean {
  return Object.entries(fixed).every(([name, value]) => sent.get(name) === value);
}

const NOTE = 'faults';

/** Why a form is shown again. It gets the focus, without a script. */
export function formNote({ faults, kept }: Pick<RefusedForm, 'faults' | 'kept'>): Html {
  if (kept !== undefined)
    return html`<div class="notice" id="${NOTE}" role="status" tabindex="-1" autofocus>${kept}</div>`;
  const [only, ...others] = faults;
  const text = others.length === 0 ? only?.text : html`<ul>${faults.map((one) => html`<li>${one.text}</li>`)}</ul>`;
  return html`<div class="faults" id="${NOTE}" role="alert" tabindex="-1" autofocus>${text}</div>`;
}

/** Whether it says why a form is shown again. */
export function hasFormNote({ markup }: Html): boolean {
  // No text from elsewhere has a quotation mark in markup.
  return markup.includes(` id="${NOTE}"`);
}

/** Content that appears after a click, or when it holds a form that is shown again. */
export function opening(summary: string, content: Html, name: string): Html {
  return html`<details class="${name}"${hasFormNote(content) ? html` open` : undefined}><summary>${summary}</summary>${content}</details>`;
}

/** Filters a list; the address carries the choice. */
export function filterForm(here: string, fields: Fields, button = 'Show'): Html {
  return html`<form class="filter" method="get" action="${here}">${flat(fields).map((one) => one.show())}<button class="quiet">${button}</button></form>`;
}

/** @param options by value; the empty value stands for all */
export function choice(
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
): Field {
  return {
    show: (refused) => {
      const given = refused?.sent.get(name) ?? chosen;
      const all = options.map(
        ([value, text]) =>
          html`<option value="${value}"${value === given ? html` selected` : undefined}>${text}</option>`,
      );
      return html`<label>${label}<select name="${name}"${marks(name, refused)}>${all}</select></label>`;
    },
  };
}

/** A choice by which a list is filtered, or any. */
export function filterChoice(
  t: DeskTexts,
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string | undefined,
): Field {
  return choice(name, label, [['', t.text('filter.any')], ...options], chosen ?? '');
}

/** A box that is either ticked or not. */
export function box(name: string, label: string, isTicked = false): Field {
  return {
    show: (refused) =>
      html`<label><input type="checkbox" name="${name}" value="on"${(refused ? refused.sent.has(name) : isTicked) ? html` checked` : undefined}> ${label}</label>`,
  };
}

/** @param options by value */
export function boxes(
  name: string,
  legend: string,
  options: readonly (readonly [string, string])[],
  chosen: readonly string[],
): Field {
  return {
    show: (refused) => {
      const given = refused?.sent.getAll(name) ?? chosen;
      const all = options.map(
        ([value, text]) =>
          html`<label><input type="checkbox" name="${name}" value="${value}"${given.includes(value) ? html` checked` : undefined}> <bdi>${text}</bdi></label>`,
      );
      return html`<fieldset class="boxes"><legend>${legend}</legend>${all}</fieldset>`;
    },
  };
}

export function hidden(values: Readonly<Record<string, string>>): Field {
  const all = Object.entries(values);
  return {
    fixed: values,
    show: () => html`${all.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`,
  };
}

interface TextField {
  value?: string;
  /** An example of a value. */
  hint?: string;
  type?: 'text' | 'email' | 'url' | 'date';
  isRequired?: boolean;
  maxLength?: number;
  /** How to fill it in, where the label and an example do not say it. */
  help?: Html;
}

export function field(name: string, label: string, about: TextField = {}): Field {
  const { value = '', hint = '', type = 'text', help } = about;
  const helpId = help && `help-${name}`;
  return {
    show: (refused) => {
      const input = html`<label>${label}<input type="${type}" name="${name}" value="${refused?.sent.get(name) ?? value}" placeholder="${hint}" spellcheck="false" autocomplete="off"${limits(about)}${marks(name, refused, helpId)}></label>`;
      return help ? html`<div class="helped">${input}<p class="help" id="${helpId}">${help}</p></div>` : input;
    },
  };
}

function limits({ isRequired, maxLength = MAX_TEXT_LENGTH, type }: TextField): Html {
  return html`${type === 'date' ? undefined : html` maxlength="${maxLength}"`}${isRequired ? html` required` : undefined}`;
}

/** Marks the field of a fault. @param helpId of what explains the field */
function marks(name: string, refused: RefusedForm | undefined, helpId?: string): Html | undefined {
  const isWrong = refused?.faults.some((one) => one.field === name);
  if (isWrong) return html` aria-invalid="true" aria-describedby="${helpId ? `${NOTE} ${helpId}` : NOTE}"`;
  return helpId ? html` aria-describedby="${helpId}"` : undefined;
}

const ACCEPTED = {
  table: '.csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain',
  picture: 'image/png,image/jpeg,image/webp',
};

/** A browser fills in no file again. */
export function fileField(name: string, label: string, holds: keyof typeof ACCEPTED = 'table'): Field {
  return { show: () => html`<label>${label}<input type="file" name="${name}" accept="${ACCEPTED[holds]}"></label>` };
}

/** For a pasted table. */
export function longField(name: string, label: string, value: string): Field {
  return {
    show: (refused) => html`<label>${label}<textarea name="${name}" rows="12" spellcheck="false" autocomplete="off">
${refused?.sent.get(name) ?? value}</textarea></label>`,
  };
}

/** For some sentences. */
export function sentences(name: string, label: string, maxLength: number): Field {
  return {
    show: (
      refused,
    ) => html`<label>${label}<textarea name="${name}" rows="2"${limits({ isRequired: true, maxLength })}${marks(name, refused)}>
${refused?.sent.get(name) ?? ''}</textarea></label>`,
  };
}
