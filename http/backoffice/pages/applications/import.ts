import { type Html, html, isolated } from '../../../../core/html.ts';
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
import type { Parts, Visit } from '../../route.ts';
import { hidden } from '../../views/forms.ts';
import { table } from '../../views/parts.ts';
import { confirmation, importRoutes, type TableImport } from '../table-import.ts';
import { fieldOfKeys, keyFor, openKeys } from './create.ts';

type Of = Visit<OneLandlord>;

const [title, lead, ...others] = columns;

const applications: TableImport = {
  place: 'applications',
  title: 'import.title',
  text: (t) => t.text('import.text', { max: MAX_LINES }),
  columns: (t) => [
    { names: [title], meaning: t.text('application.title'), isRequired: true },
    { names: [lead], meaning: t.text('import.lead'), isRequired: true },
    { names: others, meaning: t.text('import.other'), isRequired: false },
  ],
  fields: async (visit, parts) => fieldOfKeys(visit, await openKeys(visit, parts), textIn(visit.form, 'client_id')),
  async preview(visit, _parts, csv) {
    const { applications, faults } = await readApplications(csv);
    return faults.length > 0 ? { faults: shown(visit, faults) } : { content: previewOf(visit, csv, applications) };
  },
  async create(visit, parts, csv) {
    const { applications, faults } = await readApplications(csv);
    return faults.length > 0 ? { faults: shown(visit, faults) } : { content: await create(visit, parts, applications) };
  },
};

export const applicationImport = importRoutes(applications);

function shown({ t }: Of, faults: readonly TableFault[]) {
  return faults.map(({ fault, other = 0, ...place }) => ({
    ...place,
    text: t.text(`import.fault.${fault}`, { max: MAX_LINES, other }),
  }));
}

function previewOf(visit: Of, csv: string, ready: readonly ListedApplication[]): Html {
  const { t, form } = visit;
  const rows = ready.map(({ line, title, emails: [lead = '', ...others] }) => [
    t.text('import.line', { line }),
    isolated(title),
    isolated(lead),
    html`${others.map((email, index) => html`${index > 0 ? html`<br>` : undefined}${isolated(email)}`)}`,
  ]);
  const count = ready.length;
  const names = [t.text('import.place'), t.text('application.title'), t.text('role.lead'), t.text('import.others')];
  const key = hidden({ client_id: textIn(form, 'client_id') ?? '' });
  return html`<p class="lead">${t.text('import.ready', { count })}</p>
${confirmation(visit, applications, csv, t.text('import.create', { count }), key)}
${table(t.text('import.preview'), names, rows)}`;
}

/** One transaction per application: creating is idempotent for the same people, so an interrupted import is repeated. */
async function create(visit: Of, parts: Parts, ready: readonly ListedApplication[]): Promise<Html> {
  const { t, to, actor, now, scope } = visit;
  const apiKeyId = await keyFor(visit, parts);
  const { mails_lead: mailsLead } = await findLandlordSettings(parts.db, scope.landlordId);
  let added = 0;
  for (const { title, emails } of ready) {
    const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
    const { isNew } = await createGroup(parts, { apiKeyId, mailsLead, title, tenants }, actor, now);
    if (isNew) added += 1;
  }
  const existing = ready.length - added;
  const unchanged = existing > 0 ? html`<p>${t.text('import.existing', { count: existing })}</p>` : undefined;
  return html`<p class="lead" role="status">${t.text('import.created', { count: added })}</p>
${unchanged}<p><a class="button" href="${to('applications')}">${t.text('section.applications')}</a></p>`;
}
