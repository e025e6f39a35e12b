import { getTenant, lockTenant } from '../../db/applications/tenants.ts';
import { type EidFlowRow, findEidFlow } from '../../db/identity/eid-flows.ts';
import { endFlow } from '../../db/identity/flows.ts';
import { UnacceptableDocument } from '../../providers/documents/port.ts';
import type { IdentityFlow } from '../../providers/identity/port.ts';
import { addDocuments, type Storing, storingDocuments } from '../documents/add-document.ts';
import type { Runtime } from '../runtime.ts';
import { emitEvent } from '../webhooks/emit-event.ts';
import { endOf, identityFlow, recordUnfinished } from './identity-flows.ts';

type CompletingEid = Storing & Pick<Runtime, 'queue' | 'keys' | 'now'>;

/** Asks the provider how a national eID flow stands. After a success the documents are downloaded before the event is emitted. */
export async function completeEid(runtime: CompletingEid, id: string): Promise<void> {
  const { db, providers } = runtime;
  const row = await findEidFlow(db, id);
  if (!row || row.finished_at !== null) return;
  const end = endOf(row, providers.eid, runtime.now());
  if (end?.status === 'failed') return void (await endFlow(db, 'eid', row, end, runtime.now()));
  const flow = identityFlow(row, await getTenant(db, row.tenant_id), runtime);
  const outcome = row.status === 'downloading' ? { state: 'succeeded' as const } : await providers.eid.outcome(flow);
  if (outcome.state === 'succeeded') await downloadOrFail(runtime, row, flow);
  else
    await db.transaction((trx) =>
      recordUnfinished(trx, 'eid', runtime, row, outcome, providers.eid.pollMs(flow), runtime.now()),
    );
}

/** Fails the flow when its documents are unacceptable, because a retry would download the same. */
async function downloadOrFail(runtime: CompletingEid, row: EidFlowRow, flow: IdentityFlow): Promise<void> {
  const { db, now } = runtime;
  try {
    await download(runtime, row, flow);
  } catch (error) {
    if (!(error instanceof UnacceptableDocument)) throw error;
    await endFlow(db, 'eid', row, { status: 'failed', failure: error.message }, now());
  }
}

async function download(runtime: CompletingEid, row: EidFlowRow, flow: IdentityFlow): Promise<void> {
  const { queue, providers, now } = runtime;
  await storingDocuments(runtime, await providers.eid.documents(flow), async (trx, documents) => {
    const moment = now();
    // Lock order: the tenant before its flow, as an erasure does.
    await lockTenant(trx, row.tenant_id);
    if (!(await endFlow(trx, 'eid', row, { status: 'succeeded' }, moment))) return;
    await addDocuments(trx, queue, row.tenant_id, documents, 'eid', moment);
    await emitEvent(trx, queue, row.tenant_id, { event: 'EID_SUCCESS', data: null }, moment);
  });
}
