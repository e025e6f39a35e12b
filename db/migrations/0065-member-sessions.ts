import type { Knex } from 'knex';

/** Sessions at the desk, found by the digest of the browser's cookie. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('member_sessions', (table) => {
    table.text('token_hash').primary();
    // Names the session in the member's own list, where its digest must not appear.
    table.text('id').notNullable();
    table.text('member_id').notNullable().index().references('members.id').onDelete('cascade');
    table.text('browser').notNullable();
    table.text('created_at').notNullable();
    table.text('used_at').notNullable();
    table.text('expires_at').notNullable().index();
  });
}
