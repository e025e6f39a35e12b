import type { Knex } from 'knex';

/**
 * Applications and their participants. `active_email_key` is indexed but not unique: removals may make two applications of a
 * key hold the same people. A removed participant stays for the record, so uniqueness covers active ones only.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('applications', (table) => {
    table.text('id').primary();
    table.text('api_key_id').notNullable().references('api_keys.id');
    table.text('title').notNullable();
    table.text('active_email_key').notNullable();
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.index(['api_key_id', 'active_email_key']);
  });
  await db.schema.createTable('participants', (table) => {
    table.text('id').primary();
    table.text('application_id').notNullable().references('applications.id');
    table.integer('position').notNullable();
    table.text('email').notNullable();
    table.text('comparable_email').notNullable();
    table.text('name').notNullable();
    table.smallint('is_lead').notNullable();
    table.smallint('is_guarantor').notNullable();
    table.text('consent_status').notNullable();
    table.text('removed_at');
    table.index('comparable_email');
  });
  await db.raw(
    'create unique index participants_one_active_email on participants (application_id, comparable_email) where removed_at is null',
  );
  await db.raw(
    'create unique index participants_one_active_lead on participants (application_id) where is_lead = 1 and removed_at is null',
  );
}
