import { tenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { sealText } from '../../core/secrets/secrets.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { getTenant, lockTenant } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { endFlow } from '../../db/identity/flows.ts';
import {
  findKycVerification,
  type KycVerificationRow,
  setKycExpiry,
  setKycResult,
} from '../../db/identity/kyc-verifications.ts';
import type { KycOutcome } from '../../providers/identity/port.ts';
import type { Ending } from '../../queue/lane-policy.ts';
import { startForensic } from '../documents/start-forensic.ts';
import type { Runtime } from '../runtime.ts';
import { emitEvent } from '../webhooks/emit-event.ts';
import { endOf, identityFlow, isExpired, nameFor, recordUnfinished } from './identity-flows.ts';

/** How long an expired verification waits for a provider that is still checking or unavailable. */
const LAST_WAIT_MS = DAY_MS;

type CompletingKyc = Pick<Runtime, 'db' | 'queue' | 'providers' | 'keys' | 'flowLifetimeMs' | 'now'>;

/** Asks the provider for the state of a verification and records it. A success emits an event and may start the forensic run. */
export async function completeKyc(runtime: CompletingKyc, id: string): Promise<Ending> {
  const { db, providers, now } = runtime;
  const row = await findKycVerification(db, id);
  if (row?.status !== 'pending') return 'nothing';
  const end = endOf(row, providers.kyc, now());
  if (end?.status === 'failed') {
    await endFlow(db, 'kyc', row, end, now());
    return 'nothing';
  }
  try {
    await look(runtime, row);
    return 'success';
  } catch (error) {
    // Given up by time, not by count: each reload of the page also asks the provider.
    const moment = now();
    if (!isExpired(row, new Date(moment.getTime() - LAST_WAIT_MS))) throw error;
    await endFlow(db, 'kyc', row, { status: 'failed', failure: String(error) }, moment);
    return 'failure';
  }
}

async function look(runtime: CompletingKyc, row: KycVerificationRow): Promise<void> {
  const { db, providers } = runtime;
  const account = await getTenant(db, row.tenant_id);
  const flow = identityFlow(row, account, runtime, await nameFor(db, row, account));
  const outcome = await providers.kyc.outcome(flow);
  await inTransaction(db, (trx) => record(trx, runtime, row, outcome, providers.kyc.pollMs(flow)));
}

async function record(
  trx: Transaction,
  runtime: CompletingKyc,
  row: KycVerificationRow,
  outcome: KycOutcome,
  pollMs: number,
): Promise<void> {
  const moment = runtime.now();
  if (outcome.state === 'verified') return recordVerified(trx, runtime, row, outcome.result, moment);
  const isHandedIn = outcome.state === 'pending' && outcome.handedIn;
  const open = isHandedIn ? await stayOpen(trx, runtime, row) : row;
  await recordUnfinished(trx, 'kyc', open, outcome, pollMs, moment);
}

/** Extends the time limit of a person who has submitted everything. */
async function stayOpen(
  trx: Transaction,
  { flowLifetimeMs }: CompletingKyc,
  row: KycVerificationRow,
): Promise<KycVerificationRow> {
  const expires_at = isoAfter(new Date(row.created_at), flowLifetimeMs + LAST_WAIT_MS);
  await setKycExpiry(trx, row.id, expires_at);
  return { ...row, expires_at };
}

async function recordVerified(
  trx: Transaction,
  { queue, keys }: CompletingKyc,
  row: KycVerificationRow,
  result: Record<string, unknown>,
  now: Date,
): Promise<void> {
  const { id, tenant_id } = row;
  const of = tenantOfKey(row);
  if (!of) return;
  // Lock order: the tenant before its verification, as initiate-kyc does; otherwise the two could deadlock.
  await lockTenant(trx, tenant_id);
  if (!(await endFlow(trx, 'kyc', row, { status: 'verified' }, now))) return;
  const data = { tenant_id, ...result, verified_at: now.toISOString() };
  await setKycResult(trx, id, sealText(JSON.stringify(data), keys.encryption));
  await emitEvent(trx, { queue, keys }, of, { event: 'KYC_VERIFICATION_DATA', data }, now, { cause: row });
  await startForensic(trx, queue, of, now, { cause: row });
}
