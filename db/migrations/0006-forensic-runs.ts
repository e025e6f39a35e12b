import type { Knex } from 'knex';

/** Forensic analyses. The partial unique index enforces "one open run per tenant". */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('forensic_runs', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('status').notNullable();
    table.text('result');
    table.text('due_at');
    table.integer('failures').notNullable().defaultTo(0);
    table.text('failure');
    table.text('created_at').notNullable();
    table.text('finished_at');
    table.index(['tenant_id', 'status']);
    table.index('due_at');
  });
  await db.raw(
    "create unique index forensic_runs_one_open on forensic_runs (tenant_id) where status in ('pending', 'processing')",
  );
}
