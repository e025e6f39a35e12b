import { html, isolated } from '../../../../core/html.ts';
import { listApiKeys } from '../../../../db/access/api-keys.ts';
import {
  findMember,
  keysOfMembers,
  type ListedMember,
  listMembers,
  type MemberRole,
  memberRoles,
} from '../../../../db/access/members.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { addInvitedMember, inviteMember, TooManyMails } from '../../../../jobs/members/member-mails.ts';
import {
  changeMember,
  disableMember,
  enableMember,
  LastAdmin,
  MAX_MEMBERS,
  TooManyMembers,
} from '../../../../jobs/members/members.ts';
import type { NoticeName } from '../../notices.ts';
import { action, expectFound, membersOnly, type Parts, page, proven, Refused, type Visit } from '../../route.ts';
import { actionForm, boxes, choice, type Fields, field } from '../../views/forms.ts';
import { badge, type Column, facts, link, moment, sectionLink, table } from '../../views/parts.ts';
import { both, givenAddress, givenName, givenOne, MAX_ADDRESS_LENGTH, MAX_NAME_LENGTH } from '../given.ts';
import { MAX_KEYS } from '../key-choice.ts';
import { languageOf } from '../language.ts';

const admins = membersOnly('admin');

async function memberOf({ param, scope }: Visit<OneLandlord>, { db }: Pick<Parts, 'db'>) {
  return expectFound(await findMember(db, scope.landlordId, param('id')), 'Member');
}

/** The fields of a member's role and API keys. Admins see every key, so the choice of keys is for the other roles. */
async function roleFields(
  visit: Visit<OneLandlord>,
  { db }: Parts,
  role: string,
  keyIds?: readonly string[],
): Promise<Fields> {
  const { t, scope, now } = visit;
  const keys = await listApiKeys(db, scope, {}, MAX_KEYS, now);
  const roles = memberRoles.map((one) => [one, t.text(`role-of.${one}`)] as const);
  const options = keys.map(({ id, name }) => [id, name] as const);
  const chosen = keyIds ?? keys.map(({ id }) => id);
  return [
    choice('role', t.text('role'), roles, role),
    keys.length > 0 ? boxes('key', t.text('member.keys'), options, chosen) : undefined,
  ];
}

/** Who is invited. */
export function personFields({ name, email, hint }: Record<'name' | 'email' | 'hint', string>): Fields {
  return [
    field('name', name, { isRequired: true, maxLength: MAX_NAME_LENGTH }),
    field('email', email, { hint, type: 'email', isRequired: true, maxLength: MAX_ADDRESS_LENGTH }),
  ];
}

function roleIn(visit: Visit): { role: MemberRole; keyIds: string[] } {
  const role = givenOne(visit, 'role', memberRoles, 'refused.role');
  return { role, keyIds: visit.form.getAll('key').slice(0, MAX_KEYS) };
}

/** The columns of a list of members. @param nameOf a link where the reader may change them */
export function memberColumns(
  { t }: Pick<Visit, 't'>,
  nameOf: Column<ListedMember>[1],
): readonly Column<ListedMember>[] {
  return [
    [t.text('name'), nameOf],
    [t.text('email'), ({ mail_address }) => isolated(mail_address)],
    [t.text('role'), ({ role }) => t.text(`role.${role}`)],
    [t.text('state'), (member) => memberBadge(t, member)],
    [t.text('member.signed-in'), ({ last_signed_in_at }) => moment(last_signed_in_at)],
  ];
}

function memberBadge(t: Visit['t'], { disabled_at }: ListedMember) {
  const state = disabled_at === null ? 'active' : 'disabled';
  return badge(state, t.text(`member.${state}`));
}

/** Adds the member whom the form names, and mails them. @throws Refused */
export async function inviteIn(
  visit: Visit,
  parts: Parts,
  landlordId: string,
  accessIn: (visit: Visit) => ReturnType<typeof roleIn>,
): Promise<NoticeName> {
  const [name, [mail_address, { role, keyIds }]] = both(
    () => givenName(visit),
    () =>
      both(
        () => givenAddress(visit),
        () => accessIn(visit),
      ),
  );
  const person = { landlord_id: landlordId, name, mail_address, role };
  const adding = addInvitedMember(parts, person, keyIds, languageOf(visit), visit.actor);
  const added = await adding.catch(refusal(visit));
  if (!added) throw new Refused(409, visit.t, 'refused.member-exists', {}, 'email');
  return added.link ? 'member-invited' : 'member-not-mailed';
}

export const memberRoutes = [
  page('/members', admins, async (visit, parts) => {
    const { t, to, scope } = visit;
    const members = await listMembers(parts.db, scope.landlordId, MAX_MEMBERS);
    const columns = memberColumns(visit, ({ id, name }) => link(to(`members/${id}`), isolated(name)));
    const words = { name: t.text('name'), email: t.text('email'), hint: t.text('hint.email') };
    const fields = [personFields(words), await roleFields(visit, parts, 'agent')];
    const main = html`${table(t.text('members.caption'), columns, members)}
<h2>${t.text('member.invite')}</h2>
<p class="lead">${t.text('member.invite-text')}</p>
${actionForm(visit, { to: 'members', label: t.text('member.invite'), fields, isTall: true })}`;
    return { title: t.text('section.members'), main };
  }),
  action('/members', proven(admins), async (visit, parts) => {
    return { goTo: 'members', notice: await inviteIn(visit, parts, visit.scope.landlordId, roleIn) };
  }),
  page('/members/:id', admins, async (visit, parts) => {
    const { t } = visit;
    const member = await memberOf(visit, parts);
    const { id, name, role, disabled_at } = member;
    const keys = (await keysOfMembers(parts.db, [id]))(id);
    const here = `members/${id}`;
    const forms =
      disabled_at === null
        ? html`${actionForm(visit, { to: here, label: t.text('member.change'), fields: await roleFields(visit, parts, role, keys), isTall: true })}
${actionForm(visit, { to: `${here}/invite`, label: t.text('member.invite-again') })}
${actionForm(visit, { to: `${here}/disable`, label: t.text('member.disable'), final: { sure: t.rich('sure.member', { who: name }) } })}`
        : actionForm(visit, { to: `${here}/enable`, label: t.text('member.enable') });
    const main = html`${facts([
      [t.text('email'), isolated(member.mail_address)],
      [t.text('role'), t.text(`role.${role}`)],
      [t.text('created'), moment(member.created_at)],
      [t.text('member.signed-in'), moment(member.last_signed_in_at)],
    ])}
${forms}`;
    const heading = html`${isolated(name)} ${memberBadge(t, member)}`;
    return { title: name, heading, above: [sectionLink(visit, 'members')], main };
  }),
  action('/members/:id', proven(admins), async (visit, parts) => {
    const member = await memberOf(visit, parts);
    const isChanged = await changeMember(parts, member, roleIn(visit), visit.actor).catch(refusal(visit));
    return { goTo: `members/${member.id}`, notice: isChanged ? 'member-changed' : 'unchanged' };
  }),
  action('/members/:id/invite', proven(admins), async (visit, parts) => {
    const member = await memberOf(visit, parts);
    if (member.disabled_at !== null) throw new Refused(409, visit.t, 'refused.member-disabled');
    const link = await inviteMember(parts, member, languageOf(visit), visit.actor).catch(refusal(visit));
    if (!link) throw new Refused(409, visit.t, 'refused.member-links');
    return { goTo: `members/${member.id}`, notice: 'member-invited' };
  }),
  action('/members/:id/disable', proven(admins), async (visit, parts) => {
    const member = await memberOf(visit, parts);
    const isChanged = await disableMember(parts, member, visit.actor).catch(refusal(visit));
    return { goTo: `members/${member.id}`, notice: isChanged ? 'member-disabled' : 'unchanged' };
  }),
  action('/members/:id/enable', proven(admins), async (visit, parts) => {
    const member = await memberOf(visit, parts);
    const isChanged = await enableMember(parts, member, visit.actor).catch(refusal(visit));
    return { goTo: `members/${member.id}`, notice: isChanged ? 'member-enabled' : 'unchanged' };
  }),
];

function refusal({ t }: Pick<Visit, 't'>) {
  return (error: unknown): never => {
    if (error instanceof LastAdmin) throw new Refused(409, t, 'refused.last-admin');
    if (error instanceof TooManyMembers) throw new Refused(409, t, 'refused.members', { limit: MAX_MEMBERS });
    if (!(error instanceof TooManyMails)) throw error;
    const { reached, limit } = error;
    throw new Refused(409, t, reached === 'perMailbox' ? 'refused.invited-often' : 'refused.invitations', { limit });
  };
}
