import { type Html, html, isolated } from '../../../../core/html.ts';
import { lockLandlord } from '../../../../db/access/landlords.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { audited } from '../../../../db/audit/audited.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import {
  addProperty,
  deleteProperty,
  findListedProperty,
  type ListedProperty,
  listProperties,
} from '../../../../db/properties/properties.ts';
import {
  addWorkspace,
  countProperties,
  findWorkspaces,
  renameWorkspace,
  type WorkspaceRow,
} from '../../../../db/properties/workspaces.ts';
import { PAGE_ROWS, textIn } from '../../query.ts';
import { action, expectFound, membersOnly, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, choice, type Field, field, opening } from '../../views/forms.ts';
import {
  type Column,
  facts,
  idLink,
  link,
  linkIn,
  propertyPath,
  sectionLink,
  shortId,
  table,
} from '../../views/parts.ts';
import { both, givenName } from '../given.ts';
import { MAX_WORKSPACES, propertyForm, propertyIn } from './property-fields.ts';
import { propertyImport } from './property-import.ts';

const MAX_NAME_LENGTH = 255;

const agents = membersOnly('admin', 'agent');

type Of = Visit<OneLandlord>;

async function propertyOf({ param, scope }: Of, { db }: Pick<Parts, 'db'>) {
  const found = await findListedProperty(db, param('id'));
  return expectFound(found?.landlord_id === scope.landlordId ? found : undefined, 'Property');
}

function workspacesOf({ scope }: Of, { db }: Pick<Parts, 'db'>): Promise<WorkspaceRow[]> {
  return findWorkspaces(db, scope.landlordId, MAX_WORKSPACES);
}

async function workspaceField(visit: Of, parts: Pick<Parts, 'db'>, chosen?: string) {
  const all = await workspacesOf(visit, parts);
  const options = all.map(({ workspace_id, workspace_name }) => [workspace_id, workspace_name] as const);
  return choice('workspace', visit.t.text('workspace'), options, chosen ?? all[0]?.workspace_id ?? '');
}

function nameField(t: Of['t'], value = ''): Field {
  return field('name', t.text('name'), { value, isRequired: true, maxLength: MAX_NAME_LENGTH });
}

function renaming(visit: Of, { workspace_id, workspace_name }: Pick<WorkspaceRow, 'workspace_id' | 'workspace_name'>) {
  const label = visit.t.text('workspace.rename');
  const fields = [nameField(visit.t, workspace_name)];
  const form = actionForm(visit, { to: `workspaces/${workspace_id}/rename`, label, fields });
  return form && opening(label, form, 'actions');
}

/** What the address of the lists says: the workspace that is shown, and after which property and workspace each list begins. */
interface Lists {
  workspace?: string | undefined;
  after?: string | undefined;
  beyond?: string | undefined;
}

/** Only what is the landlord's own: nothing else of the query comes back. */
function listsAt({ to }: Of, lists: Lists): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(lists)) if (value !== undefined) given.set(name, value);
  return `${to('properties')}?${given}`;
}

function more(next: string, text: string): Html {
  return html`<nav class="pager" aria-label="${text}"><a href="${next}" rel="next">${text}</a></nav>`;
}

/** The columns of a list of properties. @param referenceOf a link where the reader may change them */
export function propertyColumns(
  { t }: Pick<Visit, 't'>,
  referenceOf: Column<ShownProperty>[1],
): Column<ShownProperty>[] {
  return [
    [t.text('property.property_reference'), referenceOf],
    [t.text('property.street'), ({ street }) => isolated(street)],
    [t.text('property.municipality'), ({ municipality }) => isolated(municipality)],
    [t.text('workspace'), ({ workspace_name }) => isolated(workspace_name)],
  ];
}

type ShownProperty = Pick<
  ListedProperty,
  'property_id' | 'property_reference' | 'street' | 'municipality' | 'workspace_name'
>;

/** The workspaces and properties of a landlord: every member who may act on applications sees all of them (product document 5.8). */
export const propertyRoutes = [
  page('/properties', agents, async (visit, { db }) => {
    const { t, to, scope, query } = visit;
    const workspaces = await workspacesOf(visit, { db });
    const from = 1 + workspaces.findIndex(({ workspace_id }) => workspace_id === textIn(query, 'beyond'));
    const listed = workspaces.slice(from, from + PAGE_ROWS);
    const countsOf = await countProperties(
      db,
      listed.map(({ id }) => id),
    );
    const after = textIn(query, 'after');
    const last = after === undefined ? undefined : await findListedProperty(db, after);
    const asked = textIn(query, 'workspace');
    const workspaceId = workspaces.find(({ workspace_id }) => workspace_id === asked)?.workspace_id;
    const position = last?.landlord_id === scope.landlordId ? last.id : undefined;
    const filter = { landlordId: scope.landlordId, workspaceId, after: position };
    const found = await listProperties(db, filter, PAGE_ROWS + 1);
    const shown = found.slice(0, PAGE_ROWS);
    const columns = propertyColumns(visit, ({ property_id, property_reference }) =>
      property_reference
        ? link(to(propertyPath(property_id)), isolated(property_reference))
        : idLink(visit, propertyPath(property_id), property_id),
    );
    const here: Lists = {
      workspace: workspaceId,
      after: position === undefined ? undefined : after,
      beyond: workspaces[from - 1]?.workspace_id,
    };
    const older = listsAt(visit, { ...here, after: shown.at(-1)?.property_id });
    const others = `${listsAt(visit, { ...here, beyond: listed.at(-1)?.workspace_id })}#workspaces`;
    const cards = listed.map(
      ({ id, workspace_id, workspace_name }) =>
        html`<li><h3>${link(listsAt(visit, { ...here, workspace: workspace_id, after: undefined }), isolated(workspace_name))}</h3>
${facts([
  [t.text('workspace'), shortId(workspace_id)],
  [t.text('section.properties'), countsOf(id)],
])}
${renaming(visit, { workspace_id, workspace_name })}</li>`,
    );
    const main = html`<p class="ways">${workspaces.length > 0 ? html`<a class="button" href="${to('properties/new')}">${t.text('property.new')}</a> ` : undefined}${linkIn(visit, 'properties/import', t.text('import.properties'))}</p>
${table(t.text('properties.caption'), columns, shown, t.text(workspaces.length > 0 ? 'properties.empty' : 'properties.no-workspace'))}
${found.length > PAGE_ROWS ? more(older, t.text('list.older')) : undefined}
<h2 id="workspaces">${t.text('workspaces')}</h2>
<ul class="cards">${cards}</ul>
${workspaces.length > from + PAGE_ROWS ? more(others, t.text('workspaces.more')) : undefined}
${actionForm(visit, { to: 'workspaces', label: t.text('workspace.add'), fields: [nameField(t)] })}`;
    return { title: t.text('section.properties'), main };
  }),
  action('/workspaces', agents, async (visit, { db }) => {
    const { scope, actor, now, t } = visit;
    const name = givenName(visit, 'refused.workspace-name', MAX_NAME_LENGTH);
    await inTransaction(db, async (trx) => {
      await lockLandlord(trx, scope.landlordId);
      if ((await findWorkspaces(trx, scope.landlordId, MAX_WORKSPACES)).length >= MAX_WORKSPACES)
        throw new Refused(409, t, 'refused.workspaces', { limit: MAX_WORKSPACES });
      const { workspace_id } = await addWorkspace(trx, scope.landlordId, name, now);
      await recordAudit(trx, actor, 'workspace.create', workspace_id, now);
    });
    return { goTo: 'properties', notice: 'saved' };
  }),
  action('/workspaces/:id/rename', agents, async (visit, { db }) => {
    const { param, actor, now } = visit;
    const all = await workspacesOf(visit, { db });
    const found = all.find(({ workspace_id }) => workspace_id === param('id'));
    const { workspace_id } = expectFound(found, 'Workspace');
    const name = givenName(visit, 'refused.workspace-name', MAX_NAME_LENGTH);
    const isChanged = await audited(db, actor, ['workspace.rename', workspace_id, now], (trx) =>
      renameWorkspace(trx, workspace_id, name),
    );
    return { goTo: 'properties', notice: isChanged ? 'saved' : 'unchanged' };
  }),
  page('/properties/new', agents, async (visit, parts) => {
    const { t } = visit;
    const fields = [await workspaceField(visit, parts), propertyForm(visit)];
    const main = actionForm(visit, { to: 'properties/new', label: t.text('property.save'), fields, isTall: true });
    return { title: t.text('property.new'), above: [sectionLink(visit, 'properties')], main: html`${main}` };
  }),
  action('/properties/new', agents, async (visit, parts) => {
    const property = await saveProperty(visit, parts, 'property.create');
    return { goTo: propertyPath(property), notice: 'saved' };
  }),
  ...propertyImport,
  page('/properties/:id', agents, async (visit, parts) => {
    const { t } = visit;
    const property = await propertyOf(visit, parts);
    const { property_id, property_reference, workspace_id } = property;
    const here = propertyPath(property_id);
    const asked = new URLSearchParams({ property: property_id });
    const fields = [await workspaceField(visit, parts, workspace_id), propertyForm(visit, property)];
    const title = property_reference || property_id;
    const main = html`${facts([[t.text('property'), shortId(property_id)]])}
<p class="ways">${linkIn(visit, `applications/new?${asked}`, t.text('property.apply'))} ${linkIn(visit, `applications?${asked}`, t.text('section.applications'))}</p>
${actionForm(visit, { to: here, label: t.text('property.save'), fields, isTall: true })}
<p class="lead">${t.text('property.delete-text')}</p>
${actionForm(visit, { to: `${here}/delete`, label: t.text('property.delete'), final: { sure: t.rich('sure.property', { name: title }) } })}`;
    return {
      title,
      heading: property_reference ? isolated(title) : shortId(title),
      above: [sectionLink(visit, 'properties')],
      main,
    };
  }),
  action('/properties/:id', agents, async (visit, parts) => {
    const { property_id } = await propertyOf(visit, parts);
    await saveProperty(visit, parts, 'property.change', property_id);
    return { goTo: propertyPath(property_id), notice: 'saved' };
  }),
  action('/properties/:id/delete', agents, async (visit, parts) => {
    const { t, actor, now } = visit;
    const { id, property_id } = await propertyOf(visit, parts);
    const isDeleted = await audited(parts.db, actor, ['property.delete', property_id, now], (trx) =>
      deleteProperty(trx, id),
    );
    if (!isDeleted) throw new Refused(409, t, 'refused.property-in-use');
    return { goTo: 'properties', notice: 'saved' };
  }),
];

/** @throws Refused */
async function saveProperty(
  visit: Of,
  { db }: Pick<Parts, 'db'>,
  what: 'property.create' | 'property.change',
  propertyId?: string,
): Promise<string> {
  const { actor, now, t, form } = visit;
  const workspaces = await workspacesOf(visit, { db });
  const [workspace, fields] = both(
    () => {
      const asked = textIn(form, 'workspace');
      const found = workspaces.find(({ workspace_id }) => workspace_id === asked);
      if (!found) throw new Refused(400, t, 'refused.workspace', {}, 'workspace');
      return found;
    },
    () => propertyIn(visit),
  );
  return inTransaction(db, async (trx) => {
    await lockLandlord(trx, workspace.landlord_id);
    const given = propertyId === undefined ? fields : { ...fields, property_id: propertyId };
    const { property_id } = await addProperty(trx, workspace, given);
    await recordAudit(trx, actor, what, property_id, now);
    return property_id;
  });
}
