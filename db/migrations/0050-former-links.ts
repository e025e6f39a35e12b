import type { Knex } from 'knex';

/** Links of earlier mails to a participant, which stay valid when another mail brings another link. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('former_links', (table) => {
    table.text('token_hash').primary();
    table.text('participant_id').notNullable().references('participants.id');
    table.text('expires_at').notNullable();
    table.index('participant_id');
  });
}
