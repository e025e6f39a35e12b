import type { Knex } from 'knex';

/** Who once applied with whom, after the participations are forgotten: they may have submitted the same papers. Goes with either account. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('former_co_applicants', (table) => {
    table.text('tenant_id').notNullable().references('tenants.id').onDelete('cascade');
    table.text('other_tenant_id').notNullable().references('tenants.id').onDelete('cascade').index();
    table.primary(['tenant_id', 'other_tenant_id']);
  });
}
