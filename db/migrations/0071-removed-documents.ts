import type { Knex } from 'knex';

/** A document that its person removed belongs to no API key until they bring it back, or it is deleted a day later. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table documents add column removed_at text');
  await db.raw('alter table documents add column removed_for text');
}
