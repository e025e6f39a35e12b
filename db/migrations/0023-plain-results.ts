import type { Knex } from 'knex';

/**
 * Results and event bodies are sealed at rest. A migration has no key, so a worker seals what earlier versions stored in the clear;
 * these indexes hold exactly the rows that wait for it. JSON begins with a brace, sealed text never does.
 */
export async function up(db: Knex): Promise<void> {
  for (const [table, column] of [
    ['kyc_verifications', 'result'],
    ['forensic_runs', 'result'],
    ['events', 'body'],
  ])
    await db.raw(`create index ${table}_plain_${column} on ${table} (id) where substr(${column}, 1, 1) = '{'`);
}
