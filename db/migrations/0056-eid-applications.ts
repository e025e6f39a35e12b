import type { Knex } from 'knex';

/** The same for flows with a national eID. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table eid_flows add column application_id text');
  // How many leases expired: work that kills its worker is set aside. A constant default does not rewrite the table.
  await db.raw('alter table eid_flows add column expiries integer not null default 0');
}
