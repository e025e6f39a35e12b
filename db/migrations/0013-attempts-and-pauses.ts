import type { Knex } from 'knex';

/**
 * Each delivery attempt and its response; webhooks paused by an operator or because their endpoint is gone; replaced secrets
 * that keep signing during their overlap; and event bodies that may be purged.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('delivery_attempts', (table) => {
    table.text('delivery_id').notNullable().references('deliveries.id');
    table.integer('number').notNullable();
    table.text('started_at').notNullable();
    table.integer('duration_ms').notNullable();
    table.integer('status_code');
    table.text('error');
    table.text('response_excerpt');
    table.primary(['delivery_id', 'number']);
  });
  await db.schema.createTable('former_webhook_secrets', (table) => {
    table.text('id').primary();
    table.text('webhook_id').notNullable().references('webhooks.id');
    table.text('sealed_secret').notNullable();
    table.text('expires_at').notNullable();
    table.index('webhook_id');
  });
  await db.schema.alterTable('webhooks', (table) => {
    table.text('failing_since');
    table.text('paused_at');
    table.text('pause_reason');
  });
  await db.schema.alterTable('deliveries', (table) => {
    table.integer('schedule_from').notNullable().defaultTo(0);
  });
  // Operators look for the failed ones among many delivered. The second index costs nothing until a delivery fails.
  await db.raw("create index deliveries_pending on deliveries (webhook_id, due_at) where status = 'pending'");
  await db.raw("create index deliveries_failed on deliveries (webhook_id, created_at) where status = 'failed'");
  // SQLite can drop a column, but not its `not null`.
  await db.raw('alter table events add column body_or_null text');
  await db.raw('update events set body_or_null = body');
  await db.raw('alter table events drop column body');
  await db.raw('alter table events rename column body_or_null to body');
  await db.schema.alterTable('events', (table) => {
    table.index('created_at');
  });
  // Finds the rows to purge among those kept for longer.
  await db.raw('create index events_with_body on events (created_at) where body is not null');
  await db.raw(
    'create index attempts_with_answer on delivery_attempts (started_at) where response_excerpt is not null',
  );
}
