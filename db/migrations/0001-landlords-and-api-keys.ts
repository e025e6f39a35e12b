import type { Knex } from 'knex';

/** Callers: a landlord owns workspaces and holds API keys. Only a digest of a client secret is stored. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('landlords', (table) => {
    table.text('id').primary();
    table.text('name').notNullable();
    table.text('created_at').notNullable();
  });
  await db.schema.createTable('api_keys', (table) => {
    table.text('id').primary();
    table.text('client_id').notNullable().unique();
    table.text('client_secret_hash').notNullable();
    table.text('landlord_id').notNullable().references('landlords.id');
    table.text('name').notNullable();
    table.text('created_at').notNullable();
    table.text('revoked_at');
    table.index('landlord_id');
  });
}
