import type { Knex } from 'knex';

/** Last use and expiry of API keys, and rotation of their secrets: the former one stays valid during an overlap. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('api_keys', (table) => {
    table.text('last_used_at');
    table.text('expires_at');
  });
  await db.schema.createTable('former_client_secrets', (table) => {
    table.text('id').primary();
    table.text('api_key_id').notNullable().references('api_keys.id');
    table.text('client_secret_hash').notNullable();
    table.text('expires_at').notNullable();
    table.index('api_key_id');
  });
}
