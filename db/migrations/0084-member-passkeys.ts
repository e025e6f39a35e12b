import type { Knex } from 'knex';

/** Passkeys of members, found by the id that the authenticator gave them. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('member_passkeys', (table) => {
    table.text('id').primary();
    table.text('member_id').notNullable().index().references('members.id').onDelete('cascade');
    table.text('name').notNullable();
    table.text('credential_id').notNullable().unique();
    table.text('public_key').notNullable();
    // Up to 2^32 - 1, which an integer of Postgres cannot hold.
    table.bigInteger('counter').notNullable();
    // When the last challenge that it signed was issued: only later ones sign in.
    table.text('challenge_at').notNullable();
    table.text('created_at').notNullable();
    table.text('used_at');
  });
}
