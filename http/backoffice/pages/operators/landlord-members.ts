import { type Html, html, isolated } from '../../../../core/html.ts';
import { findLandlord } from '../../../../db/access/landlords.ts';
import { findMember, listMembers } from '../../../../db/access/members.ts';
import type { Database } from '../../../../db/connection/database.ts';
import { inviteMember } from '../../../../jobs/members/member-mails.ts';
import { addMember } from '../../../../jobs/members/members.ts';
import { textIn } from '../../query.ts';
import { action, expectFound, type GoTo, operatorsOnly, Refused, type Visit } from '../../route.ts';
import { actionForm, field } from '../../views/forms.ts';
import { badge, moment, table } from '../../views/parts.ts';

const MAX_ROWS = 50;
const MAX_NAME_LENGTH = 100;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** Who may use the landlord's desk, and the form that invites its first admin. */
export async function membersSection(visit: Visit, db: Database, landlordId: string): Promise<Html> {
  const members = await listMembers(db, landlordId, MAX_ROWS);
  const rows = members.map((member) => [
    isolated(member.name),
    isolated(member.mail_address),
    member.role,
    badge(member.disabled_at === null ? 'active' : 'disabled'),
    moment(member.last_signed_in_at),
  ]);
  const fields = html`${field('name', 'Name', '')}${field('email', 'E-mail', '', 'e-mail address', 'email')}`;
  return html`<h2>Members of the desk</h2>
${rows.length > 0 ? table('Members, by name', ['Name', 'E-mail', 'Role', 'State', 'Last signed in'], rows) : html`<p class="lead">It has no members. Invite an admin, who invites the others.</p>`}
${actionForm(visit, { to: `landlords/${landlordId}/members`, label: 'Invite an admin', fields })}`;
}

export const inviteAdminAction = action(
  '/landlords/:id/members',
  operatorsOnly,
  async (visit, parts): Promise<GoTo> => {
    const { t, form, actor } = visit;
    const { id } = expectFound(await findLandlord(parts.db, visit.param('id')), 'Landlord');
    const [name, email] = [textIn(form, 'name'), textIn(form, 'email')];
    if (name === undefined || name.length > MAX_NAME_LENGTH) throw new Refused(400, t, 'refused.name');
    if (email === undefined || !ADDRESS.test(email)) throw new Refused(400, t, 'refused.email', { email: email ?? '' });
    const added = await addMember(parts, { landlord_id: id, name, mail_address: email, role: 'admin' }, [], actor);
    if (!added) throw new Refused(409, t, 'refused.member-exists');
    const member = expectFound(await findMember(parts.db, id, added.id), 'Member');
    await inviteMember(parts, member, 'en', actor);
    return { goTo: `landlords/${id}`, notice: 'member-invited' };
  },
  { needsProof: true },
);
