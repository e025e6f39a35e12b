import { type Html, html, isolated } from '../../../../core/html.ts';
import { findLandlord } from '../../../../db/access/landlords.ts';
import { listMembers } from '../../../../db/access/members.ts';
import type { Database } from '../../../../db/connection/database.ts';
import { action, expectFound, operatorsOnly, proven, type Visit } from '../../route.ts';
import { actionForm } from '../../views/forms.ts';
import { table } from '../../views/parts.ts';
import { inviteIn, memberColumns, personFields } from '../desk/members.ts';

const MAX_ROWS = 50;

/** Who may use the landlord's desk, and the form that invites its first admin. */
export async function membersSection(visit: Visit, db: Database, landlordId: string): Promise<Html> {
  const members = await listMembers(db, landlordId, MAX_ROWS);
  const columns = memberColumns(visit, ({ name }) => isolated(name));
  const fields = personFields({ name: 'Name', email: 'E-mail', hint: 'e-mail address' });
  const none = 'It has no members. Invite an admin, who invites the others.';
  return html`<h2>Members of the desk</h2>
${table('Members, by name', columns, members, none)}
${actionForm(visit, { to: `landlords/${landlordId}/members`, label: 'Invite an admin', fields })}`;
}

export const inviteAdminAction = action('/landlords/:id/members', proven(operatorsOnly), async (visit, parts) => {
  const { id } = expectFound(await findLandlord(parts.db, visit.param('id')), 'Landlord');
  const admin = () => ({ role: 'admin' as const, keyIds: [] });
  return { goTo: `landlords/${id}`, notice: await inviteIn(visit, parts, id, admin) };
});
