import { NotFound } from '../../core/errors.ts';
import { flowIdFromToken, sealText } from '../../core/secrets/secrets.ts';
import type { TenantRow } from '../../db/applications/tenants.ts';
import { getTenant, lockTenant } from '../../db/applications/tenants.ts';
import { type Actor, recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import type { KycVerificationRow } from '../../db/identity/kyc-verifications.ts';
import type { IdentityFlow } from '../../providers/identity/port.ts';
import type { RequestRuntime, Runtime } from '../runtime.ts';
import { endFlow, endOf, flowAddress, flowRows, identityFlow, lookNow, newFlow, planLook } from './identity-flows.ts';

/** Starts a tenant's verification, or finds the one that is under way. @returns the address of its page */
export async function startKyc(
  parts: RequestRuntime,
  tenant: TenantRow,
  now: Date,
  by: Actor = SERVICE,
): Promise<string> {
  const { db, keys, providers } = parts;
  const row = await db.transaction((trx) => openKycVerification(trx, parts, tenant, { now, by }));
  const address = flowAddress('kyc', row.id, parts);
  if (row.sealed_memory === null) {
    const memory = await providers.kyc.start(identityFlow(row, tenant, parts), `${address}/returned`);
    // The first of several simultaneous starts counts: its address may be in use already.
    if (memory !== null)
      await flowRows(db, 'kyc')
        .where({ id: row.id, status: 'pending', sealed_memory: null })
        .update({ sealed_memory: sealText(memory, keys.encryption) });
  }
  return address;
}

async function openKycVerification(
  trx: Transaction,
  parts: RequestRuntime,
  tenant: TenantRow,
  { now, by }: { now: Date; by: Actor },
): Promise<KycVerificationRow> {
  await lockTenant(trx, tenant.id);
  const live = await trx('kyc_verifications').where({ tenant_id: tenant.id, status: 'pending' }).first();
  const end = live && endOf(live, parts.providers.kyc, now);
  if (live && !end) return live;
  if (live && end) await endFlow(trx, 'kyc', live, end, now);
  const row: KycVerificationRow = { ...newFlow(tenant.id, parts.providers.kyc, parts, now), result: null };
  await trx('kyc_verifications').insert(row);
  await recordAudit(trx, by, 'kyc.start', tenant.id, now);
  await planLook(trx, 'kyc', parts, row, parts.providers.kyc.pollMs(identityFlow(row, tenant, parts)), now);
  return row;
}

/** A verification as its page shows it. */
export interface HostedKyc {
  id: string;
  status: KycVerificationRow['status'];
  /** Why it was rejected, in words for the person. */
  reason: string | null;
  flow: IdentityFlow;
}

/** @throws NotFound when the token is not one of ours */
export async function findHostedKyc(runtime: Runtime, token: string): Promise<HostedKyc> {
  const { db, keys } = runtime;
  const id = flowIdFromToken('kyc', token, keys.encryption);
  const row = id && (await db('kyc_verifications').where({ id }).first());
  if (!row) throw new NotFound('Verification');
  return {
    id: row.id,
    status: kycStatus(row, runtime),
    reason: row.status === 'rejected' ? row.failure : null,
    flow: identityFlow(row, await getTenant(db, row.tenant_id), runtime),
  };
}

function kycStatus(row: KycVerificationRow, { providers, now }: Runtime): KycVerificationRow['status'] {
  const end = endOf(row, providers.kyc, now());
  return end?.status === 'expired' || end?.status === 'failed' ? end.status : row.status;
}

/** What the person did on the page so far. Nothing happens when the verification is over. */
export async function keepKycMemory({ db, keys, now }: Runtime, id: string, memory: string): Promise<void> {
  await flowRows(db, 'kyc')
    .where({ id, status: 'pending' })
    .where('expires_at', '>', now().toISOString())
    .update({ sealed_memory: sealText(memory, keys.encryption) });
}

/** The last that the person did on the page: it is kept, and the outcome asked for now. */
export function finishKyc(runtime: Runtime, id: string, memory: string): Promise<void> {
  return runtime.db.transaction(async (trx) => {
    await keepKycMemory({ ...runtime, db: trx }, id, memory);
    await lookNow(trx, 'kyc', runtime, id, runtime.now());
  });
}

/** Has the provider asked for the outcome now, by a job. Harmless for a verification that is over or none of ours. */
export function lookAtKyc(runtime: Runtime, id: string): Promise<void> {
  return runtime.db.transaction((trx) => lookNow(trx, 'kyc', runtime, id, runtime.now()));
}
