import { html, isolated } from '../../../../core/html.ts';
import { deskLanguages, languageNames } from '../../../../core/texts/languages.ts';
import { deleteMemberSession, listMemberSessions } from '../../../../db/access/member-sessions.ts';
import { findMember, type MemberRole, updateMember } from '../../../../db/access/members.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { mailMemberLink } from '../../../../jobs/members/member-mails.ts';
import { oneIn, textIn } from '../../query.ts';
import { action, expectFound, type GoTo, membersOnly, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, choice, hidden } from '../../views/forms.ts';
import { badge, facts, moment } from '../../views/parts.ts';

const MAX_SESSIONS = 50;
const everyone = membersOnly('admin', 'agent', 'developer', 'viewer');
/** The roles that are mailed about failing webhooks, unless they decline. */
const webhookMails: readonly MemberRole[] = ['admin', 'developer'];
const mailChoices = ['on', 'off'] as const;
/** A page of the desk, relative to its root. */
const OPENS = /^[\w-]+(?:\/[\w-]+)*(?:\?[\w=&.%-]*)?$/;

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
<h2>${t.text('account.sessions')}</h2>
<ul class="cards">${items}</ul>`;
    return { title: t.text('account.title'), main };
  }),
  action('/account', everyone, async (visit, parts): Promise<GoTo> => {
    const language = oneIn(visit.form, 'language', deskLanguages) ?? null;
    const mails = oneIn(visit.form, 'mails', mailChoices);
    const change = { language, ...(mails && ({ mails_webhooks: mails === 'on' ? 1 : 0 } as const)) };
    const isChanged = await inTransaction(parts.db, (trx) => updateMember(trx, visit.visitor.id, change));
    return { goTo: 'account', notice: isChanged ? 'account-changed' : 'unchanged' };
  }),
  action('/account/end-session', everyone, async (visit, parts): Promise<GoTo> => {
    const { actor, form, visitor, now, t } = visit;
    const id = textIn(form, 'session');
    if (id === undefined) throw new Refused(400, t, 'refused.session');
    const isEnded = await deleteMemberSession(parts.db, { id, member_id: visitor.id });
    if (isEnded) await inTransaction(parts.db, (trx) => recordAudit(trx, actor, 'member.end-session', visitor.id, now));
    return { goTo: 'account', notice: isEnded ? 'session-ended' : 'unchanged' };
  }),
  action('/proof', everyone, async (visit, parts): Promise<GoTo> => {
    const opens = textIn(visit.form, 'opens');
    const place = opens !== undefined && OPENS.test(opens) ? opens : '';
    const language = deskLanguages.find((one) => one === visit.t.language) ?? 'en';
    const isMailed = await mailMemberLink(parts, await me(visit, parts), { language, opens: place || null });
    if (!isMailed) throw new Refused(409, visit.t, 'refused.links');
    return { goTo: place, notice: 'proof-mailed' };
  }),
];

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
