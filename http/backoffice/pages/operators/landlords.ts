import { html, isolated } from '../../../../core/html.ts';
import { listApiKeys } from '../../../../db/access/api-keys.ts';
import { findLandlord, type LandlordRow, listLandlords } from '../../../../db/access/landlords.ts';
import { listProperties } from '../../../../db/properties/properties.ts';
import { countProperties, listWorkspaces } from '../../../../db/properties/workspaces.ts';
import { PAGE_ROWS, pageOf, positionIn, textIn } from '../../query.ts';
import { expectFound, operatorsOnly, page } from '../../route.ts';
import { type Column, facts, link, moment, older, shortId, table } from '../../views/parts.ts';
import { propertyColumns } from '../landlord/properties.ts';
import { homeOfLandlord, landlordSettingsActions, settingsSection } from '../landlord/settings.ts';
import { keyColumns } from '../webhooks/keys.ts';
import { inviteAdminAction, membersSection } from './landlord-members.ts';

const MAX_ROWS = 50;

export const landlordRoutes = [
  page('/landlords', operatorsOnly, async ({ query, to, t }, { db }) => {
    const { rows, next } = pageOf(await listLandlords(db, PAGE_ROWS + 1, positionIn(query)));
    const columns: readonly Column<LandlordRow>[] = [
      ['Name', ({ id, name }) => link(to(`landlords/${id}`), isolated(name))],
      ['Landlord', ({ id }) => shortId(id)],
      ['Created', ({ created_at }) => moment(created_at)],
    ];
    const main = html`${table('Landlords, newest first', columns, rows, 'There are no landlords.')}
${older(t, to('landlords'), query, next)}`;
    return { title: 'Landlords', main };
  }),
  page('/landlords/:id', operatorsOnly, async (visit, { db, retention }) => {
    const { param, to, now } = visit;
    const { id, name, created_at } = expectFound(await findLandlord(db, param('id')), 'Landlord');
    const keys = await listApiKeys(db, visit.scope, { landlordId: id }, MAX_ROWS, now);
    const workspaces = await listWorkspaces(db, { landlordId: id }, MAX_ROWS);
    const ids = workspaces.map((one) => one.id);
    const propertiesIn = await countProperties(db, ids);
    const inWorkspace = (workspace: string) => to(`landlords/${id}/properties?workspace=${workspace}`);
    const columns: readonly Column<(typeof workspaces)[number]>[] = [
      ['Name', ({ workspace_id, workspace_name }) => link(inWorkspace(workspace_id), isolated(workspace_name))],
      ['Properties', (one) => propertiesIn(one.id)],
      ['Workspace', ({ workspace_id }) => shortId(workspace_id)],
      ['Created', (one) => moment(one.created_at)],
    ];
    const main = html`${facts([
      ['Landlord', shortId(id)],
      ['Created', moment(created_at)],
      ['Applications', link(to(`applications?landlord=${id}`), 'See them')],
      ['Deliveries', link(to(`deliveries?landlord=${id}`), 'See them')],
    ])}
${await membersSection(visit, db, id)}
${await settingsSection(visit, { db, retention }, homeOfLandlord(id))}
<h2>API keys</h2>
${table('API keys, newest first', keyColumns(visit), keys, 'It has no API key.')}
<h2>Workspaces</h2>
${table('Workspaces, newest first', columns, workspaces, 'No workspaces.')}
${keys.length === MAX_ROWS || workspaces.length === MAX_ROWS ? html`<p class="note">Lists of this page end at ${MAX_ROWS}.</p>` : undefined}`;
    return { title: name, heading: isolated(name), above: [link(to('landlords'), 'Landlords')], main };
  }),
  ...landlordSettingsActions,
  inviteAdminAction,
  page('/landlords/:id/properties', operatorsOnly, async (visit, { db }) => {
    const { param, to, query } = visit;
    const { id, name } = expectFound(await findLandlord(db, param('id')), 'Landlord');
    const found = await listProperties(db, { landlordId: id, workspaceId: textIn(query, 'workspace') }, MAX_ROWS);
    const reference = propertyColumns(visit, ({ property_reference }) => isolated(property_reference));
    const main = html`${table('Properties, newest first', [...reference, ['Property', ({ property_id }) => shortId(property_id)]], found, 'No properties.')}
${found.length === MAX_ROWS ? html`<p class="note">These are the newest ${MAX_ROWS}.</p>` : undefined}`;
    return {
      title: `Properties of ${name}`,
      heading: html`Properties`,
      above: [link(to('landlords'), 'Landlords'), link(to(`landlords/${id}`), isolated(name))],
      main,
    };
  }),
];
