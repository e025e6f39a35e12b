import type { Knex } from 'knex';

/** Whether a member wants mails about endpoints that fail. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('members', (table) => {
    table.integer('mails_webhooks').notNullable().defaultTo(1);
  });
}
