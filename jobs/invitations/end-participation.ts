import { lockTenantBeyondKey } from '../../db/applications/tenants.ts';
import { endBankConnectionsOfKey } from '../../db/banking/bank-connections.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { endRunOfKey } from '../../db/documents/forensic-runs.ts';
import { endFlowsOfKey } from '../../db/identity/flows.ts';

const REASON = 'The person no longer takes part in an application of this API key.';

/**
 * Ends the running checks of a participant who has declined or was removed, for the application's API key: verifications, eID flows, bank
 * connections and the forensic run. A no-op while the person takes part in another application of the key. Jobs already working on these find them over. Lock
 * order: the application, which the caller holds, before the tenant.
 */
export async function endParticipation(trx: Transaction, participantId: string, now: Date): Promise<void> {
  const of = await lockTenantBeyondKey(trx, participantId);
  if (!of) return;
  await endFlowsOfKey(trx, of, { status: 'expired', failure: REASON }, now);
  await endBankConnectionsOfKey(trx, of, { status: 'expired', failure: REASON }, now);
  await endRunOfKey(trx, of, REASON, now);
}
