import type { Knex } from 'knex';

/** What people ask behind their link: to be erased. A request outlives the participant whom it is about. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('erasure_requests', (table) => {
    table.text('participant_id').primary();
    table.text('api_key_id').notNullable().references('api_keys.id');
    table.text('requested_at').notNullable();
    table.text('due_at').notNullable();
    table.text('closed_at');
    table.text('outcome');
    table.text('reason');
    table.index(['closed_at', 'due_at']);
  });
}
