import type { Knex } from 'knex';
import { idsOf } from '../../core/ids.ts';
import type { TenantRow } from '../applications/tenants.ts';
import type { Transaction } from '../connection/database.ts';
import { among } from '../connection/queries/many-values.ts';
import type { DocumentRow } from '../documents/documents.ts';
import { documentsWithin } from '../documents/removed-documents.ts';
import { BODY } from '../webhooks/event-bodies.ts';
import type { EventRow } from '../webhooks/events.ts';
import type { participationData } from './personal-data-of-participant.ts';
import { type Scope, within } from './persons.ts';

/**
 * Everything that refers to a person's account, except secrets and provider state, which say nothing about the person.
 * @param open unseals a result, a reason or the body of an event; undefined when no key opens it
 * @param scope with keys, the account contains only what their owners may know
 */
export async function accountData(
  trx: Transaction,
  account: TenantRow | undefined,
  open: (sealed: string) => string | undefined,
  scope: Scope,
) {
  const parsed = (sealed: string | null): unknown => {
    if (sealed === null) return null;
    const text = open(sealed);
    return text === undefined ? UNREADABLE : JSON.parse(text);
  };
  const ofTenant = (of: Knex.QueryBuilder) => void of.where({ tenant_id: account?.id ?? '' }).where(within(scope));
  const ended = ['status', 'failure', 'created_at', 'finished_at'] as const;
  const verifications = await trx('kyc_verifications').where(ofTenant).orderBy('created_at');
  const flows = await trx('eid_flows')
    .where(ofTenant)
    .orderBy('created_at')
    .select('id', 'provider', 'redirect_url', 'expires_at', 'agreed_at', 'agreed_to', 'application_id', ...ended);
  const runs = await trx('forensic_runs')
    .where(ofTenant)
    .orderBy('created_at')
    .select('id', 'result', 'result_of', 'sealed_claims', ...ended);
  const banks = await trx('bank_connections')
    .where(ofTenant)
    .orderBy('created_at')
    .select('id', 'provider', 'bank', 'country', 'expires_at', 'agreed_at', 'agreed_to', 'document_id', ...ended)
    .select('sealed_statement');
  return {
    account: account && scope.apiKeyIds ? partOf(account) : (account ?? null),
    kyc_verifications: verifications.map(
      ({ id, provider, result, status, failure, created_at, finished_at, application_id, ...consent }) => ({
        ...{ id, provider, status, failure, created_at, finished_at, application_id },
        expires_at: consent.expires_at,
        agreed_at: consent.agreed_at,
        agreed_to: consent.agreed_to,
        result: parsed(result),
      }),
    ),
    eid_flows: await withAttempts(trx, flows),
    bank_connections: banks.map(({ sealed_statement, ...bank }) => ({ ...bank, statement: parsed(sealed_statement) })),
    analyses: await withDecisions(trx, runs, parsed, open),
    events: (await eventData(trx, ofTenant)).map((event) => ({ ...event, body: parsed(event.body) })),
    looks: await trx('looks').where(ofTenant).orderBy(['at', 'id']).select('looker', 'what', 'at'),
    documents: await documentData(trx, account?.id ?? '', scope, parsed),
  };
}

/** In place of a damaged value: what is held is complete without it, and the person learns that there was more. */
const UNREADABLE = 'This value is damaged and cannot be read.';

/** The account as the API shows it. */
function partOf({ id, profile_completed_at, profile_outdated_at }: TenantRow) {
  return { id, profile_completed_at, profile_outdated_at };
}

async function withAttempts<Flow extends { id: string }>(trx: Transaction, flows: readonly Flow[]) {
  const attempts = await trx('eid_attempts')
    .where(among(trx, 'flow_id', idsOf(flows)))
    .orderBy('created_at')
    .select('flow_id', 'created_at', 'used_at');
  const byFlow = Map.groupBy(attempts, ({ flow_id }) => flow_id);
  const of = (id: string) => byFlow.get(id) ?? [];
  return flows.map((flow) => ({
    ...flow,
    attempts: of(flow.id).map(({ created_at, used_at }) => ({ created_at, used_at })),
  }));
}

/** The events and the landlords they were sent to, without webhook addresses. */
async function eventData(trx: Transaction, ofTenant: Knex.QueryCallback) {
  const events: Pick<EventRow, 'id' | 'event' | 'created_at' | 'body'>[] = await trx('events')
    .where(ofTenant)
    .orderBy('created_at')
    .select('id', 'event', 'created_at', trx.raw(`${BODY} as body`));
  const deliveries = await trx('deliveries')
    .join('events', 'events.id', 'deliveries.event_id')
    .join('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .join('landlords', 'landlords.id', 'api_keys.landlord_id')
    .whereIn('events.id', trx('events').where(ofTenant).select('id'))
    .select({
      event_id: 'deliveries.event_id',
      landlord: 'landlords.name',
      status: 'deliveries.status',
      attempts: 'deliveries.attempts',
      created_at: 'deliveries.created_at',
      finished_at: 'deliveries.finished_at',
    });
  const byEvent = Map.groupBy<string, (typeof deliveries)[number]>(deliveries, ({ event_id }) => event_id);
  const of = (id: string) => byEvent.get(id) ?? [];
  return events.map(({ id, event, body, created_at }) => ({
    ...{ id, event, created_at },
    body,
    told_to: of(id).map(({ event_id: _, ...delivery }) => delivery),
  }));
}

async function documentData(
  trx: Transaction,
  tenantId: string,
  scope: Scope,
  parsed: (sealed: string | null) => unknown,
): Promise<ExportedDocument[]> {
  const theirs = trx('documents').where({ tenant_id: tenantId }).where(documentsWithin(scope));
  const documents = await theirs.orderBy('created_at').orderBy('id');
  const glances = await trx('document_glances')
    .where(among(trx, 'document_id', idsOf(documents)))
    .select('document_id', 'sealed_glance');
  const fingerprints = await trx('document_fingerprints').where(among(trx, 'document_id', idsOf(documents)));
  return documents.map(({ tenant_id: _, api_key_id: _key, removed_for: _for, ...document }) => ({
    ...document,
    fingerprints: fingerprints
      .filter(({ document_id }) => document_id === document.id)
      .map(({ kind, value }) => ({ kind, value })),
    seen: parsed(glances.find(({ document_id }) => document_id === document.id)?.sealed_glance ?? null),
  }));
}

export type ExportedDocument = Omit<DocumentRow, 'tenant_id' | 'api_key_id' | 'removed_for'> & {
  seen: unknown;
  fingerprints: { kind: string; value: string }[];
};

/** The ids under which the audit log may know a person. */
type PersonKeys = Awaited<ReturnType<typeof accountData>> & Awaited<ReturnType<typeof participationData>>;

/** The actor is left out: an operator is a person too. */
export async function auditData(trx: Transaction, keys: PersonKeys, { apiKeyIds }: Scope) {
  const { account, participations, kyc_verifications, eid_flows, bank_connections, analyses, events, documents } = keys;
  const rows = [...kyc_verifications, ...eid_flows, ...bank_connections, ...analyses, ...events, ...documents];
  const ofParticipants = participations.flatMap(({ participant_id, invitations, onboarding_links, payments }) => [
    participant_id,
    ...[...invitations, ...onboarding_links, ...payments].map(({ id }) => id),
  ]);
  // Other landlords' keys address the same account.
  const ids = [apiKeyIds ? '' : (account?.id ?? ''), ...rows.map(({ id }) => id), ...ofParticipants];
  return trx('audit_entries')
    .where(among(trx, 'resource_id', ids))
    .orderBy('sequence')
    .select('at', 'actor_kind', 'action', 'resource_id');
}

async function withDecisions<Run extends { id: string; result: string | null; sealed_claims: string | null }>(
  trx: Transaction,
  runs: readonly Run[],
  parsed: (sealed: string | null) => unknown,
  open: (sealed: string) => string | undefined,
) {
  const rows = await trx('finding_decisions')
    .where(among(trx, 'run_id', idsOf(runs)))
    .orderBy('decided_at');
  const decisions = Map.groupBy(rows, ({ run_id }) => run_id);
  return runs.map(({ sealed_claims, ...run }) => ({
    ...run,
    result: parsed(run.result),
    claims: parsed(sealed_claims),
    decisions: (decisions.get(run.id) ?? []).map(({ run_id, sealed_reason, ...decision }) => ({
      ...decision,
      reason: open(sealed_reason) ?? UNREADABLE,
    })),
  }));
}
