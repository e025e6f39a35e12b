import { html, isolated } from '../../../../core/html.ts';
import type { DeskTexts } from '../../../../core/texts/desk-texts.ts';
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
import { type Column, table } from '../../views/parts.ts';
import { fieldOfKeys, openKeys } from '../key-choice.ts';
import { importRoutes, type TableImport } from '../table-import.ts';
import { keyFor } from './create.ts';

type Of = Visit<OneLandlord>;

const [title, lead, ...others] = columns;

const applications: TableImport<{ ready: readonly ListedApplication[]; added: number }> = {
  place: 'applications',
  title: 'import.title',
  text: (t) => t.text('import.text', { max: MAX_LINES }),
  columns: (t) => [
    { names: [title], meaning: t.text('application.title'), isRequired: true },
    { names: [lead], meaning: t.text('import.lead'), isRequired: true },
    { names: others, meaning: t.text('import.other'), isRequired: false },
  ],
  fields: async (visit, parts) => fieldOfKeys(visit, await openKeys(visit, parts), textIn(visit.form, 'client_id')),
  async run(visit, parts, csv, isPreview) {
    const { applications: ready, faults } = await readApplications(csv);
    const added = isPreview || faults.length > 0 ? 0 : await create(visit, parts, ready);
    return { faults: shown(visit, faults), result: { ready, added } };
  },
  preview(visit, { ready }, confirm) {
    const { t, form } = visit;
    const count = ready.length;
    const key = hidden({ client_id: textIn(form, 'client_id') ?? '' });
    return html`<p class="lead">${t.text('import.ready', { count })}</p>
${confirm(t.text('import.create', { count }), key)}
${table(t.text('import.preview'), columnsOf(t), ready)}`;
  },
  done({ t }, { ready, added }) {
    const existing = ready.length - added;
    return html`<p class="lead" role="status">${t.text('import.created', { count: added })}</p>
${existing > 0 ? html`<p>${t.text('import.existing', { count: existing })}</p>` : undefined}`;
  },
};

export const applicationImport = importRoutes(applications);

function shown({ t }: Of, faults: readonly TableFault[]) {
  return faults.map(({ fault, other = 0, ...place }) => ({
    ...place,
    text: t.text(`import.fault.${fault}`, { max: MAX_LINES, other }),
  }));
}

function columnsOf(t: DeskTexts): readonly Column<ListedApplication>[] {
  const lines = (emails: readonly string[]) =>
    html`${emails.map((email, index) => html`${index > 0 ? html`<br>` : undefined}${isolated(email)}`)}`;
  return [
    [t.text('import.place'), ({ line }) => t.text('import.line', { line })],
    [t.text('application.title'), ({ title }) => isolated(title)],
    [t.text('role.lead'), ({ emails: [lead = ''] }) => isolated(lead)],
    [t.text('import.others'), ({ emails: [, ...others] }) => lines(others)],
  ];
}

/**
 * One transaction per application: creating is idempotent for the same people, so an interrupted import is repeated. @returns how many are
 * new
 */
async function create(visit: Of, parts: Parts, ready: readonly ListedApplication[]): Promise<number> {
  const { actor, now, scope } = visit;
  const apiKeyId = await keyFor(visit, parts);
  const { mails_lead: mailsLead } = await findLandlordSettings(parts.db, scope.landlordId);
  let added = 0;
  for (const { title, emails } of ready) {
    const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
    const { isNew } = await createGroup(parts, { apiKeyId, mailsLead, title, tenants }, actor, now);
    if (isNew) added += 1;
  }
  return added;
}
