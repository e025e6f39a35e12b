import { narrowParty } from '../../core/correlation.ts';
import { NotFound, Overloaded, on, ProviderUnavailable } from '../../core/errors.ts';
import { rateLimit } from '../../core/rate-limit.ts';
import {
  flowIdFromToken,
  hashSecret,
  matchesHash,
  randomSecret,
  sealText,
  unsealText,
} from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import { findNewestApplication, findRequester, type Requester } from '../../db/applications/requester.ts';
import { getTenant, lockTenantOfKey, type TenantRow } from '../../db/applications/tenants.ts';
import { type Actor, recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import {
  deleteEidAttempts,
  type EidAttemptRow,
  type EidFlowRow,
  findEidAttempt,
  findEidFlow,
  findPendingEid,
  hasUsedAttempt,
  insertEidAttempt,
  insertEidFlow,
  isRetryable,
  noteEidFailure,
  releaseEidAttempt,
  reopenEidFlow,
  startEidDownload,
  useEidAttempt,
} from '../../db/identity/eid-flows.ts';
import { endFlow, recordAgreement } from '../../db/identity/flows.ts';
import type { CallbackOutcome } from '../../providers/identity/port.ts';
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

/** The `redirect_url` of flows that members of a landlord start: no page of an integrator waits, so the person stays on ours. */
export const OUR_PAGE = '';

export type EidRuntime = StartingFlow & Pick<Runtime, 'now' | 'log'>;

/**
 * Starts a national eID flow for an API key, or returns a recent one that waits for the person. Each has its own `redirect_url`, so several may be
 * pending.
 * @returns its link
 * @throws NotFound, ValidationError when the key has started its flows of the day
 */
export async function startEid(
  parts: StartingFlow,
  tenant: TenantRow,
  apiKeyId: string,
  redirectUrl: string,
  now: Date,
  by: Actor = SERVICE,
): Promise<string> {
  const { eid } = parts.providers;
  const of = { tenant_id: tenant.id, api_key_id: apiKeyId };
  const since = sessionsSince(eid, now);
  const id = await inTransaction(parts.db, async (trx) => {
    await lockTenantOfKey(trx, of);
    const recent = since && (await findPendingEid(trx, of, { provider: eid.name, redirect_url: redirectUrl }, since));
    if (recent && !endOf(recent, eid, now)) return recent.id;
    await countVerification(trx, of, 'eid', parts, now);
    const application_id = await findNewestApplication(trx, of);
    const row: EidFlowRow = { ...newFlow(of, eid, parts, now), application_id, redirect_url: redirectUrl };
    await insertEidFlow(trx, row);
    await recordAudit(trx, by, 'eid.start', tenant.id, now);
    await schedulePoll(trx, 'eid', row, eid.pollMs(identityFlow(row, tenant, parts)), now);
    return row.id;
  });
  return flowAddress('eid', id, parts);
}

const allowsAsking = rateLimit(10, 50_000);

/** A browser that repeats visits or forged callbacks must not make us ask the provider for each. */
function mayAsk({ providers }: Pick<Runtime, 'providers'>, { id }: EidFlowRow): boolean {
  return !providers.eid.isMetered || allowsAsking(id);
}

/** The query of a link that reopens its flow. */
export const RETRY = 'retry';

/** Where a person goes next in a national eID flow, or what they see instead, and who makes the request. */
export type EidStep = { show: 'redirect'; address: string } | (EidNotice & { requester: Requester | undefined });

/** `unbound`: the browser has not shown that it keeps a cookie, to which the visit at the provider is bound. */
export type EidStart = EidStep | { show: 'unbound'; requester: Requester | undefined };

type EidNotice =
  /** The flow has ended, and the person has been informed or did not succeed. The link `again` reopens a cancelled or failed flow. */
  | {
      show: 'over';
      status: Exclude<EidFlowRow['status'], 'pending'>;
      again?: string;
      checked: Pick<EidFlowRow, 'tenant_id' | 'api_key_id'>;
    }
  /** They have not agreed to it yet. */
  | { show: 'asking' }
  /** The flow ends without the person. */
  | { show: 'waiting' }
  /** The callback came from another browser than the authorization request. */
  | { show: 'refused' }
  /** The provider is unavailable. Nothing was decided, and the link `again` stays valid. */
  | { show: 'unavailable'; again: string };

async function noticeFor({ db }: Pick<Runtime, 'db'>, row: EidFlowRow, notice: EidNotice): Promise<EidStep> {
  return { ...notice, requester: await findRequester(db, row) };
}

/**
 * Handles a person who opens their link: redirects them to the provider, or shows the outcome once the flow is over.
 * @param browser a secret that this browser returned; undefined when it returned none
 * @param retry reopens a flow that was cancelled or failed
 * @throws NotFound for an unknown token, and for a retry when the key may no longer address the tenant
 */
export async function startEidAuthorization(
  runtime: EidRuntime,
  token: string,
  browser: string | undefined,
  retry = false,
): Promise<EidStart> {
  const { db, keys, providers, now } = runtime;
  const row = await getFlow(runtime, token);
  if (retry) {
    await reopen(runtime, row);
    return { show: 'redirect', address: flowAddress('eid', row.id, runtime) };
  }
  if (await isOver(runtime, row)) return overFor(runtime, row, browser ?? randomSecret());
  const request = { state: randomSecret(), callbackUrl: callbackUrl(runtime) };
  const flow = identityFlow(row, await getTenant(db, row.tenant_id), runtime);
  const again = flowAddress('eid', row.id, runtime);
  if (!mayAsk(runtime, row)) return noticeFor(runtime, row, { show: 'unavailable', again });
  const authorization = await providers.eid.startAuthorization(flow, request).catch(unlessAvailable(runtime, row));
  if (authorization === undefined) return noticeFor(runtime, row, { show: 'unavailable', again });
  if (authorization === null) return noticeFor(runtime, row, { show: 'waiting' });
  if (row.failure !== null && row.status === 'pending') await noteEidFailure(db, row.id, null);
  if (row.agreed_at === null) return noticeFor(runtime, row, { show: 'asking' });
  // At the provider it would be too late: the callback would reach a browser that cannot show it started the flow.
  if (browser === undefined) return { show: 'unbound', requester: await findRequester(db, row) };
  // These flows ended long ago.
  await deleteEidAttempts(db, isoAfter(now(), -2 * runtime.flowLifetimeMs));
  const sealed_luggage = sealText(authorization.callbackChecks, keys.encryption);
  await storeAttempt(runtime, row, { state: request.state, browser, sealed_luggage, used_at: null });
  return { show: 'redirect', address: authorization.address };
}

/** The landlord behind a link; undefined when there is none any more. @throws NotFound for an unknown token */
export async function findRequesterOfEid(
  { db, keys }: Pick<Runtime, 'db' | 'keys'>,
  token: string,
): Promise<Requester | undefined> {
  return findRequester(db, await getFlow({ db, keys }, token));
}

/**
 * @param text as shown to the person. A no-op when they have already agreed or the flow is over @throws NotFound for an unknown token
 */
export async function agreeToEid(
  { db, keys, now }: Pick<Runtime, 'db' | 'keys' | 'now'>,
  token: string,
  text: string,
): Promise<void> {
  const { id } = await getFlow({ db, keys }, token);
  await recordAgreement(db, 'eid', id, text, now());
}

async function getFlow({ db, keys }: Pick<Runtime, 'db' | 'keys'>, token: string): Promise<EidFlowRow> {
  const id = flowIdFromToken('eid', token, keys.encryption);
  const row = id && (await findEidFlow(db, id));
  if (!row) throw new NotFound('Verification');
  await narrowParty(partyOfFlow(row));
  return row;
}

/** The same flow with the same `redirect_url` and expiry, so that the integrator need not do anything for a retry. */
async function reopen(runtime: EidRuntime, row: EidFlowRow): Promise<void> {
  const { db, providers } = runtime;
  const now = runtime.now();
  if (row.api_key_id === null || !isRetryable(row, now)) return;
  const of = { tenant_id: row.tenant_id, api_key_id: row.api_key_id };
  const tenant = await getTenant(db, row.tenant_id);
  await inTransaction(db, async (trx) => {
    await lockTenantOfKey(trx, of);
    if (!(await reopenEidFlow(trx, row.id, providers.eid.name, now))) return;
    await recordAudit(trx, SERVICE, 'eid.start', row.tenant_id, now);
    await schedulePoll(trx, 'eid', row, providers.eid.pollMs(identityFlow(row, tenant, runtime)), now);
  });
}

/** @throws NotFound when the flow was erased */
async function storeAttempt(
  { db, now }: EidRuntime,
  { id }: EidFlowRow,
  { state, browser, ...rest }: Pick<EidAttemptRow, 'sealed_luggage' | 'used_at'> & { state: string; browser: string },
): Promise<void> {
  const hashes = { state_hash: hashSecret(state), browser_hash: hashSecret(browser) };
  const attempt: EidAttemptRow = { ...hashes, ...rest, flow_id: id, created_at: now().toISOString() };
  if (!(await inTransaction(db, (trx) => insertEidAttempt(trx, attempt)))) throw new NotFound('Verification');
}

/** The outcome of a flow. A success without the person (in the sandbox) redirects the first time they open the link. */
async function overFor(runtime: EidRuntime, { id }: EidFlowRow, browser: string): Promise<EidStep> {
  const { db, now } = runtime;
  const row = await findEidFlow(db, id);
  if (!row || row.status === 'pending') throw new NotFound('Verification');
  // Attempts are deleted after their flow's time limit.
  const mayBeFirst = row.status === 'succeeded' && row.expires_at > now().toISOString();
  const retry = isRetryable(row, now()) ? { again: `${flowAddress('eid', id, runtime)}?${RETRY}` } : {};
  if (!mayBeFirst || row.redirect_url === OUR_PAGE || (await hasUsedAttempt(db, id)))
    return noticeFor(runtime, row, { show: 'over', status: row.status, ...retry, checked: row });
  await storeAttempt(runtime, row, {
    state: randomSecret(),
    browser,
    sealed_luggage: sealText('', runtime.keys.encryption),
    used_at: now().toISOString(),
  });
  return { show: 'redirect', address: row.redirect_url };
}

/**
 * Handles the provider's callback. It counts once, and only if it carries the `state` of an attempt that the same browser started. A
 * success is stored together with the job that downloads the documents; only a success redirects to `redirect_url`.
 * @param params the fields of the callback
 * @throws NotFound for an unknown state, Overloaded: nothing was sent, and the same address works again
 */
export async function handleEidCallback(
  runtime: EidRuntime,
  params: URLSearchParams,
  browser: string | undefined,
): Promise<EidStep> {
  const { db, keys, providers, now } = runtime;
  const state = params.get('state') ?? '';
  const { attempt, row } = await findAttempt(db, state);
  if (browser === undefined || !matchesHash(browser, attempt.browser_hash))
    return noticeFor(runtime, row, { show: 'refused' });
  const again = flowAddress('eid', row.id, runtime);
  if (await isOver(runtime, row)) return { show: 'redirect', address: again };
  if (!mayAsk(runtime, row)) return noticeFor(runtime, row, { show: 'unavailable', again });
  if (!(await useEidAttempt(db, attempt.state_hash, now()))) return { show: 'redirect', address: again };
  const request = { state, callbackUrl: callbackUrl(runtime) };
  const callbackChecks = unsealText(attempt.sealed_luggage, keys.encryption);
  const outcome = await providers.eid
    .handleCallback(params, request, callbackChecks)
    .catch(unlessRefused(runtime, attempt))
    .catch(unlessAvailable(runtime, row));
  if (outcome === undefined) return noticeFor(runtime, row, { show: 'unavailable', again });
  const isSuccess = await record(runtime, row, outcome);
  return { show: 'redirect', address: isSuccess && row.redirect_url !== OUR_PAGE ? row.redirect_url : again };
}

/** The landlord behind the attempt with this state; undefined when there is none any more. @throws NotFound for an unknown state */
export async function findRequesterOfAttempt(
  { db }: Pick<Runtime, 'db'>,
  state: string,
): Promise<Requester | undefined> {
  const { row } = await findAttempt(db, state);
  return findRequester(db, row);
}

async function findAttempt(db: Database, state: string): Promise<{ attempt: EidAttemptRow; row: EidFlowRow }> {
  const attempt = await findEidAttempt(db, hashSecret(state));
  const row = attempt && (await findEidFlow(db, attempt.flow_id));
  if (!row) throw new NotFound('Verification');
  await narrowParty(partyOfFlow(row));
  return { attempt, row };
}

/**
 * @returns whether this success ended the flow
 */
function record(runtime: EidRuntime, row: EidFlowRow, outcome: CallbackOutcome): Promise<boolean> {
  const { db, keys, now } = runtime;
  const moment = now();
  return inTransaction(db, async (trx) => {
    if (outcome.state !== 'succeeded') {
      await endFlow(trx, 'eid', row, { status: outcome.state, failure: outcome.reason }, moment);
      return false;
    }
    const isStarted = await startEidDownload(trx, row.id, sealText(outcome.grant, keys.encryption));
    if (!isStarted) return false;
    await pollNow(trx, 'eid', runtime, row.id, moment);
    return true;
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

/** The person can try again. The operator finds the reason in the log, with the flow and in the overview, until the person got further. */
function unlessAvailable({ db, log }: Pick<Runtime, 'db' | 'log'>, { id }: EidFlowRow) {
  return on(ProviderUnavailable, async (err) => {
    log.warn({ err }, 'eID provider unavailable');
    await noteEidFailure(db, id, err.message);
    return undefined;
  });
}

function unlessRefused({ db }: Pick<Runtime, 'db'>, { state_hash }: EidAttemptRow) {
  return on(Overloaded, async (error) => {
    await releaseEidAttempt(db, state_hash);
    throw error;
  });
}

function callbackUrl({ publicUrl }: Pick<Runtime, 'publicUrl'>): string {
  return `${publicUrl()}/verify/eid/callback`;
}
