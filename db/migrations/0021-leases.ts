import type { Knex } from 'knex';

/** Rows of work name their lease and the request that caused them: the queue may lose everything it holds. */
export async function up(db: Knex): Promise<void> {
  for (const name of ['invites', 'kyc_verifications', 'eid_flows', 'forensic_runs', 'deliveries'])
    await db.schema.alterTable(name, (table) => {
      table.text('leased_by');
      table.text('correlation_id');
    });
  await db.schema.createTable('leaders', (table) => {
    table.text('duty').primary();
    table.text('leased_by').notNullable();
    table.text('leased_until').notNullable();
  });
}
