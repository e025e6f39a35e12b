import { html, isolated } from '../../../../core/html.ts';
import { lockLandlord } from '../../../../db/access/landlords.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import {
  addProperty,
  deleteProperty,
  findListedProperty,
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
import { action, expectFound, type GoTo, membersOnly, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, choice, field } from '../../views/forms.ts';
import { code, facts, link, linkIn, table } from '../../views/parts.ts';
import { MAX_WORKSPACES, propertyForm, propertyIn } from './property-fields.ts';
import { propertyImport } from './property-import.ts';

const MAX_NAME_LENGTH = 255;

const agents = membersOnly('admin', 'agent');

type Of = Visit<OneLandlord>;

async function propertyOf({ param, scope }: Of, { db }: Pick<Parts, 'db'>) {
  const found = await findListedProperty(db, param('id'));
  return expectFound(found?.landlord_id === scope.landlordId ? found : undefined, 'Property');
}

async function workspacesOf({ scope }: Of, { db }: Pick<Parts, 'db'>): Promise<WorkspaceRow[]> {
  return (await findWorkspaces(db, scope.landlordId)).slice(0, MAX_WORKSPACES);
}

function nameIn({ form, t }: Of): string {
  const name = textIn(form, 'name');
  if (name === undefined || name.length > MAX_NAME_LENGTH) throw new Refused(400, t, 'refused.workspace-name');
  return name;
}

/** The workspace that the form names. @throws Refused */
async function workspaceIn(visit: Of, parts: Pick<Parts, 'db'>): Promise<WorkspaceRow> {
  const asked = textIn(visit.form, 'workspace');
  const found = (await workspacesOf(visit, parts)).find(({ workspace_id }) => workspace_id === asked);
  if (!found) throw new Refused(400, visit.t, 'refused.workspace');
  return found;
}

async function workspaceField(visit: Of, parts: Pick<Parts, 'db'>, chosen?: string) {
  const all = await workspacesOf(visit, parts);
  const options = all.map(({ workspace_id, workspace_name }) => [workspace_id, workspace_name] as const);
  return choice('workspace', visit.t.text('workspace'), options, chosen ?? all[0]?.workspace_id ?? '');
}

/** The workspaces and properties of a landlord: every member who may act on applications sees all of them (product document 5.8). */
export const propertyRoutes = [
  page('/properties', agents, async (visit, { db }) => {
    const { t, to, scope, query } = visit;
    const workspaces = await workspacesOf(visit, { db });
    const countsOf = await countProperties(
      db,
      workspaces.map(({ id }) => id),
    );
    const after = textIn(query, 'after');
    const last = after === undefined ? undefined : await findListedProperty(db, after);
    const position = last?.landlord_id === scope.landlordId ? last.id : undefined;
    const workspaceId = workspaces.find(
      ({ workspace_id }) => workspace_id === textIn(query, 'workspace'),
    )?.workspace_id;
    const filter = { landlordId: scope.landlordId, workspaceId, after: position };
    const found = await listProperties(db, filter, PAGE_ROWS + 1);
    const shown = found.slice(0, PAGE_ROWS);
    const rows = shown.map((row) => [
      link(to(`properties/${row.property_id}`), isolated(row.property_reference || row.property_id)),
      row.street === null ? null : isolated(row.street),
      row.municipality === null ? null : isolated(row.municipality),
      isolated(row.workspace_name),
    ]);
    const columns = [
      ...[t.text('property.property_reference'), t.text('property.street')],
      ...[t.text('property.municipality'), t.text('workspace')],
    ];
    const more =
      found.length > PAGE_ROWS
        ? `?${new URLSearchParams({ ...(workspaceId ? { workspace: workspaceId } : {}), after: shown.at(-1)?.property_id ?? '' })}`
        : undefined;
    const main = html`<h1>${t.text('section.properties')}</h1>
<p class="ways">${workspaces.length > 0 ? html`<a class="button" href="${to('properties/new')}">${t.text('property.new')}</a> ` : undefined}${linkIn(visit, 'properties/import', t.text('import.properties'))}</p>
${rows.length > 0 ? table(t.text('properties.caption'), columns, rows) : html`<p class="lead">${t.text(workspaces.length > 0 ? 'properties.empty' : 'properties.no-workspace')}</p>`}
${more === undefined ? undefined : html`<nav class="pager" aria-label="${t.text('list.pages')}"><a href="${to('properties')}${more}" rel="next">${t.text('list.older')}</a></nav>`}
<h2>${t.text('workspaces')}</h2>
<ul class="cards">${workspaces.map(
      ({ id, workspace_id, workspace_name }) =>
        html`<li><h3>${link(to(`properties?workspace=${workspace_id}`), isolated(workspace_name))}</h3>
${facts([
  [t.text('workspace'), code(workspace_id)],
  [t.text('section.properties'), countsOf(id)],
])}
<details class="actions"><summary>${t.text('workspace.rename')}</summary>
${actionForm(visit, { to: `workspaces/${workspace_id}/rename`, label: t.text('workspace.rename'), fields: field('name', t.text('name'), workspace_name) })}</details></li>`,
    )}</ul>
${actionForm(visit, { to: 'workspaces', label: t.text('workspace.add'), fields: field('name', t.text('name'), '') })}`;
    return { title: t.text('section.properties'), main };
  }),
  action('/workspaces', agents, async (visit, { db }): Promise<GoTo> => {
    const { scope, actor, now, t } = visit;
    const name = nameIn(visit);
    await inTransaction(db, async (trx) => {
      await lockLandlord(trx, scope.landlordId);
      if ((await findWorkspaces(trx, scope.landlordId)).length >= MAX_WORKSPACES)
        throw new Refused(409, t, 'refused.workspaces', { limit: MAX_WORKSPACES });
      const { workspace_id } = await addWorkspace(trx, scope.landlordId, name, now);
      await recordAudit(trx, actor, 'workspace.create', workspace_id, now);
    });
    return { goTo: 'properties', notice: 'saved' };
  }),
  action('/workspaces/:id/rename', agents, async (visit, { db }): Promise<GoTo> => {
    const { param, actor, now } = visit;
    const all = await workspacesOf(visit, { db });
    const { workspace_id } = expectFound(
      all.find((one) => one.workspace_id === param('id')),
      'Workspace',
    );
    const name = nameIn(visit);
    const isChanged = await inTransaction(db, async (trx) => {
      if (!(await renameWorkspace(trx, workspace_id, name))) return false;
      await recordAudit(trx, actor, 'workspace.rename', workspace_id, now);
      return true;
    });
    return { goTo: 'properties', notice: isChanged ? 'saved' : 'unchanged' };
  }),
  page('/properties/new', agents, async (visit, parts) => {
    const { t, to } = visit;
    const fields = html`${await workspaceField(visit, parts)}${propertyForm(visit)}`;
    const main = html`<p class="crumbs">${link(to('properties'), t.text('section.properties'))}</p>
<h1>${t.text('property.new')}</h1>
${actionForm(visit, { to: 'properties/new', label: t.text('property.save'), fields, isTall: true })}`;
    return { title: t.text('property.new'), main };
  }),
  action('/properties/new', agents, async (visit, parts): Promise<GoTo> => {
    return { goTo: `properties/${await saveProperty(visit, parts, 'property.create')}`, notice: 'saved' };
  }),
  ...propertyImport,
  page('/properties/:id', agents, async (visit, parts) => {
    const { t } = visit;
    const property = await propertyOf(visit, parts);
    const { property_id, property_reference, workspace_id } = property;
    const here = `properties/${property_id}`;
    const fields = html`${await workspaceField(visit, parts, workspace_id)}${propertyForm(visit, property)}`;
    const title = property_reference || property_id;
    const main = html`<p class="crumbs">${linkIn(visit, 'properties', t.text('section.properties'))}</p>
<h1>${isolated(title)}</h1>
${facts([[t.text('property'), code(property_id)]])}
${actionForm(visit, { to: here, label: t.text('property.save'), fields, isTall: true })}
<p class="lead">${t.text('property.delete-text')}</p>
${actionForm(visit, { to: `${here}/delete`, label: t.text('property.delete'), isFinal: true })}`;
    return { title, main };
  }),
  action('/properties/:id', agents, async (visit, parts): Promise<GoTo> => {
    const { property_id } = await propertyOf(visit, parts);
    await saveProperty(visit, parts, 'property.change', property_id);
    return { goTo: `properties/${property_id}`, notice: 'saved' };
  }),
  action('/properties/:id/delete', agents, async (visit, parts): Promise<GoTo> => {
    const { t, actor, now } = visit;
    const { id, property_id } = await propertyOf(visit, parts);
    await inTransaction(parts.db, async (trx) => {
      if (!(await deleteProperty(trx, id))) throw new Refused(409, t, 'refused.property-in-use');
      await recordAudit(trx, actor, 'property.delete', property_id, now);
    });
    return { goTo: 'properties', notice: 'saved' };
  }),
];

async function saveProperty(
  visit: Of,
  { db }: Pick<Parts, 'db'>,
  what: 'property.create' | 'property.change',
  propertyId?: string,
): Promise<string> {
  const { actor, now } = visit;
  const workspace = await workspaceIn(visit, { db });
  const fields = propertyIn(visit);
  return inTransaction(db, async (trx) => {
    await lockLandlord(trx, workspace.landlord_id);
    const given = propertyId === undefined ? fields : { ...fields, property_id: propertyId };
    const { property_id } = await addProperty(trx, workspace, given);
    await recordAudit(trx, actor, what, property_id, now);
    return property_id;
  });
}
