import type { Knex } from 'knex';

/** The paused webhooks with deliveries still to hold, and the resumed ones with deliveries still to release. Both take many transactions. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('webhook_sweeps', (table) => {
    // Without a reference: the previous version deletes webhooks and does not know this table.
    table.text('webhook_id').primary();
    table.text('swept_at').notNullable();
  });
}
