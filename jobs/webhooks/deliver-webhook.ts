import { setTimeout as after } from 'node:timers/promises';
import { signatureHeaders } from '@tenant-screening/webhook-tools/signatures';
import { inBatches } from '../../core/batches.ts';
import { partyOfKey } from '../../core/party.ts';
import { retryAfterMs } from '../../core/rules/retry-delay.ts';
import { BrokenSeal } from '../../core/secrets/sealing.ts';
import { ifOpened, unsealJson, unsealText } from '../../core/secrets/secrets.ts';
import { whyNotInForce } from '../../db/access/api-key-states.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import {
  type DeliveryToSend,
  giveUpDelivery,
  holdDelivery,
  isReachable,
  loadDeliveries,
} from '../../db/webhooks/deliveries.ts';
import { PAYLOAD_EXPIRED } from '../../db/webhooks/old-events.ts';
import { lockPausedWebhooks } from '../../db/webhooks/paused-webhooks.ts';
import { OutboundError } from '../../providers/outbound/outbound-error.ts';
import type { OutboundHttp } from '../../providers/outbound/port.ts';
import type { Ending, LanePolicy } from '../../queue/lane-policy.ts';
import { Lanes } from '../../queue/lanes.ts';
import type { Postponed, Work } from '../../queue/worker.ts';
import type { Runtime } from '../runtime.ts';
import { type Attempt, type Outcome, type Recording, recordOutcomes } from './record-outcomes.ts';

const RECORD_RETRY_MS = 1_000;
const UNREADABLE = 'not sent: no ENCRYPTION_KEY opens its body or the secret of its webhook';

type Posting = Pick<Runtime, 'keys' | 'now'>;
type Attempting = Posting & Pick<Runtime, 'db' | 'providers'>;
type Delivering = Attempting & Recording & Pick<Runtime, 'work'>;

/**
 * What an API key sends to one host, across its webhooks and in this process: one delivery until the host has answered 2xx, and one more each
 * second while it hangs. Each success doubles the limit (slow start), each failure halves it.
 */
export const hostLanes: LanePolicy = {
  window: { initial: 1, max: 64, grown: (window) => window * 2, shrunk: (window) => Math.floor(window / 2) },
  maxLaneLength: 100,
  maxWaiting: Number.POSITIVE_INFINITY,
  slots: { atOnce: Number.POSITIVE_INFINITY, ofOneParty: Number.POSITIVE_INFINITY },
  slowAfterMs: 1_000,
  maxInLane: 64,
};

interface Turn {
  delivery: DeliveryToSend;
  /** Set when its turn does not begin at once: what was read before may have changed. */
  hasWaited: boolean;
  resolve(ending: Postponed | Promise<Ending>): void;
}

/**
 * Delivers events. When it is a delivery's turn:
 * 1. load it with the current state of its webhook;
 * 2. wait for a turn at its host among the deliveries of its API key, or postpone it;
 * 3. make one attempt: sign and POST the body. Or end it without an attempt, because its API key or its body has ended, or hold it, because
 *    its webhook is paused;
 * 4. record the outcome, which plans the next attempt or ends the delivery.
 * Deliveries that take their turn together are loaded and recorded together.
 * @param stopping aborts when the process stops: outcomes wait no longer for the database
 */
export function deliverWebhooks(runtime: Delivering, stopping: AbortSignal): Work {
  const load = inBatches<string, DeliveryToSend>(async (ids) => {
    const rows = await loadDeliveries(runtime.db, ids, runtime.now());
    return ids.map((id) => rows.find((row) => row.id === id));
  });
  const record = inBatches<Attempt>((attempts) => recordWithRetries(runtime, attempts, stopping));
  const attempt = async ({ delivery: loaded, hasWaited }: Turn): Promise<Ending> => {
    const delivery = hasWaited ? await load(loaded.id) : loaded;
    const outcome = delivery && (await attemptDelivery(runtime, delivery));
    if (!outcome) return 'nothing';
    await record({ delivery, outcome });
    noteAttempt(runtime, { delivery, outcome });
    if (outcome.fault === 'ours') return 'nothing';
    return outcome.error === null ? 'success' : 'failure';
  };
  const take = (turn: Turn): Promise<Ending> => {
    const ending = attempt(turn);
    turn.resolve(ending);
    return ending;
  };
  const hosts = new Lanes<Turn>(hostLanes, take, ({ resolve }, delayMs) => resolve({ delayMs }));
  const giveAllBack = () => {
    for (const { resolve } of hosts.clear()) resolve({ delayMs: 0 });
  };
  stopping.addEventListener('abort', giveAllBack);
  return async (id) => {
    const delivery = await load(id);
    if (!delivery) return 'nothing';
    const { promise, resolve } = Promise.withResolvers<Ending | Postponed>();
    const turn = { delivery, hasWaited: false, resolve };
    hosts.add({ party: partyOfKey(delivery.api_key_id), lane: URL.parse(delivery.url)?.host ?? '' }, turn);
    turn.hasWaited = true;
    // A delivery whose turn came at once is attempted even by a process that stops.
    if (stopping.aborted) giveAllBack();
    return promise;
  };
}

/**
 * Makes one attempt. `webhook-id` is the same for all attempts; `webhook-timestamp` is the time of the attempt (Standard Webhooks).
 * @returns undefined when nothing was sent, because the delivery has ended or is held
 */
export async function attemptDelivery(runtime: Attempting, delivery: DeliveryToSend): Promise<Outcome | undefined> {
  const { body, paused_at } = delivery;
  const keyEnd = whyNotInForce(delivery, runtime.now());
  if (keyEnd !== undefined) return giveUp(runtime, delivery, keyEnd);
  if (body === null) return giveUp(runtime, delivery, PAYLOAD_EXPIRED);
  if (paused_at !== null) return hold(runtime, delivery);
  const startedAt = runtime.now();
  const began = performance.now();
  try {
    const { keys, providers } = runtime;
    const sent = { startedAt, body: unsealJson(body, keys.encryption) };
    const answer = await signedPost(runtime, providers.outbound.deliver, delivery, sent);
    return { startedAt, durationMs: performance.now() - began, ...answer };
  } catch (error) {
    if (!(error instanceof BrokenSeal)) throw error;
    // Counts as an attempt, because only a change of the keys helps: otherwise the delivery would be claimed again forever.
    const unsent = { statusCode: null, error: UNREADABLE, fault: 'ours' as const, excerpt: null };
    return { startedAt, durationMs: performance.now() - began, ...unsent, retryAfterMs: undefined };
  }
}

/** Webhooks of a revoked or expired key get nothing further, pending retries included. */
async function giveUp({ db, now }: Attempting, { id }: DeliveryToSend, reason: string): Promise<undefined> {
  await giveUpDelivery(db, id, { reason, now: now() });
}

/** The lock makes a concurrent resume wait: a delivery held after the resume would never be sent. */
async function hold({ db }: Attempting, { id, webhook_id }: DeliveryToSend): Promise<undefined> {
  await inTransaction(db, async (trx) => {
    const paused = await lockPausedWebhooks(trx, [webhook_id]);
    if (paused.has(webhook_id)) await holdDelivery(trx, id);
  });
}

/** POSTs the body unchanged, signed with the webhook's secrets if it has any. */
export async function signedPost(
  { keys, now }: Posting,
  post: OutboundHttp['post'],
  {
    id,
    url,
    sealed_secret,
    sealed_former_secrets,
  }: Pick<DeliveryToSend, 'id' | 'url' | 'sealed_secret' | 'sealed_former_secrets'>,
  { startedAt, body }: { startedAt: Date; body: string },
): Promise<Omit<Outcome, 'startedAt' | 'durationMs'>> {
  const open = (sealed: string) => unsealText(sealed, keys.encryption);
  const current = sealed_secret === null ? [] : [open(sealed_secret)];
  // Receivers with the current secret must not miss what a damaged former one signed beside it.
  const former = sealed_former_secrets.flatMap((sealed) => ifOpened(() => open(sealed)) ?? []);
  const secrets = [...current, ...former];
  const signature = secrets.length > 0 ? signatureHeaders(id, startedAt, body, secrets) : {};
  const headers = { 'content-type': 'application/json', 'user-agent': 'tenant-screening-webhooks/1', ...signature };
  try {
    const { statusCode, excerpt, hint, retryAfter } = await post(url, headers, body);
    const isSuccess = statusCode >= 200 && statusCode < 300;
    return {
      statusCode,
      error: isSuccess ? null : `answered ${statusCode}${hint === undefined ? '' : ` (${hint})`}`,
      fault: null,
      excerpt,
      retryAfterMs: retryAfterMs(retryAfter, now()),
    };
  } catch (error) {
    // Local failures do not count as a delivery attempt.
    if (!(error instanceof OutboundError) || error.kind === 'ours') throw error;
    return { statusCode: null, error: error.message, fault: error.kind, excerpt: null, retryAfterMs: undefined };
  }
}

/**
 * An unrecorded outcome means a repeated attempt, so wait while the database is unavailable. When it is available, an outcome that it
 * refuses must not block other outcomes.
 */
async function recordWithRetries(runtime: Delivering, attempts: Attempt[], stopping: AbortSignal): Promise<void> {
  const { db, log } = runtime;
  for (;;)
    try {
      return await recordOutcomes(runtime, attempts);
    } catch (err) {
      if (stopping.aborted) throw err;
      log.warn({ err, attempts: attempts.length }, 'outcomes not recorded yet; retrying');
      if (await isReachable(db)) break;
      await after(RECORD_RETRY_MS);
    }
  for (const attempt of attempts)
    await recordOutcomes(runtime, [attempt]).catch((err) =>
      log.error({ delivery: attempt.delivery.id, err }, 'delivery outcome not recorded'),
    );
}

function noteAttempt({ log, work }: Delivering, { delivery, outcome }: Attempt): void {
  const { statusCode, fault, error, durationMs } = outcome;
  const { id, event, attempts } = delivery;
  const answer = { statusCode, fault, durationMs: Math.round(durationMs) };
  log.info({ delivery: id, event, attempt: attempts + 1, ...answer }, 'delivery attempted');
  work.emit('delivery attempted', error === null ? 'success' : (fault ?? 'refused'));
}
