import { type Html, html } from '../../../core/html.ts';
import { tableText } from '../../../core/table-text.ts';
import { isStorableText } from '../../../core/text.ts';
import type { DeskMessage, DeskTexts } from '../../../core/texts/desk-texts.ts';
import type { OneLandlord } from '../../../db/connection/queries/scope.ts';
import { type ActionRoute, action, membersOnly, type Page, type Parts, page, Refused, type Visit } from '../route.ts';
import { actionForm, type Field, fileField, hidden, longField } from '../views/forms.ts';
import { type Column, code, sectionLink, table } from '../views/parts.ts';

type Of = Visit<OneLandlord>;

/** A column of a table, or several of one kind. */
export interface TableColumn {
  names: readonly string[];
  meaning: string;
  isRequired: boolean;
}

/** What is wrong with a table: in a line, and in a column of it. */
export interface ShownFault {
  line: number;
  column?: string | null | undefined;
  text: string;
}

export interface TableImport<Result> {
  /** The list that it fills. */
  place: 'applications' | 'properties';
  title: DeskMessage;
  text(t: DeskTexts): string;
  columns(t: DeskTexts): readonly TableColumn[];
  /** What else the form asks for. */
  fields?(visit: Of, parts: Parts): Promise<Field | undefined>;
  /** Reads the table; unless it is a preview, or has faults, imports it. */
  run(
    visit: Of,
    parts: Parts,
    csv: string,
    isPreview: boolean,
  ): Promise<{ faults: readonly ShownFault[]; result: Result }>;
  /** @param confirm the form that imports what was previewed */
  preview(visit: Of, result: Result, confirm: (label: string, key?: Field) => Html | undefined): Html;
  done(visit: Of, result: Result): Html;
}

const agents = membersOnly('admin', 'agent');
/** How many faults are shown at most. */
const MAX_FAULTS = 50;
const MAX_TABLE_KIB = 100;
/** A table in UTF-16 may have twice as many bytes. */
const MAX_FILE_BYTES = 2 * MAX_TABLE_KIB * 1024;

/** Many things from a table. Nothing is changed before the preview is confirmed; confirming it twice changes nothing twice. */
export function importRoutes<Result>(what: TableImport<Result>) {
  const path = `/${what.place}/import`;
  const show = (visit: Of, main: Html): Page => ({
    title: visit.t.text(what.title),
    above: [sectionLink(visit, what.place)],
    main,
  });
  const post = (to: string, isPreview: boolean): ActionRoute<Parts> => {
    const answer = async (visit: Of, parts: Parts) => {
      const csv = csvIn(visit);
      const { faults, result } = await what.run(visit, parts, csv, isPreview);
      if (faults.length > 0) return show(visit, await faultsOf(visit, parts, what, csv, faults));
      const confirm = (label: string, key?: Field) =>
        actionForm(visit, { to: `${what.place}/import/create`, label, fields: [hidden({ csv }), key], hasFile: true });
      return show(visit, isPreview ? what.preview(visit, result, confirm) : doneOf(visit, what, result));
    };
    return action(to, agents, answer, { maxFileBytes: MAX_FILE_BYTES });
  };
  return [
    page(path, agents, async (visit, parts) => show(visit, await formOf(visit, parts, what, ''))),
    post(path, true),
    post(`${path}/create`, false),
  ];
}

function doneOf<Result>(visit: Of, { place, done }: TableImport<Result>, result: Result): Html {
  const { t, to } = visit;
  return html`${done(visit, result)}
<p><a class="button" href="${to(place)}">${t.text(`section.${place}`)}</a></p>`;
}

function csvIn({ form, file, t }: Of): string {
  const chosen = tableText(file('file') ?? new Uint8Array());
  const csv = chosen.trim() === '' ? (form.get('csv') ?? '') : chosen;
  if (Buffer.byteLength(csv) > MAX_TABLE_KIB * 1024)
    throw new Refused(400, t, 'import.too-large', { max: MAX_TABLE_KIB });
  if (!isStorableText(csv)) throw new Refused(400, t, 'import.fault.csv');
  return csv;
}

async function formOf<Result>(visit: Of, parts: Parts, what: TableImport<Result>, csv: string): Promise<Html> {
  const { t } = visit;
  const fields = [
    fileField('file', t.text('import.file')),
    longField('csv', t.text('import.table'), csv),
    await what.fields?.(visit, parts),
  ];
  const columns: readonly Column<TableColumn>[] = [
    [
      t.text('import.column'),
      ({ names }) => html`${names.map((name, index) => html`${index > 0 ? ' ' : undefined}${code(name)}`)}`,
    ],
    [t.text('import.meaning'), ({ meaning }) => meaning],
    [t.text('import.required'), ({ isRequired }) => t.text(isRequired ? 'yes' : 'no')],
  ];
  return html`<p class="lead">${what.text(t)}</p>
${actionForm(visit, { to: `${what.place}/import`, label: t.text('import.preview'), fields, isTall: true, hasFile: true })}
<h2>${t.text('import.columns')}</h2>
${table(t.text('import.columns'), columns, what.columns(t))}`;
}

async function faultsOf<Result>(
  visit: Of,
  parts: Parts,
  what: TableImport<Result>,
  csv: string,
  faults: readonly ShownFault[],
): Promise<Html> {
  const { t } = visit;
  const count = t.text('import.faults', { count: faults.length });
  const columns: readonly Column<ShownFault>[] = [
    [t.text('import.place'), ({ line }) => t.text('import.line', { line })],
    [t.text('import.column'), ({ column }) => (column ? code(column) : null)],
    [t.text('import.fault'), ({ text }) => text],
  ];
  return html`<p class="lead" role="alert">${count}</p>
${table(count, columns, faults.slice(0, MAX_FAULTS))}
${await formOf(visit, parts, what, csv)}`;
}
