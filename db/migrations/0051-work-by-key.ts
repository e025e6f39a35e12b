import type { Knex } from 'knex';

/** All due work names the API key that it is done for, so that keys take turns. Empty in rows of the previous version. */
export async function up(db: Knex): Promise<void> {
  for (const name of ['invites', 'deliveries'])
    await db.schema.alterTable(name, (table) => {
      table.text('api_key_id');
    });
}
