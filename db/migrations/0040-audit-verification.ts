import type { Knex } from 'knex';

/** The last verification of the audit log, which every process shows: one row. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('audit_verifications', (table) => {
    table.text('log').primary();
    table.text('id').notNullable();
    table.text('started_by').notNullable();
    table.text('started_at').notNullable();
    // Renewed by the process that verifies. Without it, another may begin.
    table.text('seen_at').notNullable();
    table.bigInteger('done').notNullable();
    table.bigInteger('total').notNullable();
    table.text('ended_at');
    table.text('verdict');
  });
}
