import type { Knex } from 'knex';

/** People upload documents themselves and say what each is: payslip, bank statement and so on. Other documents have no type. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table documents add column type text');
}
