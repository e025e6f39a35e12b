import type { Transaction } from '../db/connect.ts';
import type { ForensicRunRow } from '../db/rows.ts';
import { findDocuments, getTenant, lockTenant } from '../db/tenants.ts';
import { emitEvent } from './emit-event.ts';
import type { Runtime } from './runtime.ts';
import { startForensic } from './start-forensic.ts';

/** Analyses a tenant's documents outside any transaction, then stores the result and tells it in one. */
export async function runForensic(runtime: Runtime, id: string): Promise<void> {
  const { db } = runtime;
  const [run] = await db('forensic_runs')
    .where({ id })
    .whereIn('status', ['pending', 'processing'])
    .update({ status: 'processing' })
    .returning('*');
  if (!run) return;
  const { result, analysed } = await analyse(runtime, run.tenant_id);
  await db.transaction((trx) => complete(trx, runtime, run, result, analysed));
}

async function analyse({ db, providers }: Runtime, tenantId: string) {
  const tenant = await getTenant(db, tenantId);
  const documents = await findDocuments(db, tenantId);
  const result = await providers.forensic.analyse(
    tenant,
    documents.map(({ id, name, media_type, sha256 }) => ({
      id,
      name,
      sha256,
      mediaType: media_type,
      read: () => providers.documents.get(sha256),
    })),
  );
  return { result, analysed: documents.length };
}

/** Documents that arrived during the analysis are not in its result: a run of their own follows. */
async function complete(
  trx: Transaction,
  { queue, now }: Runtime,
  run: ForensicRunRow,
  result: Record<string, unknown>,
  analysed: number,
): Promise<void> {
  await lockTenant(trx, run.tenant_id);
  const completed = await trx('forensic_runs')
    .where({ id: run.id, status: 'processing' })
    .update({ status: 'completed', result: JSON.stringify(result), due_at: null, finished_at: now().toISOString() });
  if (completed === 0) return;
  const data = { tenant_id: run.tenant_id, ...result };
  await emitEvent(trx, queue, run.tenant_id, { event: 'FORENSIC_ANALYSIS_DATA', data }, now());
  const documents = await findDocuments(trx, run.tenant_id);
  if (documents.length > analysed) await startForensic(trx, queue, run.tenant_id, now());
}
