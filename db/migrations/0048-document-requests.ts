import type { Knex } from 'knex';

/** A document that the landlord wants from a participant, again or in addition, and why. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('document_requests', (table) => {
    table.text('id').primary();
    table.text('participant_id').notNullable().references('participants.id');
    table.text('type').notNullable();
    table.text('reason').notNullable();
    table.text('created_at').notNullable();
    table.index('participant_id');
  });
}
