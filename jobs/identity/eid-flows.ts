import { NotFound, ProviderUnavailable } from '../../core/errors.ts';
import {
  flowIdFromToken,
  hashSecret,
  matchesHash,
  randomSecret,
  sealText,
  unsealText,
} from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import type { TenantRow } from '../../db/applications/tenants.ts';
import { getTenant, lockTenant } from '../../db/applications/tenants.ts';
import { type Actor, recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { EidAttemptRow, EidFlowRow } from '../../db/identity/eid-flows.ts';
import type { EidAnswer } from '../../providers/identity/port.ts';
import type { RequestRuntime, Runtime } from '../runtime.ts';
import { endFlow, endOf, flowAddress, identityFlow, lookNow, newFlow, planLook } from './identity-flows.ts';

/** Starts a national eID flow; each has its own place to return to, so several may be under way. @returns its link */
export async function startEid(
  parts: RequestRuntime,
  tenant: TenantRow,
  redirectUrl: string,
  now: Date,
  by: Actor = SERVICE,
): Promise<string> {
  const row: EidFlowRow = { ...newFlow(tenant.id, parts.providers.eid, parts, now), redirect_url: redirectUrl };
  await parts.db.transaction(async (trx) => {
    await lockTenant(trx, tenant.id);
    await trx('eid_flows').insert(row);
    await recordAudit(trx, by, 'eid.start', tenant.id, now);
    await planLook(trx, 'eid', parts, row, parts.providers.eid.pollMs(identityFlow(row, tenant, parts)), now);
  });
  return flowAddress('eid', row.id, parts);
}

/** Where a person of a national eID flow goes next, or what they are shown instead. */
export type EidStep =
  | { show: 'redirect'; address: string }
  /** It ends by itself. */
  | { show: 'waiting' }
  /** They came back in another browser than they left with. */
  | { show: 'refused' }
  /** The provider does not answer just now. Nothing was decided; their link, `again`, goes on living. */
  | { show: 'unavailable'; again: string };

/**
 * A person opened their link: they set out to the provider, or are sent on to the caller when the flow is over.
 * @param browser a secret that only this browser knows
 * @throws NotFound when the token is not one of ours
 */
export async function departToEid(runtime: Runtime, token: string, browser: string): Promise<EidStep> {
  const { db, keys, providers, now } = runtime;
  const id = flowIdFromToken('eid', token, keys.encryption);
  const row = id && (await db('eid_flows').where({ id }).first());
  if (!row) throw new NotFound('Verification');
  if (await isOver(runtime, row)) return { show: 'redirect', address: row.redirect_url };
  const trip = { state: randomSecret(), callbackUrl: callbackUrl(runtime) };
  const flow = identityFlow(row, await getTenant(db, row.tenant_id), runtime);
  const departure = await whenAvailable(runtime, () => providers.eid.depart(flow, trip));
  if (departure === UNAVAILABLE) return { show: 'unavailable', again: flowAddress('eid', row.id, runtime) };
  if (departure === null) return { show: 'waiting' };
  // Those of flows that are long over lead nowhere any more.
  await db('eid_attempts')
    .where('created_at', '<', isoAfter(now(), -2 * runtime.flowLifetimeMs))
    .delete();
  await db.transaction(async (trx) => {
    // Erased meanwhile, it leads nowhere.
    if (!(await trx('eid_flows').where({ id }).forNoKeyUpdate().first('id'))) throw new NotFound('Verification');
    await trx('eid_attempts').insert({
      state_hash: hashSecret(trip.state),
      flow_id: row.id,
      browser_hash: hashSecret(browser),
      sealed_luggage: sealText(departure.luggage, keys.encryption),
      created_at: now().toISOString(),
      used_at: null,
    });
  });
  return { show: 'redirect', address: departure.address };
}

/**
 * A person came back. Their answer is looked at once, and only when it is their own: it brings back the `state` of an
 * attempt that the same browser set out with. Success is stored together with the job that downloads the documents.
 * @param answer the fields of the callback
 * @throws NotFound when the state is not one of ours
 */
export async function arriveFromEid(
  runtime: Runtime,
  answer: URLSearchParams,
  browser: string | undefined,
): Promise<EidStep> {
  const { keys, providers } = runtime;
  const state = answer.get('state') ?? '';
  const { attempt, row } = await findAttempt(runtime, state);
  if (browser === undefined || !matchesHash(browser, attempt.browser_hash)) return { show: 'refused' };
  if (await isOver(runtime, row)) return { show: 'redirect', address: row.redirect_url };
  const again = flowAddress('eid', row.id, runtime);
  if (!(await use(runtime, attempt))) return { show: 'redirect', address: again };
  const trip = { state, callbackUrl: callbackUrl(runtime) };
  const luggage = unsealText(attempt.sealed_luggage, keys.encryption);
  const outcome = await whenAvailable(runtime, () => providers.eid.arrive(answer, trip, luggage));
  if (outcome === UNAVAILABLE) return { show: 'unavailable', again };
  await record(runtime, row, outcome);
  return { show: 'redirect', address: row.redirect_url };
}

/** Who the attempt with this state is about. @throws NotFound */
export async function findTravellerName(runtime: Runtime, state: string): Promise<string> {
  const { row } = await findAttempt(runtime, state);
  return (await getTenant(runtime.db, row.tenant_id)).name;
}

async function findAttempt({ db }: Runtime, state: string): Promise<{ attempt: EidAttemptRow; row: EidFlowRow }> {
  const attempt = await db('eid_attempts')
    .where({ state_hash: hashSecret(state) })
    .first();
  const row = attempt && (await db('eid_flows').where({ id: attempt.flow_id }).first());
  if (!row) throw new NotFound('Verification');
  return { attempt, row };
}

async function use({ db, now }: Runtime, { state_hash }: EidAttemptRow): Promise<boolean> {
  const used = await db('eid_attempts')
    .where({ state_hash })
    .whereNull('used_at')
    .update({ used_at: now().toISOString() });
  return used === 1;
}

async function record(runtime: Runtime, row: EidFlowRow, answer: EidAnswer): Promise<void> {
  const { db, keys, now } = runtime;
  const moment = now();
  await db.transaction(async (trx) => {
    if (answer.state !== 'succeeded') {
      await endFlow(trx, 'eid', row, { status: answer.state, failure: answer.reason }, moment);
      return;
    }
    const succeeded = await trx('eid_flows')
      .where({ id: row.id, status: 'pending' })
      .update({ status: 'downloading', sealed_memory: sealText(answer.grant, keys.encryption) });
    if (succeeded === 1) await lookNow(trx, 'eid', runtime, row.id, moment);
  });
}

async function isOver({ db, providers, now }: Runtime, row: EidFlowRow): Promise<boolean> {
  const end = endOf(row, providers.eid, now());
  if (!end) return row.status !== 'pending';
  await endFlow(db, 'eid', row, end, now());
  return true;
}

const UNAVAILABLE = Symbol('the provider does not answer');

async function whenAvailable<Answer>(
  { log }: Runtime,
  ask: () => Promise<Answer>,
): Promise<Answer | typeof UNAVAILABLE> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    log.warn({ err: error }, 'the eID provider does not answer');
    return UNAVAILABLE;
  }
}

function callbackUrl({ publicUrl }: Runtime): string {
  return `${publicUrl()}/verify/eid/callback`;
}
