import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import { hasStatus } from '../work/beside-id.ts';
import { FLOW_COLUMNS, type FlowRow } from './flows.ts';

export interface KycVerificationRow extends FlowRow {
  status: 'pending' | 'verified' | 'rejected' | 'failed' | 'expired';
  /** Sealed JSON. */
  result: string | null;
}

export async function insertKycVerification(trx: Transaction, row: KycVerificationRow): Promise<void> {
  await trx('kyc_verifications').insert(row);
}

const verification = prepared<KycVerificationRow>(`select ${FLOW_COLUMNS}, result from kyc_verifications where id = ?`);

export async function findKycVerification(db: Database, id: string): Promise<KycVerificationRow | undefined> {
  const [row] = await verification(db, id);
  return row;
}

const MAX_LISTED = 20;

/** A tenant's newest verifications within a scope, with their results. */
export function listVerifications(db: Database, scope: Scope, tenantId: string): Promise<KycVerificationRow[]> {
  return db('kyc_verifications')
    .where({ tenant_id: tenantId })
    .where(inScope(scope, 'api_key_id'))
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED);
}

/** The key's pending verification, of which there is at most one. */
export function findPendingKyc(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
): Promise<KycVerificationRow | undefined> {
  return trx('kyc_verifications').where({ tenant_id, api_key_id, status: 'pending' }).first();
}

/** The verification that the key started last with a provider, since a given time. */
export function findLatestKyc(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
  provider: string,
  since: string,
): Promise<KycVerificationRow | undefined> {
  return trx('kyc_verifications')
    .where({ tenant_id, api_key_id, provider })
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .first();
}

/** Reopens an expired verification with its link. */
export async function reopenKyc(trx: Transaction, id: string, expiresAt: string): Promise<void> {
  await trx('kyc_verifications')
    .where({ id })
    .where(hasStatus('expired'))
    .update({ status: 'pending', failures: 0, failure: null, finished_at: null, expires_at: expiresAt });
}

export async function isKycVerified(trx: Transaction, { tenant_id, api_key_id }: TenantOfKey): Promise<boolean> {
  const verified = await trx('kyc_verifications').where({ tenant_id, api_key_id, status: 'verified' }).first('id');
  return verified !== undefined;
}

export async function setKycExpiry(trx: Transaction, id: string, expiresAt: string): Promise<void> {
  await trx('kyc_verifications').where({ id }).where(hasStatus('pending')).update({ expires_at: expiresAt });
}

/** @param result sealed JSON */
export async function setKycResult(trx: Transaction, id: string, result: string): Promise<void> {
  await trx('kyc_verifications').where({ id }).update({ result });
}
