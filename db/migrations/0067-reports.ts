import type { Knex } from 'knex';

/** A copy of the report about an application, made in the background for one viewer. Without references: the previous version does not know it. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('reports', (table) => {
    table.text('id').primary();
    table.text('application_id').notNullable();
    table.text('api_key_id').notNullable();
    table.text('made_from');
    table.text('language').notNullable();
    table.text('sealed_viewer').notNullable();
    table.text('token_hash').unique();
    table.text('token_expires_at');
    table.text('revoked_at');
    table.text('status').notNullable();
    table.integer('done').notNullable().defaultTo(0);
    table.integer('total').notNullable().defaultTo(0);
    table.integer('pages');
    table.text('sha256').index();
    table.text('certificate_sha256');
    table.text('sealed_content');
    table.text('sealed_file');
    table.text('due_at').index();
    table.text('leased_by');
    table.text('correlation_id');
    table.integer('failures').notNullable().defaultTo(0);
    table.integer('expiries').notNullable().defaultTo(0);
    table.text('failure');
    table.text('created_at').notNullable();
    table.text('finished_at').index();
    table.index(['application_id', 'created_at', 'id']);
    table.index(['created_at', 'id']);
  });
}
