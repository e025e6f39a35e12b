import type { Knex } from 'knex';

/** The same for flows with a national eID. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table eid_flows add column application_id text');
}
