import type { Knex } from 'knex';

/** Webhooks, their events and deliveries. The body is text, because the signature covers its exact bytes. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('webhooks', (table) => {
    table.text('id').primary();
    table.text('api_key_id').notNullable().references('api_keys.id');
    table.text('url').notNullable();
    table.text('sealed_secret');
    table.text('status').notNullable();
    table.text('last_triggered_at');
    table.text('created_at').notNullable();
    table.index('api_key_id');
  });
  await db.schema.createTable('events', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('event').notNullable();
    table.text('body').notNullable();
    table.text('created_at').notNullable();
    table.index('tenant_id');
  });
  await db.schema.createTable('deliveries', (table) => {
    table.text('id').primary();
    table.text('event_id').notNullable().references('events.id');
    table.text('webhook_id').notNullable().references('webhooks.id');
    table.text('status').notNullable();
    table.integer('attempts').notNullable();
    table.integer('last_status_code');
    table.text('last_error');
    table.text('due_at');
    table.integer('failures').notNullable().defaultTo(0);
    table.text('failure');
    table.text('created_at').notNullable();
    table.text('finished_at');
    table.unique(['event_id', 'webhook_id']);
    table.index(['webhook_id', 'created_at']);
    table.index('created_at');
    table.index('due_at');
  });
}
