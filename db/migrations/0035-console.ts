import type { Knex } from 'knex';

/** Who may use the operators' console. Links and sessions are found by the digest of what only their holder knows. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('console_accounts', (table) => {
    table.text('id').primary();
    table.text('name').notNullable().unique();
    table.text('mail_address');
    table.text('role').notNullable();
    table.text('created_at').notNullable();
    table.text('disabled_at');
    table.text('last_signed_in_at');
  });
  await db.schema.createTable('console_links', (table) => {
    table.text('token_hash').primary();
    // One at a time: a new link ends the one before.
    table.text('account_id').notNullable().unique().references('console_accounts.id').onDelete('cascade');
    table.text('created_at').notNullable();
    table.text('expires_at').notNullable();
  });
  await db.schema.createTable('console_sessions', (table) => {
    table.text('token_hash').primary();
    table.text('account_id').notNullable().index().references('console_accounts.id').onDelete('cascade');
    table.text('created_at').notNullable();
    table.text('used_at').notNullable();
    table.text('expires_at').notNullable().index();
  });
}
