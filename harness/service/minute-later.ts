import type { Database } from '../../db/connection/database.ts';

const MINUTE_MS = 60_000;

/** Makes a minute pass for the results of a tenant, so that the service may send them again. */
export async function aMinuteLater(db: Database, tenant_id: string): Promise<void> {
  const since = new Date(Date.now() - MINUTE_MS).toISOString();
  for (const { id, finished_at } of await db('forensic_runs').where({ tenant_id }).where('finished_at', '>', since))
    await db('forensic_runs')
      .where({ id })
      .update({ finished_at: new Date(Date.parse(finished_at ?? since) - MINUTE_MS).toISOString() });
}
