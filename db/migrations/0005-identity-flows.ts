import type { Knex } from 'knex';

/** Identity verifications. A tenant has at most one open KYC verification; each eID flow has its own redirect. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('kyc_verifications', (table) => {
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
    "create unique index kyc_verifications_one_pending on kyc_verifications (tenant_id) where status = 'pending'",
  );
  await db.schema.createTable('eid_flows', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id');
    table.text('status').notNullable();
    table.text('redirect_url').notNullable();
    table.text('due_at');
    table.integer('failures').notNullable().defaultTo(0);
    table.text('failure');
    table.text('created_at').notNullable();
    table.text('finished_at');
    table.index(['tenant_id', 'status']);
    table.index('due_at');
  });
}
