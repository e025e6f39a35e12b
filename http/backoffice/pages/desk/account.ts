import { type Html, html, isolated } from '../../../../core/html.ts';
import { oneLine } from '../../../../core/text.ts';
import { deskLanguages, languageNames } from '../../../../core/texts/languages.ts';
import { listPasskeys, MAX_PASSKEYS } from '../../../../db/access/member-passkeys.ts';
import { deleteMemberSession, deleteOtherSessions, listMemberSessions } from '../../../../db/access/member-sessions.ts';
import { findMember, type MemberRole, updateMember } from '../../../../db/access/members.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { mailMemberLink } from '../../../../jobs/members/member-mails.ts';
import { addPasskey, passkeyCreation, removeOwnPasskey, renameOwnPasskey } from '../../../../jobs/members/passkeys.ts';
import { oneIn, placeIn, textIn } from '../../query.ts';
import { action, expectFound, type GoTo, membersOnly, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, choice, field, hidden } from '../../views/forms.ts';
import { badge, facts, link, moment } from '../../views/parts.ts';
import { passkeyForm } from '../../views/passkeys.ts';

const MAX_SESSIONS = 50;
const MAX_NAME_LENGTH = 100;
const everyone = membersOnly('admin', 'agent', 'developer', 'viewer');
/** The roles that are mailed about failing webhooks, unless they decline. */
const webhookMails: readonly MemberRole[] = ['admin', 'developer'];
const mailChoices = ['on', 'off'] as const;

async function me({ visitor, scope }: Visit<OneLandlord>, { db }: Pick<Parts, 'db'>) {
  return expectFound(await findMember(db, scope.landlordId, visitor.id), 'Member');
}

/** What belongs to the member alone: their sessions and language, and the mail that proves again who they are. */
export const accountRoutes = [
  page('/account', everyone, async (visit, parts) => {
    const { t, now } = visit;
    const member = await me(visit, parts);
    const sessions = await listMemberSessions(parts.db, member.id, now, MAX_SESSIONS);
    const options = [
      ['', t.text('account.browser-language')] as const,
      ...deskLanguages.map((language) => [language, languageNames[language]] as const),
    ];
    const language = choice('language', t.text('account.language'), options, member.language ?? '');
    const mailOptions = mailChoices.map((one) => [one, t.text(`account.webhook-mails.${one}`)] as const);
    const mails = webhookMails.includes(member.role)
      ? choice('mails', t.text('account.webhook-mails'), mailOptions, member.mails_webhooks === 1 ? 'on' : 'off')
      : undefined;
    const items = sessions.map(({ id, browser, created_at, used_at }) => {
      const isThis = id === visit.visitor.sessionId;
      const end = actionForm(visit, {
        to: 'account/end-session',
        label: t.text('session.end'),
        fields: hidden({ session: id }),
      });
      return html`<li><h3><span translate="no">${browserName(browser) ?? t.text('session.unknown')}</span> ${isThis ? badge('active', t.text('session.this')) : undefined}</h3>
${facts([
  [t.text('session.since'), moment(created_at)],
  [t.text('session.used'), moment(used_at)],
])}${end}</li>`;
    });
    const main = html`<h1>${isolated(member.name)}</h1>
${facts([
  [t.text('email'), isolated(member.mail_address)],
  [t.text('role'), t.text(`role.${member.role}`)],
  [t.text('landlord'), isolated(member.landlord_name)],
])}
${actionForm(visit, { to: 'account', label: t.text('account.save'), fields: html`${language}${mails}` })}
${await passkeysOf(visit, parts)}
<h2>${t.text('account.sessions')}</h2>
<ul class="cards">${items}</ul>
${sessions.length > 1 ? actionForm(visit, { to: 'account/end-other-sessions', label: t.text('session.end-others') }) : undefined}`;
    return { title: t.text('account.title'), main };
  }),
  action('/account', everyone, async (visit, parts): Promise<GoTo> => {
    const language = oneIn(visit.form, 'language', deskLanguages) ?? null;
    const mails = oneIn(visit.form, 'mails', mailChoices);
    const change = { language, ...(mails && ({ mails_webhooks: mails === 'on' ? 1 : 0 } as const)) };
    const isChanged = await inTransaction(parts.db, (trx) => updateMember(trx, visit.visitor.id, change));
    return { goTo: 'account', notice: isChanged ? 'account-changed' : 'unchanged' };
  }),
  action(
    '/account/end-session',
    everyone,
    async (visit, parts): Promise<GoTo> => {
      const { actor, form, visitor, now, t } = visit;
      const id = textIn(form, 'session');
      if (id === undefined) throw new Refused(400, t, 'refused.session');
      const isEnded = await deleteMemberSession(parts.db, { id, member_id: visitor.id });
      if (isEnded)
        await inTransaction(parts.db, (trx) => recordAudit(trx, actor, 'member.end-session', visitor.id, now));
      return { goTo: 'account', notice: isEnded ? 'session-ended' : 'unchanged' };
    },
    { needsProof: true },
  ),
  action(
    '/account/end-other-sessions',
    everyone,
    async (visit, parts): Promise<GoTo> => {
      const { actor, visitor, now } = visit;
      const isEnded = await deleteOtherSessions(parts.db, visitor.id, visitor.sessionId ?? '');
      if (isEnded)
        await inTransaction(parts.db, (trx) => recordAudit(trx, actor, 'member.end-session', visitor.id, now));
      return { goTo: 'account', notice: isEnded ? 'session-ended' : 'unchanged' };
    },
    { needsProof: true },
  ),
  page(
    '/account/add-passkey',
    everyone,
    async (visit, parts) => {
      const { t, to, csrf, now } = visit;
      const session = await ownSession(visit, parts);
      const creation = await passkeyCreation(parts, session);
      const sessions = await listMemberSessions(parts.db, session.member.id, now, MAX_SESSIONS);
      const browser = sessions.find(({ id }) => id === session.sessionId)?.browser ?? '';
      const form = passkeyForm({
        action: to('account/add-passkey'),
        csrf,
        label: t.text('passkey.add'),
        failed: t.text('passkey.failed'),
        needs: { creation },
        fields: field('name', t.text('passkey.name'), browserName(browser) ?? ''),
      });
      const possible = html`<p class="lead">${t.text('passkey.add-text')}</p>
<p class="lead" data-without-passkeys>${t.text('passkey.unsupported')}</p>
${form}`;
      const main = html`<p class="crumbs">${link(to('account'), t.text('account.title'))}</p>
<h1>${t.text('passkey.add')}</h1>
${creation === undefined ? html`<p class="lead">${t.text('passkey.nowhere')}</p>` : possible}`;
      return { title: t.text('passkey.add'), main, hasPasskeys: true };
    },
    { needsProof: true },
  ),
  action('/account/add-passkey', everyone, async (visit, parts): Promise<GoTo> => {
    const { t, form } = visit;
    const name = passkeyNameIn(visit);
    const isAdded = await addPasskey(parts, await ownSession(visit, parts), name, form.get('credential') ?? '');
    if (!isAdded) throw new Refused(409, t, 'refused.passkey', { limit: MAX_PASSKEYS });
    return { goTo: 'account', notice: 'passkey-added' };
  }),
  action('/account/rename-passkey', everyone, async (visit, parts): Promise<GoTo> => {
    const isRenamed = await renameOwnPasskey(parts, visit.visitor.id, passkeyIn(visit), passkeyNameIn(visit));
    return { goTo: 'account', notice: isRenamed ? 'passkey-renamed' : 'unchanged' };
  }),
  action(
    '/account/remove-passkey',
    everyone,
    async (visit, parts): Promise<GoTo> => {
      const isRemoved = await removeOwnPasskey(parts, visit.visitor.id, passkeyIn(visit));
      return { goTo: 'account', notice: isRemoved ? 'passkey-removed' : 'unchanged' };
    },
    { needsProof: true },
  ),
  action('/proof', everyone, async (visit, parts): Promise<GoTo> => {
    const place = placeIn(visit.form);
    const language = deskLanguages.find((one) => one === visit.t.language) ?? 'en';
    const isMailed = await mailMemberLink(parts, await me(visit, parts), { language, opens: place || null });
    if (!isMailed) throw new Refused(409, visit.t, 'refused.links');
    return { goTo: place, notice: 'proof-mailed' };
  }),
];

async function ownSession(visit: Visit<OneLandlord>, parts: Pick<Parts, 'db'>) {
  return { member: await me(visit, parts), sessionId: visit.visitor.sessionId ?? '' };
}

function passkeyIn({ form, t }: Visit): string {
  const id = textIn(form, 'passkey');
  if (id === undefined) throw new Refused(400, t, 'refused.passkey-unknown');
  return id;
}

function passkeyNameIn({ form, t }: Visit): string {
  const name = oneLine(textIn(form, 'name') ?? '');
  if (name === '' || name.length > MAX_NAME_LENGTH) throw new Refused(400, t, 'refused.name');
  return name;
}

async function passkeysOf(visit: Visit, { db }: Pick<Parts, 'db'>): Promise<Html> {
  const { t, to, visitor } = visit;
  const items = (await listPasskeys(db, visitor.id)).map(({ id, name, created_at, used_at }) => {
    const own = hidden({ passkey: id });
    return html`<li><h3>${isolated(name)}</h3>
${facts([
  [t.text('passkey.since'), moment(created_at)],
  [t.text('session.used'), moment(used_at) ?? t.text('passkey.unused')],
])}${actionForm(visit, { to: 'account/rename-passkey', label: t.text('passkey.rename'), fields: html`${own}${field('name', t.text('passkey.name'), name)}` })}
${actionForm(visit, { to: 'account/remove-passkey', label: t.text('passkey.remove'), fields: own, isFinal: true })}</li>`;
  });
  return html`<h2>${t.text('account.passkeys')}</h2>
<p class="lead">${t.text('account.passkeys-text')}</p>
${items.length > 0 ? html`<ul class="cards">${items}</ul>` : undefined}
<p><a class="button" href="${to('account/add-passkey')}">${t.text('passkey.add')}</a></p>`;
}

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const SYSTEMS = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac OS X', 'Linux'] as const;

/** Such as "Firefox, Windows". */
function browserName(agent: string): string | undefined {
  const browser = BROWSERS.find((name) => agent.includes(`${name}/`));
  const system = SYSTEMS.find((name) => agent.includes(name));
  const names = [
    browser && { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' }[browser],
    system,
  ];
  return names.filter((name) => name !== undefined).join(', ') || undefined;
}
