import type { Knex } from 'knex';

/** Passkeys of operators, as `member_passkeys` are those of members. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('account_passkeys', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().index().references('console_accounts.id').onDelete('cascade');
    table.text('name').notNullable();
    table.text('credential_id').notNullable().unique();
    table.text('public_key').notNullable();
    table.bigInteger('counter').notNullable();
    table.text('challenge_at').notNullable();
    table.text('created_at').notNullable();
    table.text('used_at');
  });
}
