import type { Knex } from 'knex';

/** Rows of work name their lease and the request that caused them: the queue may lose everything it holds. */
export async function up(db: Knex): Promise<void> {
  for (const name of ['invites', 'kyc_verifications', 'eid_flows', 'forensic_runs', 'deliveries'])
    await db.schema.alterTable(name, (table) => {
      table.text('leased_by');
      table.text('correlation_id');
    });
  await db.schema.createTable('leaders', (table) => {
    table.text('duty').primary();
    table.text('leased_by').notNullable();
    table.text('leased_until').notNullable();
  });
  // On Postgres the queue is pg-boss, which makes its own tables.
  if (db.client.config.client === 'pg') return;
  await db.raw('drop table if exists jobs');
  await db.raw(
    `create table due_work (
       place integer primary key autoincrement, name text not null, id text not null, bulk integer not null, unique (name, id))`,
  );
  await db.raw('create index due_work_in_turn on due_work (name, bulk, place)');
}
