import type { Knex } from 'knex';

/** Single-use links that sign members in, found by the digest of what only the mail holds. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('member_links', (table) => {
    table.text('token_hash').primary();
    table.text('member_id').notNullable().index().references('members.id').onDelete('cascade');
    // The page of the desk that opens once the member has signed in; null for its first page.
    table.text('opens');
    table.text('created_at').notNullable();
    table.text('expires_at').notNullable();
  });
}
