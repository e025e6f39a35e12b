import { html, isolated } from '../../../../core/html.ts';
import { apiKeyState } from '../../../../db/access/api-key-states.ts';
import { listApiKeys } from '../../../../db/access/api-keys.ts';
import { findLandlord, listLandlords } from '../../../../db/access/landlords.ts';
import { listProperties } from '../../../../db/properties/properties.ts';
import { countProperties, listWorkspaces } from '../../../../db/properties/workspaces.ts';
import { PAGE_ROWS, pageOf, positionIn, textIn } from '../../query.ts';
import { expectFound, operatorsOnly, page } from '../../route.ts';
import { badge, code, facts, link, moment, older, table } from '../../views/parts.ts';
import { landlordSettingsActions, settingsSection } from '../landlord/settings.ts';
import { inviteAdminAction, membersSection } from './landlord-members.ts';

const MAX_ROWS = 50;

export const landlordRoutes = [
  page('/landlords', operatorsOnly, async ({ query, to, t }, { db }) => {
    const { rows, next } = pageOf(await listLandlords(db, PAGE_ROWS + 1, positionIn(query)));
    const shown = rows.map(({ id, name, created_at }) => [
      link(to(`landlords/${id}`), isolated(name)),
      code(id),
      moment(created_at),
    ]);
    const main = html`<h1>Landlords</h1>
${shown.length > 0 ? table('Landlords, newest first', ['Name', 'Landlord', 'Created'], shown) : html`<p class="lead">There are no landlords.</p>`}
${older(t, to('landlords'), query, next)}`;
    return { title: 'Landlords', main };
  }),
  page('/landlords/:id', operatorsOnly, async (visit, { db, retention }) => {
    const { param, to, now } = visit;
    const { id, name, created_at } = expectFound(await findLandlord(db, param('id')), 'Landlord');
    const keys = await listApiKeys(db, visit.scope, { landlordId: id }, MAX_ROWS, now);
    const workspaces = await listWorkspaces(db, { landlordId: id }, MAX_ROWS);
    const propertiesIn = await countProperties(
      db,
      workspaces.map((one) => one.id),
    );
    const main = html`<p class="crumbs">${link(to('landlords'), 'Landlords')}</p>
<h1>${isolated(name)}</h1>
${facts([
  ['Landlord', code(id)],
  ['Created', moment(created_at)],
  ['Applications', link(to(`applications?landlord=${id}`), 'See them')],
  ['Deliveries', link(to(`deliveries?landlord=${id}`), 'See them')],
])}
${await membersSection(visit, db, id)}
${await settingsSection(visit, { db, retention }, id, {
  settings: `landlords/${id}/settings`,
  brand: `landlords/${id}/brand`,
  logo: `landlords/${id}/logo`,
  retention: `landlords/${id}/retention`,
})}
<h2>API keys</h2>
${
  keys.length > 0
    ? table(
        'API keys, newest first',
        ['Name', 'State', 'client_id', 'Last used', 'Created'],
        keys.map((key) => [
          link(to(`keys/${key.client_id}`), isolated(key.name)),
          badge(apiKeyState(key, now)),
          code(key.client_id),
          moment(key.last_used_at),
          moment(key.created_at),
        ]),
      )
    : html`<p class="lead">It has no API key.</p>`
}
<h2>Workspaces</h2>
${
  workspaces.length > 0
    ? table(
        'Workspaces, newest first',
        ['Name', 'Properties', 'Workspace', 'Created'],
        workspaces.map((one) => [
          link(to(`landlords/${id}/properties?workspace=${one.workspace_id}`), isolated(one.workspace_name)),
          propertiesIn(one.id),
          code(one.workspace_id),
          moment(one.created_at),
        ]),
      )
    : html`<p class="lead">No workspaces.</p>`
}
${keys.length === MAX_ROWS || workspaces.length === MAX_ROWS ? html`<p class="note">Lists of this page end at ${MAX_ROWS}.</p>` : undefined}`;
    return { title: name, main };
  }),
  ...landlordSettingsActions,
  inviteAdminAction,
  page('/landlords/:id/properties', operatorsOnly, async ({ param, to, query }, { db }) => {
    const { id, name } = expectFound(await findLandlord(db, param('id')), 'Landlord');
    const workspaceId = textIn(query, 'workspace');
    const found = await listProperties(db, { landlordId: id, workspaceId }, MAX_ROWS);
    const shown = found.map((row) => [
      row.property_reference === null ? code(row.property_id) : isolated(row.property_reference),
      row.street === null ? null : isolated(row.street),
      row.municipality === null ? null : isolated(row.municipality),
      isolated(row.workspace_name),
      code(row.property_id),
    ]);
    const main = html`<p class="crumbs">${link(to('landlords'), 'Landlords')} ${link(to(`landlords/${id}`), isolated(name))}</p>
<h1>Properties</h1>
${shown.length > 0 ? table('Properties, newest first', ['Reference', 'Street', 'Municipality', 'Workspace', 'Property'], shown) : html`<p class="lead">No properties.</p>`}
${shown.length === MAX_ROWS ? html`<p class="note">These are the newest ${MAX_ROWS}.</p>` : undefined}`;
    return { title: `Properties of ${name}`, main };
  }),
];
