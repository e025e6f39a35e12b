import { type Html, html, isolated } from '../../../../core/html.ts';
import { isStorableText } from '../../../../core/text.ts';
import { findLandlordSettings } from '../../../../db/access/landlord-settings.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import {
  columns,
  type ListedApplication,
  MAX_LINES,
  readApplications,
  type TableFault,
} from '../../../../jobs/invitations/application-table.ts';
import { createGroup } from '../../../../jobs/invitations/group.ts';
import { textIn } from '../../query.ts';
import { action, membersOnly, type Page, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, fileField, hidden, longField } from '../../views/forms.ts';
import { code, link, table } from '../../views/parts.ts';
import { fieldOfKeys, keyFor, openKeys } from './create.ts';

const agents = membersOnly('admin', 'agent');
/** How many faults are shown at most. */
const MAX_FAULTS = 50;
const MAX_TABLE_KIB = 100;

/** Many applications from a table. Nothing is created before the preview is confirmed; confirming it twice creates nothing twice. */
export const importRoutes = [
  page('/applications/import', agents, async (visit, parts) => pageWith(visit, await formFor(visit, parts, ''))),
  action(
    '/applications/import',
    agents,
    async (visit, parts) => {
      const csv = csvIn(visit);
      const read = await readApplications(csv);
      return read.faults.length > 0
        ? faultsPage(visit, parts, csv, read.faults)
        : preview(visit, csv, read.applications);
    },
    { isLong: true },
  ),
  action(
    '/applications/import/create',
    agents,
    async (visit, parts) => {
      const csv = csvIn(visit);
      const { applications, faults } = await readApplications(csv);
      return faults.length > 0 ? faultsPage(visit, parts, csv, faults) : create(visit, parts, applications);
    },
    { isLong: true },
  ),
];

function csvIn({ form, t }: Visit): string {
  const chosen = form.get('file') ?? '';
  const csv = chosen.trim() === '' ? (form.get('csv') ?? '') : chosen;
  if (Buffer.byteLength(csv) > MAX_TABLE_KIB * 1024)
    throw new Refused(400, t, 'import.too-large', { max: MAX_TABLE_KIB });
  if (!isStorableText(csv)) throw new Refused(400, t, 'import.fault.csv');
  return csv;
}

function pageWith({ t, to }: Visit, content: Html): Page {
  const main = html`<p class="crumbs">${link(to('applications'), t.text('section.applications'))}</p>
<h1>${t.text('import.title')}</h1>
${content}`;
  return { title: t.text('import.title'), main };
}

async function formFor(visit: Visit<OneLandlord>, parts: Parts, csv: string): Promise<Html> {
  const { t, form } = visit;
  const keyField = fieldOfKeys(visit, await openKeys(visit, parts), textIn(form, 'client_id'));
  const fields = html`${fileField('file', t.text('import.file'))}${longField('csv', t.text('import.table'), csv)}${keyField}`;
  const [title, lead, ...others] = columns;
  const row = (names: readonly string[], meaning: string, isRequired: boolean) => [
    html`${names.map((name, index) => html`${index > 0 ? ' ' : undefined}${code(name)}`)}`,
    meaning,
    t.text(isRequired ? 'yes' : 'no'),
  ];
  const rows = [
    row([title], t.text('application.title'), true),
    row([lead], t.text('import.lead'), true),
    row(others, t.text('import.other'), false),
  ];
  return html`<p class="lead">${t.text('import.text', { max: MAX_LINES })}</p>
${actionForm(visit, { to: 'applications/import', label: t.text('import.preview'), fields, isTall: true, isLong: true })}
<h2>${t.text('import.columns')}</h2>
${table(t.text('import.columns'), [t.text('import.column'), t.text('import.meaning'), t.text('import.required')], rows)}`;
}

async function faultsPage(
  visit: Visit<OneLandlord>,
  parts: Parts,
  csv: string,
  faults: readonly TableFault[],
): Promise<Page> {
  const { t } = visit;
  const rows = faults.slice(0, MAX_FAULTS).map(({ line, column, fault, other }) => {
    const text = t.text(`import.fault.${fault}`, { max: MAX_LINES, other: other ?? 0 });
    return [t.text('import.line', { line }), column === undefined ? null : code(column), text];
  });
  const found = table(
    t.text('import.faults', { count: faults.length }),
    [t.text('import.place'), t.text('import.column'), t.text('import.fault')],
    rows,
  );
  return pageWith(
    visit,
    html`<p class="lead" role="alert">${t.text('import.faults', { count: faults.length })}</p>
${found}
${await formFor(visit, parts, csv)}`,
  );
}

function preview(visit: Visit<OneLandlord>, csv: string, applications: readonly ListedApplication[]): Page {
  const { t, form } = visit;
  const rows = applications.map(({ line, title, emails: [lead = '', ...others] }) => [
    t.text('import.line', { line }),
    isolated(title),
    isolated(lead),
    html`${others.map((email, index) => html`${index > 0 ? html`<br>` : undefined}${isolated(email)}`)}`,
  ]);
  const count = applications.length;
  const names = [t.text('import.place'), t.text('application.title'), t.text('role.lead'), t.text('import.others')];
  const fields = hidden({ csv, client_id: textIn(form, 'client_id') ?? '' });
  return pageWith(
    visit,
    html`<p class="lead">${t.text('import.ready', { count })}</p>
${actionForm(visit, { to: 'applications/import/create', label: t.text('import.create', { count }), fields, isLong: true })}
${table(t.text('import.preview'), names, rows)}`,
  );
}

/** One transaction per application: creating is idempotent for the same people, so an interrupted import is repeated. */
async function create(
  visit: Visit<OneLandlord>,
  parts: Parts,
  applications: readonly ListedApplication[],
): Promise<Page> {
  const { t, to, actor, now, scope } = visit;
  const apiKeyId = await keyFor(visit, parts);
  const { mails_lead: mailsLead } = await findLandlordSettings(parts.db, scope.landlordId);
  let added = 0;
  for (const { title, emails } of applications) {
    const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
    const { isNew } = await createGroup(parts, { apiKeyId, mailsLead, title, tenants }, actor, now);
    if (isNew) added += 1;
  }
  const existing = applications.length - added;
  const unchanged = existing > 0 ? html`<p>${t.text('import.existing', { count: existing })}</p>` : undefined;
  return pageWith(
    visit,
    html`<p class="lead" role="status">${t.text('import.created', { count: added })}</p>
${unchanged}<p><a class="button" href="${to('applications')}">${t.text('section.applications')}</a></p>`,
  );
}
