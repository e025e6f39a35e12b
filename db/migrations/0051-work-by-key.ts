import type { Knex } from 'knex';

/** All due work names the API key that it is done for, so that keys take turns. Empty in rows of the previous version. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('invites', (table) => {
    table.text('api_key_id');
    // How many leases expired: work that kills its worker is set aside. A constant default does not rewrite the table.
    table.integer('expiries').notNullable().defaultTo(0);
  });
}
