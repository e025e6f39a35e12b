import { type Html, html } from '../../../core/html.ts';
import { isStorableText } from '../../../core/text.ts';
import type { DeskMessage, DeskTexts } from '../../../core/texts/desk-texts.ts';
import type { OneLandlord } from '../../../db/connection/queries/scope.ts';
import { type ActionRoute, action, membersOnly, type Page, type Parts, page, Refused, type Visit } from '../route.ts';
import { actionForm, fileField, hidden, longField } from '../views/forms.ts';
import { code, link, table } from '../views/parts.ts';

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

/** What an import shows: faults, or a preview, or what was done. */
export type Imported = { faults: readonly ShownFault[] } | { content: Html };

export interface TableImport {
  /** The list that it fills. */
  place: 'applications' | 'properties';
  title: DeskMessage;
  text(t: DeskTexts): string;
  columns(t: DeskTexts): readonly TableColumn[];
  /** What else the form asks for. */
  fields?(visit: Of, parts: Parts): Promise<Html | undefined>;
  preview(visit: Of, parts: Parts, csv: string): Promise<Imported>;
  create(visit: Of, parts: Parts, csv: string): Promise<Imported>;
}

const agents = membersOnly('admin', 'agent');
/** How many faults are shown at most. */
const MAX_FAULTS = 50;
const MAX_TABLE_KIB = 100;

/** Many things from a table. Nothing is changed before the preview is confirmed; confirming it twice changes nothing twice. */
export function importRoutes(what: TableImport) {
  const path = `/${what.place}/import`;
  const show = async (visit: Of, parts: Parts, csv: string, imported: Imported): Promise<Page> =>
    pageOf(
      visit,
      what,
      'content' in imported ? imported.content : await faultsOf(visit, parts, what, csv, imported.faults),
    );
  const post = (to: string, read: TableImport['preview']): ActionRoute<Parts> =>
    action(
      to,
      agents,
      async (visit, parts) => {
        const csv = csvIn(visit);
        return show(visit, parts, csv, await read(visit, parts, csv));
      },
      { isLong: true },
    );
  return [
    page(path, agents, async (visit, parts) => pageOf(visit, what, await formOf(visit, parts, what, ''))),
    post(path, what.preview),
    post(`${path}/create`, what.create),
  ];
}

/** Confirms a preview. */
export function confirmation(visit: Of, { place }: TableImport, csv: string, label: string, fields?: Html) {
  return actionForm(visit, {
    to: `${place}/import/create`,
    label,
    fields: html`${hidden({ csv })}${fields}`,
    hasFile: true,
  });
}

function csvIn({ form, t }: Of): string {
  const chosen = form.get('file') ?? '';
  const csv = chosen.trim() === '' ? (form.get('csv') ?? '') : chosen;
  if (Buffer.byteLength(csv) > MAX_TABLE_KIB * 1024)
    throw new Refused(400, t, 'import.too-large', { max: MAX_TABLE_KIB });
  if (!isStorableText(csv)) throw new Refused(400, t, 'import.fault.csv');
  return csv;
}

function pageOf({ t, to }: Of, { place, title }: TableImport, content: Html): Page {
  const main = html`<p class="crumbs">${link(to(place), t.text(`section.${place}`))}</p>
<h1>${t.text(title)}</h1>
${content}`;
  return { title: t.text(title), main };
}

async function formOf(visit: Of, parts: Parts, what: TableImport, csv: string): Promise<Html> {
  const { t } = visit;
  const fields = html`${fileField('file', t.text('import.file'))}${longField('csv', t.text('import.table'), csv)}${await what.fields?.(visit, parts)}`;
  const rows = what
    .columns(t)
    .map(({ names, meaning, isRequired }) => [
      html`${names.map((name, index) => html`${index > 0 ? ' ' : undefined}${code(name)}`)}`,
      meaning,
      t.text(isRequired ? 'yes' : 'no'),
    ]);
  return html`<p class="lead">${what.text(t)}</p>
${actionForm(visit, { to: `${what.place}/import`, label: t.text('import.preview'), fields, isTall: true, hasFile: true })}
<h2>${t.text('import.columns')}</h2>
${table(t.text('import.columns'), [t.text('import.column'), t.text('import.meaning'), t.text('import.required')], rows)}`;
}

async function faultsOf(
  visit: Of,
  parts: Parts,
  what: TableImport,
  csv: string,
  faults: readonly ShownFault[],
): Promise<Html> {
  const { t } = visit;
  const count = t.text('import.faults', { count: faults.length });
  const rows = faults
    .slice(0, MAX_FAULTS)
    .map(({ line, column, text }) => [t.text('import.line', { line }), column ? code(column) : null, text]);
  return html`<p class="lead" role="alert">${count}</p>
${table(count, [t.text('import.place'), t.text('import.column'), t.text('import.fault')], rows)}
${await formOf(visit, parts, what, csv)}`;
}
