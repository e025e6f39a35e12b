import type { Knex } from 'knex';

/** What reviewers decided about findings. Its key and its person are those of the analysis, with which it goes. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('finding_decisions', (table) => {
    table.text('id').primary();
    table.text('run_id').notNullable().index().references('forensic_runs.id').onDelete('cascade');
    // Null for a finding across documents. No reference: the finding outlives its document.
    table.text('document_id');
    table.text('rule').notNullable();
    table.integer('finding').notNullable();
    table.text('decision').notNullable();
    table.text('sealed_reason').notNullable();
    table.text('decided_by').notNullable();
    table.text('decided_at').notNullable();
  });
}
