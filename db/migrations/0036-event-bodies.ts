import type { Knex } from 'knex';

/**
 * Bodies of events apart from their records, which are kept for longer: see docs/decisions/0051. No reference to the event: both are
 * written in one transaction, and Postgres drops each by the partition.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('event_bodies', (table) => {
    table.text('id').primary();
    table.text('body').notNullable();
  });
  if (db.client.config.client === 'pg')
    await db.raw(`alter table event_bodies set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02,
      autovacuum_analyze_scale_factor = 0.005, autovacuum_vacuum_cost_limit = 1000)`);
}
