import { NotFound, on, ProviderUnavailable } from '../../core/errors.ts';
import {
  flowIdFromToken,
  hashSecret,
  matchesHash,
  randomSecret,
  sealText,
  unsealText,
} from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import { getTenant, lockTenant, type TenantRow } from '../../db/applications/tenants.ts';
import { type Actor, recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Database } from '../../db/connection/connect.ts';
import {
  deleteEidAttempts,
  type EidAttemptRow,
  type EidFlowRow,
  findEidAttempt,
  findEidFlow,
  insertEidAttempt,
  insertEidFlow,
  startEidDownload,
  useEidAttempt,
} from '../../db/identity/eid-flows.ts';
import { endFlow } from '../../db/identity/flows.ts';
import type { EidAnswer } from '../../providers/identity/port.ts';
import type { Runtime } from '../runtime.ts';
import { endOf, flowAddress, identityFlow, lookNow, newFlow, planLook, type StartingFlow } from './identity-flows.ts';

export type Travelling = StartingFlow & Pick<Runtime, 'now' | 'log'>;

/** Starts a national eID flow. Each has its own `redirect_url`, so several may be pending. @returns its link */
export async function startEid(
  parts: StartingFlow,
  tenant: TenantRow,
  redirectUrl: string,
  now: Date,
  by: Actor = SERVICE,
): Promise<string> {
  const row: EidFlowRow = { ...newFlow(tenant.id, parts.providers.eid, parts, now), redirect_url: redirectUrl };
  await parts.db.transaction(async (trx) => {
    await lockTenant(trx, tenant.id);
    await insertEidFlow(trx, row);
    await recordAudit(trx, by, 'eid.start', tenant.id, now);
    await planLook(trx, 'eid', row, parts.providers.eid.pollMs(identityFlow(row, tenant, parts)), now);
  });
  return flowAddress('eid', row.id, parts);
}

/** Where a person of a national eID flow goes next, or what they are shown instead. */
export type EidStep =
  | { show: 'redirect'; address: string }
  /** The flow ends without the person. */
  | { show: 'waiting' }
  /** They returned in another browser than they left with. */
  | { show: 'refused' }
  /** The provider is unavailable. Nothing was decided, and the link `again` stays valid. */
  | { show: 'unavailable'; again: string };

/**
 * A person opened their link: they go to the provider, or to the caller's `redirect_url` when the flow is over.
 * @param browser a secret that only this browser knows
 * @throws NotFound for an unknown token
 */
export async function departToEid(runtime: Travelling, token: string, browser: string): Promise<EidStep> {
  const { db, keys, providers, now } = runtime;
  const id = flowIdFromToken('eid', token, keys.encryption);
  const row = id && (await findEidFlow(db, id));
  if (!row) throw new NotFound('Verification');
  if (await isOver(runtime, row)) return { show: 'redirect', address: row.redirect_url };
  const trip = { state: randomSecret(), callbackUrl: callbackUrl(runtime) };
  const flow = identityFlow(row, await getTenant(db, row.tenant_id), runtime);
  const departure = await providers.eid.depart(flow, trip).catch(unlessAvailable(runtime));
  if (departure === undefined) return { show: 'unavailable', again: flowAddress('eid', row.id, runtime) };
  if (departure === null) return { show: 'waiting' };
  // Their flows ended long ago.
  await deleteEidAttempts(db, isoAfter(now(), -2 * runtime.flowLifetimeMs));
  const attempt: EidAttemptRow = {
    state_hash: hashSecret(trip.state),
    flow_id: row.id,
    browser_hash: hashSecret(browser),
    sealed_luggage: sealText(departure.luggage, keys.encryption),
    created_at: now().toISOString(),
    used_at: null,
  };
  if (!(await db.transaction((trx) => insertEidAttempt(trx, attempt)))) throw new NotFound('Verification');
  return { show: 'redirect', address: departure.address };
}

/**
 * A person returned. Their answer counts once, and only if it is their own: it carries the `state` of an attempt that the same
 * browser started. A success is stored together with the job that downloads the documents.
 * @param answer the fields of the callback
 * @throws NotFound for an unknown state
 */
export async function arriveFromEid(
  runtime: Travelling,
  answer: URLSearchParams,
  browser: string | undefined,
): Promise<EidStep> {
  const { db, keys, providers, now } = runtime;
  const state = answer.get('state') ?? '';
  const { attempt, row } = await findAttempt(db, state);
  if (browser === undefined || !matchesHash(browser, attempt.browser_hash)) return { show: 'refused' };
  if (await isOver(runtime, row)) return { show: 'redirect', address: row.redirect_url };
  const again = flowAddress('eid', row.id, runtime);
  if (!(await useEidAttempt(db, attempt.state_hash, now()))) return { show: 'redirect', address: again };
  const trip = { state, callbackUrl: callbackUrl(runtime) };
  const luggage = unsealText(attempt.sealed_luggage, keys.encryption);
  const outcome = await providers.eid.arrive(answer, trip, luggage).catch(unlessAvailable(runtime));
  if (outcome === undefined) return { show: 'unavailable', again };
  await record(runtime, row, outcome);
  return { show: 'redirect', address: row.redirect_url };
}

/** The name of the person whose attempt has this state. @throws NotFound */
export async function findTravellerName({ db }: Pick<Runtime, 'db'>, state: string): Promise<string> {
  const { row } = await findAttempt(db, state);
  return (await getTenant(db, row.tenant_id)).name;
}

async function findAttempt(db: Database, state: string): Promise<{ attempt: EidAttemptRow; row: EidFlowRow }> {
  const attempt = await findEidAttempt(db, hashSecret(state));
  const row = attempt && (await findEidFlow(db, attempt.flow_id));
  if (!row) throw new NotFound('Verification');
  return { attempt, row };
}

async function record(runtime: Travelling, row: EidFlowRow, answer: EidAnswer): Promise<void> {
  const { db, keys, now } = runtime;
  const moment = now();
  await db.transaction(async (trx) => {
    if (answer.state !== 'succeeded') {
      await endFlow(trx, 'eid', row, { status: answer.state, failure: answer.reason }, moment);
      return;
    }
    const isStarted = await startEidDownload(trx, row.id, sealText(answer.grant, keys.encryption));
    if (isStarted) await lookNow(trx, 'eid', runtime, row.id, moment);
  });
}

async function isOver(
  { db, providers, now }: Pick<Runtime, 'db' | 'providers' | 'now'>,
  row: EidFlowRow,
): Promise<boolean> {
  const end = endOf(row, providers.eid, now());
  if (!end) return row.status !== 'pending';
  await endFlow(db, 'eid', row, end, now());
  return true;
}

function unlessAvailable({ log }: Pick<Runtime, 'log'>) {
  return on(ProviderUnavailable, (err) => void log.warn({ err }, 'the eID provider does not answer'));
}

function callbackUrl({ publicUrl }: Pick<Runtime, 'publicUrl'>): string {
  return `${publicUrl()}/verify/eid/callback`;
}
