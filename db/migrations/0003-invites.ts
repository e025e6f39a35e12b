import type { Knex } from 'knex';

/** One invitation per participant: the unique column prevents a second one after a race or a crash. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('invites', (table) => {
    table.text('id').primary();
    table.text('participant_id').notNullable().unique().references('participants.id');
    table.text('status').notNullable();
    table.text('due_at');
    table.integer('failures').notNullable().defaultTo(0);
    table.text('failure');
    table.text('created_at').notNullable();
    table.text('finished_at');
    table.index('due_at');
  });
}
