import { narrowParty } from '../../core/correlation.ts';
import { NotFound } from '../../core/errors.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { flowIdFromToken, sealText } from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import { findNewestApplication, findRequester, type Requester } from '../../db/applications/requester.ts';
import { getTenant, lockTenantOfKey, type TenantRow } from '../../db/applications/tenants.ts';
import { type Actor, recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { endFlow, recordAgreement, replaceMemory, storeFirstMemory } from '../../db/identity/flows.ts';
import {
  findKycVerification,
  findLatestKyc,
  findPendingKyc,
  insertKycVerification,
  type KycVerificationRow,
  reopenKyc,
} from '../../db/identity/kyc-verifications.ts';
import type { IdentityFlow, KycProvider } from '../../providers/identity/port.ts';
import type { Runtime } from '../runtime.ts';
import {
  countVerification,
  endOf,
  flowAddress,
  identityFlow,
  newFlow,
  partyOfFlow,
  pollNow,
  type StartingFlow,
  schedulePoll,
  sessionsSince,
} from './identity-flows.ts';

/**
 * Starts a tenant's verification for an API key, or returns its pending or recent one.
 * @returns the address of its page
 * @throws NotFound, ValidationError when the key has started its verifications of the day
 */
export async function startKyc(
  parts: StartingFlow,
  tenant: TenantRow,
  apiKeyId: string,
  now: Date,
  by: Actor = SERVICE,
): Promise<string> {
  const { db, keys, providers } = parts;
  const row = await inTransaction(db, (trx) => openKycVerification(trx, parts, tenant, { apiKeyId, now, by }));
  const address = flowAddress('kyc', row.id, parts);
  if (row.status === 'pending' && row.sealed_memory === null) {
    const memory = await providers.kyc.start(identityFlow(row, tenant, parts), `${address}/returned`);
    // The first of several concurrent starts wins: its address may already be in use.
    if (memory !== null) await storeFirstMemory(db, 'kyc', row.id, sealText(memory, keys.encryption));
  }
  return address;
}

async function openKycVerification(
  trx: Transaction,
  parts: StartingFlow,
  tenant: TenantRow,
  { apiKeyId, now, by }: { apiKeyId: string; now: Date; by: Actor },
): Promise<KycVerificationRow> {
  const of = { tenant_id: tenant.id, api_key_id: apiKeyId };
  await lockTenantOfKey(trx, of);
  const live = await findPendingKyc(trx, of);
  const end = live && endOf(live, parts.providers.kyc, now);
  if (live && !end) return live;
  if (live && end) await endFlow(trx, 'kyc', live, end, now);
  const recent = await recentVerification(trx, of, parts.providers.kyc, now);
  if (recent && recent.status !== 'expired') return recent;
  const row = recent ? await reopen(trx, recent, parts, now) : await insertNew(trx, of, parts, now);
  await recordAudit(trx, by, 'kyc.start', tenant.id, now);
  await schedulePoll(trx, 'kyc', row, parts.providers.kyc.pollMs(identityFlow(row, tenant, parts)), now);
  return row;
}

/**
 * The person's verification of the last hour at a provider that costs money. A further call gets its link, which shows how it ended. An expired one
 * is continued: the time ran out, or the person was removed and invited again.
 */
async function recentVerification(
  trx: Transaction,
  of: TenantOfKey,
  provider: KycProvider,
  now: Date,
): Promise<KycVerificationRow | undefined> {
  const since = sessionsSince(provider, now);
  return since === undefined ? undefined : findLatestKyc(trx, of, provider.name, since);
}

/** The same row, so that the provider, which knows its id, returns the same session. */
async function reopen(
  trx: Transaction,
  row: KycVerificationRow,
  { flowLifetimeMs }: StartingFlow,
  now: Date,
): Promise<KycVerificationRow> {
  const expires_at = isoAfter(now, flowLifetimeMs);
  await reopenKyc(trx, row.id, expires_at);
  return { ...row, status: 'pending', failures: 0, expiries: 0, failure: null, finished_at: null, expires_at };
}

async function insertNew(
  trx: Transaction,
  of: TenantOfKey,
  parts: StartingFlow,
  now: Date,
): Promise<KycVerificationRow> {
  await countVerification(trx, of, 'kyc', parts, now);
  const application_id = await findNewestApplication(trx, of);
  const row: KycVerificationRow = { ...newFlow(of, parts.providers.kyc, parts, now), application_id, result: null };
  await insertKycVerification(trx, row);
  return row;
}

/** A verification as its page shows it. */
export interface HostedKyc {
  id: string;
  status: KycVerificationRow['status'];
  /** Why it was rejected, in words for the person. */
  reason: string | null;
  /** Whether the person agreed to it. */
  isAgreed: boolean;
  flow: IdentityFlow;
  requester: Requester | undefined;
  /** Who is checked, for which API key. */
  checked: { tenant_id: string; api_key_id: string | null };
}

/** @throws NotFound for an unknown token */
export async function findHostedKyc(
  runtime: Pick<Runtime, 'db' | 'keys' | 'providers' | 'now'>,
  token: string,
): Promise<HostedKyc> {
  const { db, keys } = runtime;
  const id = flowIdFromToken('kyc', token, keys.encryption);
  const row = id && (await findKycVerification(db, id));
  if (!row) throw new NotFound('Verification');
  await narrowParty(partyOfFlow(row));
  const [requester, tenant] = await Promise.all([findRequester(db, row), getTenant(db, row.tenant_id)]);
  return {
    id: row.id,
    status: kycStatus(row, runtime),
    reason: row.status === 'rejected' ? row.failure : null,
    isAgreed: row.agreed_at !== null,
    flow: identityFlow(row, tenant, runtime, requester?.name),
    requester,
    checked: row,
  };
}

function kycStatus(
  row: KycVerificationRow,
  { providers, now }: Pick<Runtime, 'providers' | 'now'>,
): KycVerificationRow['status'] {
  const end = endOf(row, providers.kyc, now());
  return end?.status === 'expired' || end?.status === 'failed' ? end.status : row.status;
}

/**
 * @param text as shown to the person. A no-op when they have already agreed or the verification is over
 */
export function agreeToKyc({ db, now }: Pick<Runtime, 'db' | 'now'>, id: string, text: string): Promise<void> {
  return recordAgreement(db, 'kyc', id, text, now());
}

/** Stores the person's progress on the page. A no-op when the verification is over. */
export async function storeKycMemory(
  { db, keys, now }: Pick<Runtime, 'db' | 'keys' | 'now'>,
  id: string,
  memory: string,
): Promise<void> {
  await replaceMemory(db, 'kyc', id, sealText(memory, keys.encryption), now());
}

/** Stores the person's last step on the page and requests the outcome from the provider immediately. */
export function finishKyc(
  { db, queue, keys, now }: Pick<Runtime, 'db' | 'queue' | 'keys' | 'now'>,
  id: string,
  memory: string,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    await storeKycMemory({ db: trx, keys, now }, id, memory);
    await pollNow(trx, 'kyc', { queue }, id, now());
  });
}

/** Queues a job that asks the provider for the outcome now. A no-op for a verification that is over or unknown. */
export function pollKycNow({ db, queue, now }: Pick<Runtime, 'db' | 'queue' | 'now'>, id: string): Promise<void> {
  return inTransaction(db, (trx) => pollNow(trx, 'kyc', { queue }, id, now()));
}
