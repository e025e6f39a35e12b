import { type Html, html, isolated } from '../../../../core/html.ts';
import { deskLanguages, languageNames } from '../../../../core/texts/languages.ts';
import { findMember, type MemberRole, updateMember } from '../../../../db/access/members.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { oneIn, placeIn } from '../../query.ts';
import {
  action,
  expectFound,
  type GoTo,
  membersOnly,
  ownAction,
  type Parts,
  page,
  proven,
  Refused,
  type Visit,
} from '../../route.ts';
import { actionForm, choice, hidden } from '../../views/forms.ts';
import { badge, facts, moment } from '../../views/parts.ts';
import { givenText } from '../given.ts';
import { browserName } from './browser-name.ts';
import { everyone, type Own, ownOf } from './own.ts';
import { passkeyRoutes, passkeysOf } from './passkeys.ts';

/** The roles that are mailed about failing webhooks, unless they decline. */
const webhookMails: readonly MemberRole[] = ['admin', 'developer'];
const mailChoices = ['on', 'off'] as const;

/** What belongs to the visitor alone: their sessions, passkeys and choices, and the mail that proves again who they are. */
export const accountRoutes = [
  page('/account', everyone, async (visit, parts) => {
    const { t, visitor } = visit;
    const own = await ownOf(visit, parts);
    const main = html`${await choicesOf(visit, parts)}
${await passkeysOf(visit, parts, own.owner)}
${await sessionsOf(visit, own)}`;
    return { title: t.text('account.title'), heading: isolated(visitor.name), main };
  }),
  action('/account', membersOnly(...everyone.members), async (visit, parts) => {
    const language = oneIn(visit.form, 'language', deskLanguages) ?? null;
    const mails = oneIn(visit.form, 'mails', mailChoices);
    const change = { language, ...(mails && ({ mails_webhooks: mails === 'on' ? 1 : 0 } as const)) };
    const isChanged = await inTransaction(parts.db, (trx) => updateMember(trx, visit.visitor.id, change));
    return { goTo: 'account', notice: isChanged ? 'account-changed' : 'unchanged' };
  }),
  ownAction('/account/end-session', proven(everyone), async (visit, parts) => {
    const id = givenText(visit, 'session', 'refused.session');
    return ending(visit, parts, ({ endSession }) => endSession(id));
  }),
  ownAction('/account/end-other-sessions', proven(everyone), (visit, parts) =>
    ending(visit, parts, ({ endOtherSessions }) => endOtherSessions()),
  ),
  ...passkeyRoutes,
  ownAction('/proof', everyone, async (visit, parts) => {
    const { form, scope, t } = visit;
    const place = placeIn(form);
    const { mailProof } = await ownOf(visit, parts);
    const isMailed = await mailProof(place || null);
    if (!isMailed) throw new Refused(409, t, scope.of === 'one landlord' ? 'refused.links' : 'refused.console-link');
    return { goTo: place, notice: 'proof-mailed' };
  }),
];

async function ending(visit: Visit, parts: Parts, end: (own: Own) => Promise<boolean>): Promise<GoTo> {
  const { actor, visitor, now } = visit;
  const own = await ownOf(visit, parts);
  const isEnded = await end(own);
  if (isEnded) await inTransaction(parts.db, (trx) => recordAudit(trx, actor, own.ended, visitor.id, now));
  return { goTo: 'account', notice: isEnded ? 'session-ended' : 'unchanged' };
}

/** What a member is and chose; operators choose nothing. */
async function choicesOf(visit: Visit, { db }: Pick<Parts, 'db'>): Promise<Html> {
  const { t, visitor, scope } = visit;
  if (scope.of === 'all landlords') return facts([[t.text('role'), visitor.role]]);
  const member = expectFound(await findMember(db, scope.landlordId, visitor.id), 'Member');
  const options = [
    ['', t.text('account.browser-language')] as const,
    ...deskLanguages.map((language) => [language, languageNames[language]] as const),
  ];
  const language = choice('language', t.text('account.language'), options, member.language ?? '');
  const mailOptions = mailChoices.map((one) => [one, t.text(`account.webhook-mails.${one}`)] as const);
  const mails = webhookMails.includes(member.role)
    ? choice('mails', t.text('account.webhook-mails'), mailOptions, member.mails_webhooks === 1 ? 'on' : 'off')
    : undefined;
  return html`${facts([
    [t.text('email'), isolated(member.mail_address)],
    [t.text('role'), visitor.role],
    [t.text('landlord'), isolated(member.landlord_name)],
  ])}
${actionForm(visit, { to: 'account', label: t.text('account.save'), fields: [language, mails] })}`;
}

async function sessionsOf(visit: Visit, { sessions }: Own): Promise<Html> {
  const { t, visitor } = visit;
  const items = (await sessions()).map(({ id, browser, created_at, used_at }) => {
    const end = { to: 'account/end-session', label: t.text('session.end') };
    return html`<li><h3><span translate="no">${browserName(browser) ?? t.text('session.unknown')}</span> ${id === visitor.sessionId ? badge('active', t.text('session.this')) : undefined}</h3>
${facts([
  [t.text('session.since'), moment(created_at)],
  [t.text('session.used'), moment(used_at)],
])}${id === null ? undefined : actionForm(visit, { ...end, fields: [hidden({ session: id })] })}</li>`;
  });
  return html`<h2>${t.text('account.sessions')}</h2>
<ul class="cards">${items}</ul>
${items.length > 1 ? actionForm(visit, { to: 'account/end-other-sessions', label: t.text('session.end-others') }) : undefined}`;
}
