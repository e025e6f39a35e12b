import type { Knex } from 'knex';

/** People's accounts, one per e-mail address, and the documents they uploaded. The bytes are in the document store. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('tenants', (table) => {
    table.text('id').primary();
    table.text('email').notNullable();
    table.text('comparable_email').notNullable().unique();
    table.text('name').notNullable();
    table.text('profile_completed_at');
    table.text('profile_outdated_at');
    table.text('created_at').notNullable();
  });
  await db.schema.createTable('documents', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('name').notNullable();
    table.text('media_type').notNullable();
    table.integer('size_bytes').notNullable();
    table.text('sha256').notNullable();
    table.text('source').notNullable();
    table.text('created_at').notNullable();
    table.index(['tenant_id', 'created_at']);
  });
}
