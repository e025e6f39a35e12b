import { idsOf } from '../../core/ids.ts';
import type { TenantRow } from '../applications/tenants.ts';
import type { Transaction } from '../connection/connect.ts';
import type { DocumentRow } from '../documents/documents.ts';
import type { participationData } from './personal-data-of-participant.ts';

/**
 * Everything that refers to a person's account. Secrets and what providers remember are left out: they say nothing about a person.
 * @param open unseals a result or the body of an event
 */
export async function accountData(trx: Transaction, account: TenantRow | undefined, open: (sealed: string) => string) {
  const parsed = (sealed: string | null): unknown => (sealed === null ? null : JSON.parse(open(sealed)));
  const ofTenant = { tenant_id: account?.id ?? '' };
  const ended = ['status', 'failure', 'created_at', 'finished_at'] as const;
  const verifications = await trx('kyc_verifications').where(ofTenant).orderBy('created_at');
  const flows = await trx('eid_flows')
    .where(ofTenant)
    .orderBy('created_at')
    .select('id', 'provider', 'redirect_url', 'expires_at', 'agreed_at', 'agreed_to', ...ended);
  const runs = await trx('forensic_runs')
    .where(ofTenant)
    .orderBy('created_at')
    .select('id', 'result', 'result_of', ...ended);
  return {
    account: account ?? null,
    kyc_verifications: verifications.map(
      ({ id, provider, result, status, failure, created_at, finished_at, expires_at, agreed_at, agreed_to }) => ({
        ...{ id, provider, status, failure, created_at, finished_at, expires_at, agreed_at, agreed_to },
        result: parsed(result),
      }),
    ),
    eid_flows: await withAttempts(trx, flows),
    analyses: runs.map((run) => ({ ...run, result: parsed(run.result) })),
    events: (await eventData(trx, ofTenant)).map((event) => ({ ...event, body: parsed(event.body) })),
    documents: await documentData(trx, ofTenant),
  };
}

async function withAttempts<Flow extends { id: string }>(trx: Transaction, flows: readonly Flow[]) {
  const attempts = await trx('eid_attempts')
    .whereIn('flow_id', idsOf(flows))
    .orderBy('created_at')
    .select('flow_id', 'created_at', 'used_at');
  const of = (id: string) => attempts.filter(({ flow_id }) => flow_id === id);
  return flows.map((flow) => ({
    ...flow,
    attempts: of(flow.id).map(({ created_at, used_at }) => ({ created_at, used_at })),
  }));
}

/** The events and the landlords they were sent to; webhook addresses are left out. */
async function eventData(trx: Transaction, ofTenant: { tenant_id: string }) {
  const events = await trx('events').where(ofTenant).orderBy('created_at').select('id', 'event', 'body', 'created_at');
  const deliveries = await trx('deliveries')
    .join('events', 'events.id', 'deliveries.event_id')
    .join('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .join('landlords', 'landlords.id', 'api_keys.landlord_id')
    .where('events.tenant_id', ofTenant.tenant_id)
    .select({
      event_id: 'deliveries.event_id',
      landlord: 'landlords.name',
      status: 'deliveries.status',
      attempts: 'deliveries.attempts',
      created_at: 'deliveries.created_at',
      finished_at: 'deliveries.finished_at',
    });
  const of = (id: string) => deliveries.filter(({ event_id }) => event_id === id);
  return events.map(({ id, event, body, created_at }) => ({
    ...{ id, event, created_at },
    body,
    told_to: of(id).map(({ event_id: _, ...delivery }) => delivery),
  }));
}

async function documentData(trx: Transaction, ofTenant: { tenant_id: string }): Promise<ExportedDocument[]> {
  const documents = await trx('documents').where(ofTenant).orderBy('created_at').orderBy('id');
  const fingerprints = await trx('document_fingerprints').whereIn('document_id', idsOf(documents));
  return documents.map(({ tenant_id: _, api_key_id: _key, ...document }) => ({
    ...document,
    fingerprints: fingerprints
      .filter(({ document_id }) => document_id === document.id)
      .map(({ kind, value }) => ({ kind, value })),
  }));
}

export type ExportedDocument = Omit<DocumentRow, 'tenant_id' | 'api_key_id'> & {
  fingerprints: { kind: string; value: string }[];
};

/** The ids under which the audit log may know a person. */
type PersonKeys = Awaited<ReturnType<typeof accountData>> & Awaited<ReturnType<typeof participationData>>;

/** The actor is left out: an operator is a person too. */
export async function auditData(trx: Transaction, keys: PersonKeys) {
  const { account, participations, kyc_verifications, eid_flows, analyses, events, documents } = keys;
  const rows = [...kyc_verifications, ...eid_flows, ...analyses, ...events, ...documents];
  const ofParticipants = participations.flatMap(({ participant_id, invitations, onboarding_links, payments }) => [
    participant_id,
    ...[...invitations, ...onboarding_links, ...payments].map(({ id }) => id),
  ]);
  const ids = [account?.id ?? '', ...rows.map(({ id }) => id), ...ofParticipants];
  return trx('audit_entries')
    .whereIn('resource_id', ids)
    .orderBy('sequence')
    .select('at', 'actor_kind', 'action', 'resource_id');
}
