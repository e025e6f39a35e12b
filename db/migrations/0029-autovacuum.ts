import type { Knex } from 'knex';

/** Tables that grow with each event, application or call. The default waits until a fifth of a table has changed: a month at 10^7 rows. */
const GROWING = [
  ...['events', 'deliveries', 'delivery_attempts', 'audit_entries', 'applications', 'participants', 'tenants'],
  ...['invites', 'kyc_verifications', 'eid_flows', 'forensic_runs', 'documents', 'sent_mails'],
];
/** Few rows that change all the time: their dead versions would outnumber them. */
const BUSY = ['webhooks', 'api_keys', 'leaders', 'background_migrations'];

const AFTER_PERCENT = { vacuum_scale_factor: 0.01, vacuum_insert_scale_factor: 0.02, analyze_scale_factor: 0.005 };
const AFTER_ROWS = { vacuum_scale_factor: 0, vacuum_threshold: 500, analyze_scale_factor: 0, analyze_threshold: 500 };

/** When Postgres vacuums and analyses each table. The lock that this takes blocks neither reads nor writes. */
export async function up(db: Knex): Promise<void> {
  if (db.client.config.client !== 'pg') return;
  for (const [tables, settings] of [
    [GROWING, { ...AFTER_PERCENT, vacuum_cost_limit: 1_000 }],
    [BUSY, AFTER_ROWS],
  ] as const) {
    const each = Object.entries(settings).map(([name, value]) => `autovacuum_${name} = ${value}`);
    for (const table of tables) await db.raw(`alter table ${table} set (${each.join(', ')})`);
  }
}
