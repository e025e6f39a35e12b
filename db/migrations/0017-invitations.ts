import type { Knex } from 'knex';

/**
 * The link of an invitation, found by the digest of its token, which stays sealed until the mail is sent. Operators create
 * links to complete a profile; an application's property is linked at the same time.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('invites', (table) => {
    table.text('token_hash').unique();
    table.text('sealed_token');
    table.text('expires_at');
    table.text('answered_at');
  });
  await db.schema.createTable('onboarding_links', (table) => {
    table.text('id').primary();
    table.text('participant_id').notNullable().references('participants.id');
    table.text('token_hash').notNullable().unique();
    table.text('expires_at').notNullable();
    table.text('used_at');
    table.text('created_at').notNullable();
    table.index('participant_id');
  });
  // One statement: to add a reference, Knex would rebuild the table on SQLite.
  await db.raw('alter table applications add column property_internal_id integer references properties (id)');
}
