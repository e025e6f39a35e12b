import type { Knex } from 'knex';

/**
 * A run over the same documents by the same rules refers to the run whose result it reuses. `basis` is a digest of what a result rests
 * on. The index holds only runs that analysed something themselves, so repeated calls do not make the look-up longer.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table forensic_runs add column basis text');
  await db.raw('alter table forensic_runs add column result_of text');
  await db.raw(
    'create index forensic_runs_by_basis on forensic_runs (tenant_id, api_key_id, basis) where basis is not null',
  );
}
