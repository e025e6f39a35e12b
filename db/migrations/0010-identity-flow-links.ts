import type { Knex } from 'knex';
import { isoAfter } from '../../core/time.ts';

const DAY_MS = 86_400_000;

/**
 * Flows end by themselves (`expires_at`) and keep what their provider wants remembered, sealed. Each time a person sets
 * out to a national eID is an attempt of its own: what comes back is accepted once, and from the same browser.
 */
export async function up(db: Knex): Promise<void> {
  for (const name of ['kyc_verifications', 'eid_flows']) {
    await db.schema.alterTable(name, (table) => {
      table.text('provider').notNullable().defaultTo('sandbox');
      table.text('sealed_memory');
      table.text('expires_at').notNullable().defaultTo('');
    });
    await db(name).update({ expires_at: db.ref('created_at') });
    // What is under way at the upgrade lives as long as it would today.
    for (const { id, created_at } of await db(name).where({ status: 'pending' }).select('id', 'created_at'))
      await db(name)
        .where({ id })
        .update({ expires_at: isoAfter(new Date(created_at), DAY_MS) });
  }
  await db.schema.createTable('eid_attempts', (table) => {
    table.text('state_hash').primary();
    table.text('flow_id').notNullable().references('eid_flows.id');
    table.text('browser_hash').notNullable();
    table.text('sealed_luggage').notNullable();
    table.text('created_at').notNullable();
    table.text('used_at');
    table.index('flow_id');
    table.index('created_at');
  });
}
