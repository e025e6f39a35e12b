import type { Knex } from 'knex';

/** What the conditions of the service are judged by: its processes, the outcomes of the last hour, and work that kills its worker. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('processes', (table) => {
    table.text('id').primary();
    // The machine and what the process does there: its successor has the same.
    table.text('place').notNullable();
    table.text('address');
    table.text('started_at').notNullable();
    table.text('beat_at').notNullable().index();
    table.text('ended_at');
    table.integer('loop_delay_ms').notNullable();
    table.integer('pool_waiting').notNullable();
    table.integer('descriptors').notNullable();
    table.integer('max_descriptors').notNullable();
  });
  await db.schema.createTable('recent_outcomes', (table) => {
    table.text('minute').notNullable();
    table.text('kind').notNullable();
    table.integer('succeeded').notNullable();
    table.integer('failed').notNullable();
    table.primary(['minute', 'kind']);
  });
  await db.schema.createTable('condition_states', (table) => {
    table.text('condition').primary();
    table.text('state').notNullable();
    table.text('since').notNullable();
    // The state that the operator was mailed last.
    table.text('told').notNullable();
  });
  await db.schema.createTable('set_aside_work', (table) => {
    table.text('id').primary();
    table.text('kind').notNullable();
    table.text('set_aside_at').notNullable();
    table.index(['set_aside_at', 'id']);
  });
}
