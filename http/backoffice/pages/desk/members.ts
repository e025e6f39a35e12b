import { html, isolated } from '../../../../core/html.ts';
import { listApiKeys } from '../../../../db/access/api-keys.ts';
import { findMember, keysOfMembers, listMembers, memberRoles } from '../../../../db/access/members.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { inviteMember } from '../../../../jobs/members/member-mails.ts';
import { addMember, changeMember, disableMember, enableMember, LastAdmin } from '../../../../jobs/members/members.ts';
import { oneIn, textIn } from '../../query.ts';
import { action, expectFound, type GoTo, membersOnly, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, boxes, choice, field } from '../../views/forms.ts';
import { badge, facts, link, moment, table } from '../../views/parts.ts';
import { MAX_KEYS } from '../key-choice.ts';
import { languageOf } from '../language.ts';

const MAX_MEMBERS = 200;
const MAX_NAME_LENGTH = 100;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

const admins = membersOnly('admin');
/** A browser that an admin left open neither adds members nor changes them. */
const proven = { needsProof: true } as const;

async function memberOf({ param, scope }: Visit<OneLandlord>, { db }: Pick<Parts, 'db'>) {
  return expectFound(await findMember(db, scope.landlordId, param('id')), 'Member');
}

/** The fields of a member's role and API keys. Admins see every key, so the choice of keys is for the other roles. */
async function roleFields(visit: Visit<OneLandlord>, { db }: Parts, role: string, keyIds?: readonly string[]) {
  const { t, scope, now } = visit;
  const keys = await listApiKeys(db, scope, {}, MAX_KEYS, now);
  const roles = memberRoles.map((one) => [one, t.text(`role-of.${one}`)] as const);
  const options = keys.map(({ id, name }) => [id, name] as const);
  const chosen = keyIds ?? keys.map(({ id }) => id);
  return html`${choice('role', t.text('role'), roles, role)}${keys.length > 0 ? boxes('key', t.text('member.keys'), options, chosen) : undefined}`;
}

function roleIn({ form, t }: Visit<OneLandlord>) {
  const role = oneIn(form, 'role', memberRoles);
  if (role === undefined) throw new Refused(400, t, 'refused.role');
  return { role, keyIds: form.getAll('key').slice(0, MAX_KEYS) };
}

export const memberRoutes = [
  page('/members', admins, async (visit, parts) => {
    const { t, to, scope } = visit;
    const members = await listMembers(parts.db, scope.landlordId, MAX_MEMBERS);
    const rows = members.map((member) => [
      link(to(`members/${member.id}`), isolated(member.name)),
      isolated(member.mail_address),
      t.text(`role.${member.role}`),
      member.disabled_at === null
        ? badge('active', t.text('member.active'))
        : badge('disabled', t.text('member.disabled')),
      moment(member.last_signed_in_at),
    ]);
    const columns = ['name', 'email', 'role', 'state', 'member.signed-in'] as const;
    const fields = html`${field('name', t.text('name'), '')}${field('email', t.text('email'), '', t.text('hint.email'), 'email')}${await roleFields(visit, parts, 'agent')}`;
    const main = html`<h1>${t.text('section.members')}</h1>
${table(
  t.text('members.caption'),
  columns.map((name) => t.text(name)),
  rows,
)}
<h2>${t.text('member.invite')}</h2>
<p class="lead">${t.text('member.invite-text')}</p>
${actionForm(visit, { to: 'members', label: t.text('member.invite'), fields, isTall: true })}`;
    return { title: t.text('section.members'), main };
  }),
  action(
    '/members',
    admins,
    async (visit, parts): Promise<GoTo> => {
      const { t, form, scope, actor } = visit;
      const [name, email] = [textIn(form, 'name'), textIn(form, 'email')];
      if (name === undefined || name.length > MAX_NAME_LENGTH) throw new Refused(400, t, 'refused.name');
      if (email === undefined || !ADDRESS.test(email))
        throw new Refused(400, t, 'refused.email', { email: email ?? '' });
      const { role, keyIds } = roleIn(visit);
      const added = { landlord_id: scope.landlordId, name, mail_address: email, role };
      const member = await addMember(parts, added, keyIds, actor);
      if (!member) throw new Refused(409, t, 'refused.member-exists');
      const listed = expectFound(await findMember(parts.db, scope.landlordId, member.id), 'Member');
      await inviteMember(parts, listed, languageOf(visit), actor);
      return { goTo: 'members', notice: 'member-invited' };
    },
    proven,
  ),
  page('/members/:id', admins, async (visit, parts) => {
    const { t, to } = visit;
    const member = await memberOf(visit, parts);
    const { id, name, role, disabled_at } = member;
    const keys = (await keysOfMembers(parts.db, [id]))(id);
    const isActive = disabled_at === null;
    const here = `members/${id}`;
    const main = html`<p class="crumbs">${link(to('members'), t.text('section.members'))}</p>
<h1>${isolated(name)} ${isActive ? badge('active', t.text('member.active')) : badge('disabled', t.text('member.disabled'))}</h1>
${facts([
  [t.text('email'), isolated(member.mail_address)],
  [t.text('role'), t.text(`role.${role}`)],
  [t.text('created'), moment(member.created_at)],
  [t.text('member.signed-in'), moment(member.last_signed_in_at)],
])}
${isActive ? actionForm(visit, { to: here, label: t.text('member.change'), fields: await roleFields(visit, parts, role, keys), isTall: true }) : undefined}
${isActive ? actionForm(visit, { to: `${here}/invite`, label: t.text('member.invite-again') }) : undefined}
${isActive ? actionForm(visit, { to: `${here}/disable`, label: t.text('member.disable'), isFinal: true }) : actionForm(visit, { to: `${here}/enable`, label: t.text('member.enable') })}`;
    return { title: name, main };
  }),
  action(
    '/members/:id',
    admins,
    async (visit, parts): Promise<GoTo> => {
      const member = await memberOf(visit, parts);
      const isChanged = await changeMember(parts, member, roleIn(visit), visit.actor).catch(lastAdmin(visit));
      return { goTo: `members/${member.id}`, notice: isChanged ? 'member-changed' : 'unchanged' };
    },
    proven,
  ),
  action(
    '/members/:id/invite',
    admins,
    async (visit, parts): Promise<GoTo> => {
      const member = await memberOf(visit, parts);
      if (member.disabled_at !== null) throw new Refused(409, visit.t, 'refused.member-disabled');
      const link = await inviteMember(parts, member, languageOf(visit), visit.actor);
      if (!link) throw new Refused(409, visit.t, 'refused.member-links');
      return { goTo: `members/${member.id}`, notice: 'member-invited' };
    },
    proven,
  ),
  action(
    '/members/:id/disable',
    admins,
    async (visit, parts): Promise<GoTo> => {
      const member = await memberOf(visit, parts);
      const isChanged = await disableMember(parts, member, visit.actor).catch(lastAdmin(visit));
      return { goTo: `members/${member.id}`, notice: isChanged ? 'member-disabled' : 'unchanged' };
    },
    proven,
  ),
  action(
    '/members/:id/enable',
    admins,
    async (visit, parts): Promise<GoTo> => {
      const member = await memberOf(visit, parts);
      const isChanged = await enableMember(parts, member, visit.actor);
      return { goTo: `members/${member.id}`, notice: isChanged ? 'member-enabled' : 'unchanged' };
    },
    proven,
  ),
];

function lastAdmin({ t }: Pick<Visit, 't'>) {
  return (error: unknown): never => {
    throw error instanceof LastAdmin ? new Refused(409, t, 'refused.last-admin') : error;
  };
}
