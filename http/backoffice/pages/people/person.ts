import { type Html, html, isolated } from '../../../../core/html.ts';
import { onboardingStatus } from '../../../../core/rules/onboarding.ts';
import { listParticipations, type Participation } from '../../../../db/applications/application-lists.ts';
import { listInvitesOf } from '../../../../db/applications/invites.ts';
import { findListedTenant } from '../../../../db/applications/tenants.ts';
import type { Database } from '../../../../db/connection/database.ts';
import { findAllDocuments } from '../../../../db/documents/documents.ts';
import { listDeliveries } from '../../../../db/webhooks/delivery-lists.ts';
import { listEvents } from '../../../../db/webhooks/events.ts';
import { listWorkOfTenant, type TenantWorkTable } from '../../../../db/work/work-lists.ts';
import { recordLook } from '../../../../jobs/privacy/looks.ts';
import { expectFound, type ResultsPage, type Visit } from '../../route.ts';
import { actionForm, hidden } from '../../views/forms.ts';
import { badge, type Column, code, english, facts, link, linkIn, moment, shortId, table } from '../../views/parts.ts';
import { stateWords } from '../../views/states.ts';
import { type TimelineEntry, timeline } from '../../views/timeline.ts';
import { erasureNote, erasuresIn } from '../applications/erasure.ts';
import { consentBadge, rolesOf } from '../applications/part.ts';
import { deliveryTable } from '../webhooks/deliveries.ts';

/** How many of each kind are shown, the newest. */
const MAX_LISTED = 50;
const MAX_DELIVERIES = 10;
/** The newest applications whose API keys learn of a look, and how many keys at most. */
const [MAX_KNOWN, MAX_SHOWN_KEYS] = [500, 50];

/** One person: their applications, checks and events within the scope, in chronological order. */
export const personPage: ResultsPage = async (visit, parts) => {
  const { db } = parts;
  const { to, now, scope, t } = visit;
  const tenant = expectFound(await findListedTenant(db, scope, visit.param('id')), 'Person');
  // Recorded before it is shown, so that no read goes unrecorded.
  const known = await listParticipations(db, scope, tenant.comparable_email, MAX_KNOWN);
  const participations = known.slice(0, MAX_LISTED);
  const keyIds = [...new Set(known.map(({ api_key_id }) => api_key_id))].slice(0, MAX_SHOWN_KEYS);
  const about = keyIds.map((api_key_id) => ({ tenant_id: tenant.id, api_key_id }));
  await recordLook(db, visit, ['history', 'tenant.read', tenant.id], about);
  const erasures = await erasuresIn(visit, parts, { comparableEmail: tenant.comparable_email });
  const isOperator = scope.of === 'all landlords';
  const mayRead = visit.may('GET', 'deliveries');
  const deliveries = mayRead ? await listDeliveries(db, scope, { tenantId: tenant.id }, MAX_DELIVERIES) : [];
  const entries = [
    // The account is the person's own: a landlord does not learn since when others have known them.
    { at: isOperator ? tenant.created_at : undefined, what: t.text('happened.account') },
    { at: tenant.profile_completed_at, what: t.text('happened.profile-done') },
    { at: tenant.profile_outdated_at, what: t.text('happened.profile-outdated') },
    ...participations.map(({ created_at, application_id, title }) => ({
      at: created_at,
      what: html`${t.text('happened.application')} ${linkIn(visit, `applications/${application_id}`, isolated(title))}`,
    })),
    ...(await answersTo(db, visit, participations)),
    ...(await checks(db, tenant.id, visit)),
    ...(await documentsOf(db, tenant.id, visit)),
    ...(await eventsOf(db, tenant.id, visit)),
  ];
  const [first] = participations;
  const crumb =
    isOperator || !first
      ? link(to(isOperator ? 'people' : 'applications'), isOperator ? 'People' : t.text('section.applications'))
      : html`${link(to('applications'), t.text('section.applications'))} ${link(to(`applications/${first.application_id}`), isolated(first.title || t.text('application.untitled')))}`;
  const main = html`<p class="note">${t.text('recorded.person')}</p>
${erasures.map((request) => erasureNote(visit, request))}
${facts([
  [t.text('email'), isolated(tenant.email)],
  [t.text('person'), shortId(tenant.id)],
  [t.text('profile'), t.text(`profile.${onboardingStatus(tenant, now)}`)],
  [t.text('account-since'), isOperator ? moment(tenant.created_at) : null],
])}
${visit.may('GET', 'privacy/person') ? html`<p>${link(to(`privacy/person?who=${tenant.id}`), 'Export or erase')}</p>` : undefined}
${visit.may('GET', `people/${tenant.id}/identity`) ? html`<p>${link(to(`people/${tenant.id}/identity`), t.text('identity.title'))}</p>` : undefined}
<h2>${t.text('section.applications')}</h2>
${table(t.text('person.applications'), participationColumns(visit), participations, t.text('person.no-applications'))}
<h2>${t.text('timeline.title')}</h2>
${entries.length < MAX_LISTED ? undefined : html`<p class="note">${t.text('list.newest-only', { limit: MAX_LISTED })}</p>`}
${timeline(t, entries)}
${
  mayRead
    ? html`<h2>${t.text('person.deliveries')}</h2>
${deliveryTable(visit, deliveries, t.text('person.no-deliveries'))}`
    : undefined
}`;
  return { title: tenant.name || tenant.email, heading: isolated(tenant.name || tenant.email), above: [crumb], main };
};

function participationColumns({ t, to }: Visit): readonly Column<Participation>[] {
  return [
    [
      t.text('application'),
      ({ application_id, title }) =>
        link(to(`applications/${application_id}`), isolated(title || t.text('application.untitled'))),
    ],
    [t.text('consent'), ({ consent_status }) => consentBadge(t, consent_status)],
    [t.text('role'), (row) => t.list(rolesOf(t, row))],
    [t.text('created'), ({ created_at }) => moment(created_at)],
  ];
}

async function answersTo(
  db: Database,
  { t }: Visit,
  participations: readonly Participation[],
): Promise<TimelineEntry[]> {
  const invites = await listInvitesOf(
    db,
    participations.map(({ id }) => id),
  );
  return invites.flatMap(({ participant_id, status, about, failure, finished_at, answered_at }) => {
    const { title = '', consent_status } = participations.find(({ id }) => id === participant_id) ?? {};
    // Later mails have the row of the invitation.
    const mail = about === null ? 'happened.to' : 'happened.to.mail';
    const ended = status === 'pending' ? undefined : t.rich(`${mail}.${status}`, { title });
    return [
      {
        at: finished_at,
        what: ended,
        more: english(failure),
      },
      {
        at: answered_at,
        what: t.rich(consent_status === 'rejected' ? 'happened.to.declined' : 'happened.to.accepted', { title }),
      },
    ];
  });
}

const CHECKS: readonly (readonly [TenantWorkTable, kind: 'kyc' | 'eid' | 'bank' | 'analysis'])[] = [
  ['kyc_verifications', 'kyc'],
  ['eid_flows', 'eid'],
  ['bank_connections', 'bank'],
  ['forensic_runs', 'analysis'],
];

async function checks(db: Database, tenantId: string, visit: Visit): Promise<TimelineEntry[]> {
  const { scope, t } = visit;
  const entries: TimelineEntry[] = [];
  for (const [name, kind] of CHECKS)
    for (const row of await listWorkOfTenant(db, scope, name, tenantId, MAX_LISTED)) {
      const isOpen = row.finished_at === null;
      const check = t.text(`check.${kind}`);
      const state = () => badge(row.status, stateWords(t, row.status));
      const isFlow = kind === 'kyc' || kind === 'eid';
      const end = isFlow && row.status === 'pending' ? cancelForm(visit, kind, row.id, tenantId) : undefined;
      const failure = english(row.failure);
      const isReadable = kind === 'analysis' && row.status === 'completed' && visit.may('GET', `analyses/${row.id}`);
      const ended = t.text('check.ended', { check });
      entries.push({
        at: row.created_at,
        what: html`${t.text('check.began', { check })} ${isOpen ? state() : undefined}${end}`,
        more: isOpen ? failure : undefined,
      });
      entries.push({
        at: row.finished_at,
        what: isReadable
          ? html`${ended}: ${link(visit.to(`analyses/${row.id}`), t.text('check.result'))}`
          : html`${ended} ${state()}`,
        more: failure,
      });
    }
  return entries;
}

function cancelForm(visit: Visit, kind: 'kyc' | 'eid', flow: string, tenantId: string): Html | undefined {
  const label = visit.t.text('action.cancel-flow');
  return actionForm(visit, {
    to: `people/${tenantId}/cancel-flow`,
    label,
    fields: [hidden({ kind, flow })],
    final: { sure: visit.t.rich('sure.flow') },
  });
}

async function documentsOf(db: Database, tenantId: string, visit: Visit): Promise<TimelineEntry[]> {
  const { scope, t } = visit;
  return (await findAllDocuments(db, scope, tenantId))
    .slice(-MAX_LISTED)
    .map(({ id, created_at, name, source, media_type, size_bytes }) => ({
      at: created_at,
      what: html`${t.text(`source.${source}`)} ${linkIn(visit, `documents/${id}`, isolated(name))}`,
      more: t.text('document.size', { type: media_type, size: Math.ceil(size_bytes / 1024) }),
    }));
}

async function eventsOf(db: Database, tenantId: string, { scope, t }: Visit): Promise<TimelineEntry[]> {
  return (await listEvents(db, scope, { tenantId }, MAX_LISTED)).map(({ created_at, event, delivered, webhooks }) => ({
    at: created_at,
    what: html`${t.text('happened.event')} ${code(event)}`,
    more: webhooks === 0 ? t.text('event.no-webhooks') : t.text('event.delivered', { delivered, webhooks }),
  }));
}
