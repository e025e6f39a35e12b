import { ID_PREFIX } from '../../core/ids.ts';
import { dialectOf } from '../../db/connection/database.ts';
import { QUEUE_TABLE } from '../../harness/database/queue.ts';
import { every, type Gathering, YEAR_DAYS } from './gathering.ts';

export const PAYLOAD_DAYS = 91;

/** As many rows as retention keeps, and a few older ones. */
function younger(amount: number, is: string): string {
  return `case when i <= ${Math.round((amount * PAYLOAD_DAYS) / YEAR_DAYS) + 20} then ${is} end`;
}

export async function addChecks(to: Gathering): Promise<void> {
  const flow = (amount: number) => ({ id: to.id('flow'), tenant_id: to.id('tenant'), expires_at: to.over(amount) });
  await to.add('kyc_verifications', 12_000, { ...flow(12_000), result: `'c2VhbGVk'`, ...to.done(12_000, 'verified') });
  await to.add('eid_flows', 8_000, {
    ...flow(8_000),
    redirect_url: `'https://letting.example/'`,
    ...to.done(8_000, 'succeeded'),
  });
  // The next flow deletes expired ones.
  await to.add('eid_attempts', 8_000, {
    state_hash: to.id('other'),
    flow_id: to.id('flow'),
    browser_hash: to.id('other'),
    sealed_luggage: `''`,
    created_at: to.minutesAgo('i * 0.2'),
  });
  await to.add('bank_connections', 8_000, {
    ...flow(8_000),
    participant_id: to.id('participant'),
    api_key_id: to.id('key', 'i % 2000 + 1'),
    provider: `'sandbox'`,
    bank: `'Bank'`,
    country: `'DE'`,
    agreed_at: to.over(8_000),
    agreed_to: `'text'`,
    document_id: to.id('document'),
    ...to.done(8_000, 'handed_in'),
  });
  await to.add('reports', 8_000, {
    id: to.id('other'),
    application_id: to.id('application', 'i % 4000 + 1'),
    api_key_id: to.id('key', 'i % 2000 + 1'),
    language: `'en'`,
    sealed_viewer: `'c2VhbGVk'`,
    token_hash: to.id('flow'),
    token_expires_at: to.over(8_000),
    sha256: to.id('document'),
    ...to.done(8_000, 'completed'),
  });
  await to.add('report_parts', 8_000, {
    id: to.id('other'),
    report_id: to.id('other', 'i % 4000 + 1'),
    sealed_part: `'c2VhbGVk'`,
  });
  await to.add('report_views', 8_000, {
    id: to.id('other'),
    report_id: to.id('other', 'i % 4000 + 1'),
    what: `'page'`,
    at: to.over(8_000),
  });
  await to.add('looks', 12_000, {
    id: to.id('other'),
    tenant_id: to.id('tenant'),
    api_key_id: to.id('key', 'i % 2000 + 1'),
    looker: `'agent'`,
    what: every(3, `'analysis'`, `'document'`),
    at: to.over(12_000),
  });
  await to.add('forensic_runs', 12_000, {
    id: to.id('flow'),
    tenant_id: to.id('tenant'),
    result: `'c2VhbGVk'`,
    ...to.done(12_000, 'completed'),
  });
  await to.add('daily_counts', 12_000, { period: to.over(12_000), name: `'delivery attempts'`, count: '1' });
  await to.add('finding_decisions', 12_000, {
    id: to.id('other'),
    run_id: to.id('flow'),
    rule: `'revised-text'`,
    finding: '1',
    decision: `'unclear'`,
    sealed_reason: `'c2VhbGVk'`,
    decided_by: `'ana'`,
    decided_at: to.over(12_000),
  });
}

export async function addDeliveries(to: Gathering): Promise<void> {
  const [EVENTS, DELIVERIES] = [12_000, 24_000];
  await to.add('webhooks', 2_000, {
    id: to.id('webhook'),
    api_key_id: to.id('key', 'i % 2000 + 1'),
    url: `'https://letting.example/hook'`,
    status: `'active'`,
    created_at: to.over(2_000),
  });
  await to.add('webhook_alerts', 2_000, {
    webhook_id: to.id('webhook'),
    member_id: to.id('participant'),
    told_at: to.minutesAgo('i * 0.5'),
    over_at: every(200, 'null', to.minutesAgo('i * 0.5')),
  });
  await to.add('former_webhook_secrets', 3_000, {
    id: to.id('other'),
    webhook_id: to.id('webhook', 'i % 2000 + 1'),
    sealed_secret: `''`,
    expires_at: to.soon,
  });
  await to.add('events', EVENTS, {
    id: to.id('event'),
    tenant_id: to.id('tenant'),
    event: `'EID_SUCCESS'`,
    body: younger(EVENTS, `'c2VhbGVk'`),
    created_at: to.over(EVENTS),
  });
  // For events of other times.
  await to.add('event_bodies', EVENTS, { id: `'${ID_PREFIX.event}f' || ${to.id('other')}`, body: `'c2VhbGVk'` });
  // Only the number of rows matters, so each event has deliveries to the caller's webhooks only.
  await to.add('deliveries', DELIVERIES, {
    id: to.id('delivery'),
    event_id: to.id('event', '(i - 1) / 2 + 1'),
    webhook_id: to.id('webhook', 'i % 2000 + 1'),
    attempts: '1',
    due_at: every(5, to.soon, 'null'),
    ...to.done(DELIVERIES, 'delivered'),
    status: every(5, `'pending'`, `'delivered'`),
  });
  await to.add('delivery_attempts', DELIVERIES, {
    delivery_id: to.id('delivery'),
    number: '1',
    started_at: to.over(DELIVERIES),
    duration_ms: '20',
    status_code: '200',
    response_excerpt: younger(DELIVERIES, `'ok'`),
  });
}

export function addAuditEntries(to: Gathering, callerKeyId: string): Promise<void> {
  const ENTRIES = 30_000;
  return to.add('audit_entries', ENTRIES, {
    at: to.over(ENTRIES, `${ENTRIES} - i`),
    actor_kind: `'api_key'`,
    actor: `'${callerKeyId}'`,
    action: `'application.create'`,
    resource_id: to.id('application'),
    position: 'i',
    hash: to.id('other'),
  });
}

/** A queue backlog, and on Postgres finished jobs that are kept for a while. */
export async function addJobs(to: Gathering): Promise<void> {
  const [WAITING, DONE] = [20_000, 1_000];
  if (dialectOf(to.db) === 'sqlite')
    return to.add(QUEUE_TABLE.sqlite, WAITING, { name: `'deliver-webhook'`, id: to.id('other'), bulk: '1' });
  const job = {
    name: `'due.deliver-webhook'`,
    data: `json_build_object('id', ${to.id('other')})`,
    priority: '-1',
    policy: `'short'`,
    singleton_key: to.id('other'),
    deletion_seconds: '60',
  };
  const minutesAgo = "now() - i % 50 * interval '1 minute'";
  await to.add(QUEUE_TABLE.postgres, WAITING, { ...job, state: `'created'` });
  await to.add(QUEUE_TABLE.postgres, DONE, {
    ...job,
    state: `'failed'`,
    completed_on: minutesAgo,
    created_on: minutesAgo,
  });
}
