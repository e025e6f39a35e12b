import type { Knex } from 'knex';

/** Which members were mailed about the failing endpoint of a webhook, and when it was over for them. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('webhook_alerts', (table) => {
    table.text('webhook_id').notNullable().references('webhooks.id').onDelete('cascade');
    table.text('member_id').notNullable().references('members.id').onDelete('cascade');
    table.text('told_at').notNullable();
    // When the webhook was resumed after the mail: what it sent before says nothing about its recovery.
    table.text('resumed_at');
    table.text('over_at');
    table.primary(['webhook_id', 'member_id', 'told_at']);
    table.index(['member_id', 'told_at']);
  });
  await db.raw('create index webhook_alerts_open on webhook_alerts (member_id, webhook_id) where over_at is null');
  await db.raw('create index webhook_alerts_over on webhook_alerts (over_at) where over_at is not null');
}
