import type { Knex } from 'knex';

/** A person's consent that the service reads accounts of their bank, once. Without references: the previous version does not know it. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('bank_connections', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable();
    table.text('api_key_id').notNullable();
    table.text('participant_id').notNullable().index();
    table.text('provider').notNullable();
    table.text('status').notNullable();
    table.text('ends_as');
    table.text('bank').notNullable();
    table.text('country').notNullable();
    table.text('state_hash').unique();
    table.text('browser_hash');
    table.text('sealed_memory');
    table.text('sealed_statement');
    table.text('document_id').index();
    table.text('agreed_at').notNullable();
    table.text('agreed_to').notNullable();
    table.text('expires_at').notNullable();
    table.text('due_at').index();
    table.text('leased_by');
    table.text('correlation_id');
    table.integer('failures').notNullable().defaultTo(0);
    table.integer('expiries').notNullable().defaultTo(0);
    table.text('failure');
    table.text('created_at').notNullable();
    table.text('finished_at').index();
    table.index(['tenant_id', 'created_at']);
    table.index(['status', 'created_at', 'id']);
  });
}
