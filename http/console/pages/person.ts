import { type Html, html, isolated } from '../../../core/html.ts';
import { onboardingStatus } from '../../../core/rules/onboarding.ts';
import { listParticipations, type Participation } from '../../../db/applications/application-lists.ts';
import { listInvitesOf } from '../../../db/applications/invites.ts';
import { findTenantByIdOrEmail } from '../../../db/applications/tenants.ts';
import { recordAudit } from '../../../db/audit/audit.ts';
import type { Database } from '../../../db/connection/database.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { findAllDocuments } from '../../../db/documents/documents.ts';
import { listDeliveries } from '../../../db/webhooks/delivery-lists.ts';
import { listEvents } from '../../../db/webhooks/events.ts';
import { listWorkOfTenant, type TenantWorkTable } from '../../../db/work/work-lists.ts';
import { expectFound, type PageRoute, type Visit } from '../route.ts';
import { actionForm } from '../views/forms.ts';
import { badge, code, facts, link, moment, table } from '../views/parts.ts';
import { type TimelineEntry, timeline } from '../views/timeline.ts';
import { deliveryTable } from './deliveries.ts';

const MAX_EVENTS = 50;
const MAX_DELIVERIES = 10;
const MAX_INVITATIONS = 50;

/** One person: their applications, checks and events, in chronological order. */
export const personPage: PageRoute['handle'] = async (visit, { db }) => {
  const { to, now, actor } = visit;
  const tenant = expectFound(await findTenantByIdOrEmail(db, visit.param('id')), 'Person');
  // Recorded before it is shown, so that no read goes unrecorded.
  await inTransaction(db, (trx) => recordAudit(trx, actor, 'tenant.read', tenant.id, now));
  const participations = await listParticipations(db, tenant.comparable_email);
  const deliveries = await listDeliveries(db, { tenantId: tenant.id }, MAX_DELIVERIES);
  const entries = [
    { at: tenant.created_at, what: 'The account was created' },
    { at: tenant.profile_completed_at, what: 'Completed their profile' },
    { at: tenant.profile_outdated_at, what: 'The profile became outdated' },
    ...participations.map(({ created_at, application_id, title }) => ({
      at: created_at,
      what: html`Application created: ${link(to(`applications/${application_id}`), isolated(title))}`,
    })),
    ...(await answersTo(db, participations.slice(0, MAX_INVITATIONS))),
    ...(await checks(db, tenant.id, visit)),
    ...(await documentsOf(db, tenant.id)),
    ...(await eventsOf(db, tenant.id)),
  ];
  const main = html`<p class="crumbs">${link(to('people'), 'People')}</p>
<h1>${isolated(tenant.name || tenant.email)}</h1>
<p class="note">Viewing this page is recorded.</p>
${facts([
  ['E-mail', isolated(tenant.email)],
  ['Person', code(tenant.id)],
  ['Profile', onboardingStatus(tenant, now).toLowerCase()],
  ['Account since', moment(tenant.created_at)],
])}
<p>${link(to(`privacy/person?who=${tenant.id}`), 'Export or erase')}</p>
<h2>Applications</h2>
${
  participations.length > 0
    ? table(
        'Applications in which they take part',
        ['Application', 'Consent', 'Role', 'Created'],
        participations.map((row) => [
          link(to(`applications/${row.application_id}`), isolated(row.title)),
          badge(row.consent_status === 'rejected' ? 'declined' : row.consent_status),
          [row.is_lead === 1 && 'lead', row.is_guarantor === 1 && 'guarantor'].filter(Boolean).join(', '),
          moment(row.created_at),
        ]),
      )
    : html`<p class="lead">They take part in no application.</p>`
}
<h2>What happened</h2>
${timeline(entries)}
<h2>Newest deliveries</h2>
${deliveries.length > 0 ? deliveryTable(visit, deliveries) : html`<p class="lead">No webhook got an event about them.</p>`}`;
  return { title: tenant.name || tenant.email, main };
};

async function answersTo(db: Database, participations: readonly Participation[]): Promise<TimelineEntry[]> {
  const invites = await listInvitesOf(
    db,
    participations.map(({ id }) => id),
  );
  const ENDED = { sent: 'Was invited to', failed: 'Could not be invited to', cancelled: 'Needed no invitation to' };
  return invites.flatMap(({ participant_id, status, failure, finished_at, answered_at }) => {
    const { title = '', consent_status } = participations.find(({ id }) => id === participant_id) ?? {};
    const ended = status === 'pending' ? undefined : html`${ENDED[status]} ${isolated(title)}`;
    return [
      { at: finished_at, what: ended, more: failure === null ? undefined : isolated(failure) },
      { at: answered_at, what: html`${consent_status === 'rejected' ? 'Declined' : 'Accepted'} ${isolated(title)}` },
    ];
  });
}

const CHECKS: readonly (readonly [TenantWorkTable, words: string, kind: 'kyc' | 'eid' | undefined])[] = [
  ['kyc_verifications', 'Identity verification (KYC)', 'kyc'],
  ['eid_flows', 'National eID flow', 'eid'],
  ['bank_connections', 'Bank connection', undefined],
  ['forensic_runs', 'Document analysis', undefined],
];

async function checks(db: Database, tenantId: string, visit: Visit): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  for (const [name, words, kind] of CHECKS)
    for (const row of await listWorkOfTenant(db, name, tenantId)) {
      const isOpen = row.finished_at === null;
      const end = kind && row.status === 'pending' ? cancelForm(visit, kind, row.id, tenantId) : undefined;
      entries.push({
        at: row.created_at,
        what: html`${words} began ${isOpen ? badge(row.status) : undefined}${end}`,
        more: isOpen && row.failure !== null ? isolated(row.failure) : undefined,
      });
      entries.push({
        at: row.finished_at,
        what:
          name === 'forensic_runs' && row.status === 'completed'
            ? html`${words} ended: ${link(visit.to(`analyses/${row.id}`), 'what it found')}`
            : html`${words} ended ${badge(row.status)}`,
        more: row.failure === null ? undefined : isolated(row.failure),
      });
    }
  return entries;
}

function cancelForm(visit: Visit, kind: 'kyc' | 'eid', id: string, tenantId: string): Html | undefined {
  const fields = html`<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="flow" value="${id}">`;
  return actionForm(visit, { to: `people/${tenantId}/cancel-flow`, label: 'Cancel it', fields, isFinal: true });
}

async function documentsOf(db: Database, tenantId: string): Promise<TimelineEntry[]> {
  const SOURCES = {
    applicant: 'Uploaded',
    operator: 'An operator added',
    eid: 'The eID provider gave',
    bank: 'Their bank gave',
  };
  return (await findAllDocuments(db, tenantId)).map(({ created_at, name, source, media_type, size_bytes }) => ({
    at: created_at,
    what: html`${SOURCES[source]} ${isolated(name)}`,
    more: `${media_type}, ${Math.ceil(size_bytes / 1024).toLocaleString('en')} KiB`,
  }));
}

async function eventsOf(db: Database, tenantId: string): Promise<TimelineEntry[]> {
  return (await listEvents(db, { tenantId }, MAX_EVENTS)).map(({ created_at, event, delivered, webhooks }) => ({
    at: created_at,
    what: html`Notified: ${code(event)}`,
    more: webhooks === 0 ? 'There were no webhooks.' : `Delivered to ${delivered} of ${webhooks} webhooks`,
  }));
}
