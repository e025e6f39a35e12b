import type { Knex } from 'knex';

/** That somebody looked at a person's results, for the person to see: by role, without a name. Goes with the account. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('looks', (table) => {
    table.text('id').primary();
    table.text('tenant_id').notNullable().references('tenants.id').onDelete('cascade');
    table.text('api_key_id').notNullable();
    table.text('looker').notNullable();
    table.text('what').notNullable();
    table.text('at').notNullable();
    table.index(['tenant_id', 'at', 'id']);
    table.index(['at', 'id']);
  });
}
