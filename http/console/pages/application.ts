import { type Html, html, isolated } from '../../../core/html.ts';
import { documentTypes } from '../../../core/rules/document-types.ts';
import { onboardingStatus } from '../../../core/rules/onboarding.ts';
import {
  findListedApplication,
  type ListedParticipant,
  listParticipants,
} from '../../../db/applications/application-lists.ts';
import { listAuditEntries } from '../../../db/audit/audit-list.ts';
import { expectFound, type PageRoute, type Visit } from '../route.ts';
import { actionForm, choice, field } from '../views/forms.ts';
import { badge, code, facts, link, moment } from '../views/parts.ts';
import { type TimelineEntry, timeline } from '../views/timeline.ts';

const MAX_ENTRIES = 50;

/** One application: its people, what operators may do for them, and what happened. */
export const applicationPage: PageRoute['handle'] = async (visit, { db }) => {
  const { to, now } = visit;
  const application = expectFound(await findListedApplication(db, visit.param('id')), 'Application');
  const participants = await listParticipants(db, application.id);
  const entries = await listAuditEntries(db, { resource: application.id }, MAX_ENTRIES);
  const byOperators = entries.map(({ at, action, actor, actor_kind }) => ({
    at,
    what: html`${code(action)} <span class="soft">by ${actor_kind === 'operator' ? actor : actor_kind.replace('_', ' ')}</span>`,
  }));
  const main = html`<p class="crumbs">${link(to('applications'), 'Applications')}</p>
<h1>${isolated(application.title)}</h1>
${facts([
  ['Application', code(application.id)],
  ['Landlord', link(to(`landlords/${application.landlord_id}`), isolated(application.landlord_name))],
  ['API key', link(to(`keys/${application.client_id}`), code(application.client_id))],
  ['Property', application.property_id === null ? null : code(application.property_id)],
  ['Created', moment(application.created_at)],
  ['Changed', moment(application.updated_at)],
])}
<p>${link(to(`applications/${application.id}/income`), 'Income, and the rent against it')}</p>
<h2>Participants</h2>
<ul class="cards">${participants.map((row) => person(row, application.id, visit, now))}</ul>
<h2>What happened</h2>
${timeline([...participants.flatMap(entriesOf), ...byOperators])}`;
  return { title: application.title, main };
};

function person(row: ListedParticipant, applicationId: string, visit: Visit, now: Date): Html {
  const { email, name, invite, consent_status, removed_at, tenant_id } = row;
  const who = tenant_id === null ? isolated(email) : link(visit.to(`people/${tenant_id}`), isolated(email));
  const isOpen = removed_at === null;
  const roles = [row.is_lead === 1 && 'lead', row.is_guarantor === 1 && 'guarantor'].filter(Boolean).join(', ');
  const answers = [
    ['accepted', 'they accept'],
    ['rejected', 'they decline'],
  ] as const;
  const hidden = html`<input type="hidden" name="email" value="${email}">`;
  return html`<li>
<h3>${who} ${badge(isOpen ? (consent_status === 'rejected' ? 'declined' : consent_status) : 'removed')}</h3>
${facts([
  ['Name', name ? isolated(name) : null],
  ['Role', roles || null],
  [
    'Invitation',
    invite ? html`${badge(invite.status)} ${invite.failure === null ? undefined : isolated(invite.failure)}` : null,
  ],
  ['Profile', onboardingStatus(row, now).toLowerCase()],
])}
${isOpen ? actionForm(visit, { to: `applications/${applicationId}/consent`, label: 'Record the answer', fields: html`${hidden}${choice('answer', 'Answer given by phone', answers, 'accepted')}` }) : undefined}
${isOpen && invite && consent_status === 'pending' && invite.status !== 'pending' ? actionForm(visit, { to: `applications/${applicationId}/invite-again`, label: 'Invite again', fields: html`<input type="hidden" name="invite" value="${invite.id}">` }) : undefined}
${isOpen && consent_status !== 'rejected' ? personMails(row.email, applicationId, visit) : undefined}
</li>`;
}

/** The lead gets no invitation: an operator mails them a link. */
function personMails(email: string, applicationId: string, visit: Visit): Html {
  const hidden = html`<input type="hidden" name="email" value="${email}">`;
  const kinds = documentTypes.map((type): [string, string] => [type, type.replace('_', ' ')]);
  const fields = html`${hidden}${choice('type', 'Document', kinds, 'payslip')}${field('reason', 'Why', '', 'in words for the person')}`;
  return html`${actionForm(visit, { to: `applications/${applicationId}/mail-link`, label: 'Mail a link', fields: hidden })}
${actionForm(visit, { to: `applications/${applicationId}/ask-document`, label: 'Ask for a document', fields })}`;
}

function entriesOf({
  email,
  invite,
  onboardingLink,
  removed_at,
  consent_status,
  profile_completed_at,
}: ListedParticipant): TimelineEntry[] {
  const who = isolated(email);
  const ended = { sent: 'was invited', failed: 'could not be invited', cancelled: 'no longer needs an invitation' };
  return [
    { at: invite?.created_at, what: html`${who} was added` },
    {
      at: invite?.finished_at,
      what: html`${who} ${invite && invite.status !== 'pending' ? ended[invite.status] : 'is being invited'}`,
      more: invite?.failure == null ? undefined : isolated(invite.failure),
    },
    { at: invite?.answered_at, what: html`${who} ${consent_status === 'rejected' ? 'declined' : 'accepted'}` },
    { at: onboardingLink?.created_at, what: html`${who} got a link to complete their profile` },
    { at: onboardingLink?.used_at, what: html`${who} used the link to their profile` },
    { at: profile_completed_at, what: html`${who} completed their profile` },
    { at: removed_at, what: html`${who} was removed` },
  ];
}
