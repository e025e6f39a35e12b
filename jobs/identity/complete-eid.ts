import { getTenant, lockTenant } from '../../db/applications/tenants.ts';
import { type EidFlowRow, findOpenEidFlow } from '../../db/identity/eid-flows.ts';
import { endFlow } from '../../db/identity/flows.ts';
import { UnacceptableDocument } from '../../providers/documents/port.ts';
import type { EidOutcome, IdentityFlow } from '../../providers/identity/port.ts';
import { addDocuments, type Storing, storingDocuments } from '../documents/add-document.ts';
import type { Runtime } from '../runtime.ts';
import { emitEvent } from '../webhooks/emit-event.ts';
import { endOf, identityFlow, isExpired, planLook } from './identity-flows.ts';

type CompletingEid = Storing & Pick<Runtime, 'queue' | 'keys' | 'now'>;

/** Asks the provider how a national eID flow stands. After a success the documents are downloaded before the event is emitted. */
export async function completeEid(runtime: CompletingEid, id: string): Promise<void> {
  const { db, providers } = runtime;
  const row = await findOpenEidFlow(db, id);
  if (!row) return;
  const end = endOf(row, providers.eid, runtime.now());
  if (end?.status === 'failed') {
    await endFlow(db, 'eid', row, end, runtime.now());
    return;
  }
  const flow = identityFlow(row, await getTenant(db, row.tenant_id), runtime);
  const outcome = row.status === 'downloading' ? { state: 'succeeded' as const } : await providers.eid.outcome(flow);
  if (outcome.state === 'succeeded') await downloadOrFail(runtime, row, flow);
  else await recordUnfinished(runtime, row, outcome, providers.eid.pollMs(flow));
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

async function recordUnfinished(
  runtime: CompletingEid,
  row: EidFlowRow,
  outcome: Exclude<EidOutcome, { state: 'succeeded' }>,
  pollMs: number,
): Promise<void> {
  const moment = runtime.now();
  await runtime.db.transaction(async (trx) => {
    if (outcome.state !== 'pending')
      await endFlow(trx, 'eid', row, { status: outcome.state, failure: outcome.reason }, moment);
    else if (isExpired(row, moment)) await endFlow(trx, 'eid', row, { status: 'expired' }, moment);
    else await planLook(trx, 'eid', runtime, row, pollMs, moment);
  });
}
