import type { Knex } from 'knex';

const TABLES = ['kyc_verifications', 'eid_flows', 'forensic_runs', 'documents', 'events'];
const REASON = 'It began before such data belonged to one API key, and its key could not be told.';

/** Tenants whom the applications of exactly one API key ever had. */
const OWNERS = `select tenants.id as tenant_id, min(applications.api_key_id) as api_key_id from tenants
  join participants on participants.comparable_email = tenants.comparable_email
  join applications on applications.id = participants.application_id
  group by tenants.id having count(distinct applications.api_key_id) = 1`;

/**
 * What happens to a tenant belongs to the API key that asked. Existing rows get the key when the applications of exactly one ever had
 * the tenant; former participations count, because the data may be from their time. No key sees the other rows: what runs of them
 * ends, and the audit log names their tenants.
 */
export async function up(db: Knex): Promise<void> {
  const now = new Date().toISOString();
  for (const table of TABLES) {
    // One statement: to add a reference, Knex would rebuild the table on SQLite.
    await db.raw(`alter table ${table} add column api_key_id text references api_keys (id)`);
    await db.raw(
      `update ${table} set api_key_id = owners.api_key_id from (${OWNERS}) as owners where owners.tenant_id = ${table}.tenant_id`,
    );
  }
  await endUnowned(db, now);
  const unowned = TABLES.map((table) => `select tenant_id from ${table} where api_key_id is null`).join(' union ');
  await db.raw(
    `insert into audit_entries (at, actor_kind, actor, action, resource_id)
       select cast(? as text), 'service', 'service', 'tenant.unassign', tenant_id from (${unowned}) as unowned order by tenant_id`,
    [now],
  );
  for (const [table, name, open] of [
    ['kyc_verifications', 'kyc_verifications_one_pending', "status = 'pending'"],
    ['forensic_runs', 'forensic_runs_one_open', "status in ('pending', 'processing')"],
  ]) {
    await db.raw(`drop index ${name}`);
    await db.raw(`create unique index ${name} on ${table} (tenant_id, api_key_id) where ${open}`);
  }
}

async function endUnowned(db: Knex, now: string): Promise<void> {
  const over = { failure: REASON, due_at: null, leased_by: null, finished_at: now };
  const open = (table: string) => db(table).whereNull('api_key_id').whereNull('finished_at');
  for (const table of ['kyc_verifications', 'eid_flows'])
    await open(table).update({ ...over, status: 'expired', sealed_memory: null });
  await open('forensic_runs').update({ ...over, status: 'failed' });
  // Deliveries that wait would tell a key of what is not its own.
  await db('deliveries')
    .where({ status: 'pending' })
    .whereNotExists(
      db('events')
        .join('webhooks', 'webhooks.api_key_id', 'events.api_key_id')
        .where('events.id', db.ref('deliveries.event_id'))
        .where('webhooks.id', db.ref('deliveries.webhook_id'))
        .select(db.raw('1')),
    )
    .update({ status: 'failed', last_error: REASON, due_at: null, leased_by: null, finished_at: now });
}
