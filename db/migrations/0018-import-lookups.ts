import type { Knex } from 'knex';

/** An import looks up each property by its reference in the workspace, and each workspace by its name. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('properties', (table) => {
    table.index(['workspace_internal_id', 'property_reference']);
  });
  await db.schema.alterTable('workspaces', (table) => {
    table.index(['landlord_id', 'workspace_name']);
  });
}
