import type { Knex } from 'knex';

/** What each API key has used of its daily limits, by day in UTC. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('daily_uses', (table) => {
    table.text('day').notNullable();
    table.text('kind').notNullable();
    table.text('api_key_id').notNullable().references('api_keys.id');
    table.integer('used').notNullable();
    table.text('reached_at');
    table.primary(['day', 'kind', 'api_key_id']);
  });
  await db.raw('create index daily_uses_reached on daily_uses (day, reached_at) where reached_at is not null');
}
