import { tenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { getTenant, lockTenant } from '../../db/applications/tenants.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { type EidFlowRow, findEidFlow } from '../../db/identity/eid-flows.ts';
import { endFlow } from '../../db/identity/flows.ts';
import { UnacceptableDocument } from '../../providers/documents/port.ts';
import type { IdentityFlow } from '../../providers/identity/port.ts';
import type { Ending } from '../../queue/lane-policy.ts';
import { addDocuments, type Storing, storingDocuments } from '../documents/add-document.ts';
import type { Runtime } from '../runtime.ts';
import { emitEvent } from '../webhooks/emit-event.ts';
import { endOf, identityFlow, nameFor, recordUnfinished } from './identity-flows.ts';

type CompletingEid = Storing & Pick<Runtime, 'queue' | 'keys' | 'now'>;

/** Asks the provider for the state of a national eID flow. After a success, downloads the documents before the event is emitted. */
export async function completeEid(runtime: CompletingEid, id: string): Promise<Ending> {
  const { db, providers } = runtime;
  const row = await findEidFlow(db, id);
  if (!row || row.finished_at !== null) return 'nothing';
  const end = endOf(row, providers.eid, runtime.now());
  if (end?.status === 'failed') {
    await endFlow(db, 'eid', row, end, runtime.now());
    return 'nothing';
  }
  const account = await getTenant(db, row.tenant_id);
  const flow = identityFlow(row, account, runtime, await nameFor(db, row, account));
  const outcome = row.status === 'downloading' ? { state: 'succeeded' as const } : await providers.eid.outcome(flow);
  if (outcome.state !== 'succeeded') {
    await inTransaction(db, (trx) =>
      recordUnfinished(trx, 'eid', row, outcome, providers.eid.pollMs(flow), runtime.now()),
    );
    return 'success';
  }
  try {
    await download(runtime, row, flow);
    return 'success';
  } catch (error) {
    // Not downloaded again: the documents would be the same.
    if (!(error instanceof UnacceptableDocument)) throw error;
    await endFlow(db, 'eid', row, { status: 'failed', failure: error.message }, runtime.now());
    return 'failure';
  }
}

async function download(runtime: CompletingEid, row: EidFlowRow, flow: IdentityFlow): Promise<void> {
  const { queue, providers, now } = runtime;
  const of = tenantOfKey(row);
  if (!of) return;
  await storingDocuments(runtime, await providers.eid.documents(flow), async (trx, documents) => {
    const moment = now();
    // Lock order: the tenant before its flow, as an erasure does.
    await lockTenant(trx, row.tenant_id);
    if (!(await endFlow(trx, 'eid', row, { status: 'succeeded' }, moment))) return;
    await addDocuments(trx, queue, of, documents, 'eid', moment, row);
    await emitEvent(trx, runtime, of, { event: 'EID_SUCCESS', data: null }, moment, { cause: row });
  });
}
