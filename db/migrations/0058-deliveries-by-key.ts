import type { Knex } from 'knex';

/** As in `0051-work-by-key`; each migration alters one table. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('deliveries', (table) => {
    table.text('api_key_id');
    // How many leases expired: work that kills its worker is set aside. A constant default does not rewrite the table.
    table.integer('expiries').notNullable().defaultTo(0);
  });
}
