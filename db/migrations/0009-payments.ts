import type { Knex } from 'knex';

/** Payments due from a participant. Removing the participant marks the pending ones as affected. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('payments', (table) => {
    table.text('id').primary();
    table.text('participant_id').notNullable().references('participants.id');
    table.double('amount').notNullable();
    table.smallint('is_protected').notNullable();
    table.text('status').notNullable();
    table.text('created_at').notNullable();
    table.index('participant_id');
  });
}
