import type { Knex } from 'knex';

/** Before an identity check starts, its person reads who asks, what is checked and how to object. Kept: when they agreed, and to which text. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table kyc_verifications add column agreed_at text');
  await db.raw('alter table kyc_verifications add column agreed_to text');
}
