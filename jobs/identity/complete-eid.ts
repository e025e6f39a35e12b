import { getTenant, lockTenant } from '../../db/applications/tenants.ts';
import type { EidFlowRow } from '../../db/identity/eid-flows.ts';
import { UnacceptableDocument } from '../../providers/documents/port.ts';
import type { EidOutcome, IdentityFlow } from '../../providers/identity/port.ts';
import { addDocuments, storingDocuments } from '../documents/add-document.ts';
import type { Runtime } from '../runtime.ts';
import { emitEvent } from '../webhooks/emit-event.ts';
import { endFlow, endOf, identityFlow, isExpired, planLook } from './identity-flows.ts';

/** Looks at a national eID flow. After a success the documents are downloaded first, and only then is it told. */
export async function completeEid(runtime: Runtime, id: string): Promise<void> {
  const { db, providers } = runtime;
  const row = await db('eid_flows').where({ id }).whereIn('status', ['pending', 'downloading']).first();
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

/** Documents that we cannot take would be the same at every try. */
async function downloadOrFail(runtime: Runtime, row: EidFlowRow, flow: IdentityFlow): Promise<void> {
  const { db, now } = runtime;
  try {
    await download(runtime, row, flow);
  } catch (error) {
    if (!(error instanceof UnacceptableDocument)) throw error;
    await endFlow(db, 'eid', row, { status: 'failed', failure: error.message }, now());
  }
}

async function download(runtime: Runtime, row: EidFlowRow, flow: IdentityFlow): Promise<void> {
  const { queue, providers, now } = runtime;
  await storingDocuments(runtime, await providers.eid.documents(flow), async (trx, documents) => {
    const moment = now();
    // Before the flow's own row, as whoever erases the tenant does.
    await lockTenant(trx, row.tenant_id);
    if (!(await endFlow(trx, 'eid', row, { status: 'succeeded' }, moment))) return;
    await addDocuments(trx, queue, row.tenant_id, documents, 'eid', moment);
    await emitEvent(trx, queue, row.tenant_id, { event: 'EID_SUCCESS', data: null }, moment);
  });
}

async function recordUnfinished(
  runtime: Runtime,
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
