import type { Knex } from 'knex';

/** The sealed head of the audit log: a chain that was cut or hashed again does not contain it. One row. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('audit_seals', (table) => {
    table.text('log').primary();
    table.text('sealed_head').notNullable();
    table.text('sealed_at').notNullable();
  });
}
