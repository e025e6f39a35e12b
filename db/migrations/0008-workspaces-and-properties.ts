import type { Knex } from 'knex';

/** A landlord's workspaces and properties. The integer ids are internal; the wire carries public identifiers only. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('workspaces', (table) => {
    table.increments('id');
    table.text('workspace_id').notNullable().unique();
    table.text('landlord_id').notNullable().references('landlords.id');
    table.text('workspace_name').notNullable();
    table.text('created_at').notNullable();
    table.index('landlord_id');
  });
  await db.schema.createTable('properties', (table) => {
    table.increments('id');
    table.text('property_id').notNullable().unique();
    table.integer('workspace_internal_id').notNullable().references('workspaces.id');
    table.text('property_reference');
    table.double('rent_amount');
    table.text('street');
    table.integer('street_number');
    table.text('entrance_stairwell');
    table.integer('floor');
    table.text('letter');
    table.text('postal_code');
    table.text('municipality');
    table.text('province');
    table.integer('bedrooms');
    table.integer('bathrooms');
    table.index('workspace_internal_id');
  });
}
