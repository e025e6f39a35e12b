import type { Knex } from 'knex';

/** Mails of the last day, by API key and address, to limit how many one key sends to one address. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('sent_mails', (table) => {
    table.text('id').primary();
    table.text('api_key_id').notNullable().references('api_keys.id');
    table.text('comparable_email').notNullable();
    table.text('sent_at').notNullable();
    table.index(['api_key_id', 'comparable_email', 'sent_at']);
    table.index('comparable_email');
    table.index('sent_at');
  });
}
