import type { Transaction } from '../db/connect.ts';
import type { EidFlowRow } from '../db/rows.ts';
import { getTenant } from '../db/tenants.ts';
import type { EidOutcome } from '../providers/providers.ts';
import { addDocuments, type StoredDocument, storeDocument } from './add-document.ts';
import { emitEvent } from './emit-event.ts';
import { identityFlow, recordUnfinished } from './identity-flows.ts';
import type { Runtime } from './runtime.ts';

/** Asks how a national eID flow ended. On success the documents are downloaded first, and only then is it told. */
export async function completeEid(runtime: Runtime, id: string): Promise<void> {
  const { db, providers } = runtime;
  const row = await db('eid_flows').where({ id, status: 'pending' }).first();
  if (!row) return;
  const flow = identityFlow(row, await getTenant(db, row.tenant_id));
  const outcome = await providers.eid.outcome(flow);
  const stored: StoredDocument[] = [];
  if (outcome.state === 'succeeded')
    for (const document of await providers.eid.documents(flow))
      stored.push(await storeDocument(providers.documents, document));
  await db.transaction((trx) => record(trx, runtime, row, outcome, stored));
}

async function record(
  trx: Transaction,
  runtime: Runtime,
  { id, tenant_id }: EidFlowRow,
  outcome: EidOutcome,
  documents: readonly StoredDocument[],
): Promise<void> {
  if (outcome.state === 'pending' || outcome.state === 'failed')
    return recordUnfinished(trx, runtime, 'complete-eid', id, outcome, runtime.providers.eid.pollMs);
  const { queue, now } = runtime;
  const moment = now();
  const end = { due_at: null, finished_at: moment.toISOString() };
  const succeeded = await trx('eid_flows')
    .where({ id, status: 'pending' })
    .update({ ...end, status: 'succeeded' });
  if (succeeded === 0) return;
  await addDocuments(trx, queue, tenant_id, documents, 'eid', moment);
  await emitEvent(trx, queue, tenant_id, { event: 'EID_SUCCESS', data: null }, moment);
}
