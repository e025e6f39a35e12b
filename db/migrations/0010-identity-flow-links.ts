import type { Knex } from 'knex';
import { isoAfter } from '../../core/time.ts';

const DAY_MS = 86_400_000;

/**
 * Flows expire (`expires_at`) and keep their provider's memory, sealed. Each departure to a national eID is a separate
 * attempt, whose answer is accepted once and only from the same browser.
 */
export async function up(db: Knex): Promise<void> {
  for (const name of ['kyc_verifications', 'eid_flows']) {
    await db.schema.alterTable(name, (table) => {
      table.text('provider').notNullable().defaultTo('sandbox');
      table.text('sealed_memory');
      table.text('expires_at').notNullable().defaultTo('');
    });
    await db(name).update({ expires_at: db.ref('created_at') });
    // Flows that are open at the upgrade get today's lifetime.
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
