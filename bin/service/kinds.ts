import { doubling } from '../../core/rules/retry-delay.ts';
import { HOUR_MS } from '../../core/time.ts';
import type { JobName, Runtime } from '../../jobs/runtime.ts';
import { MailDelayed, MailRefused } from '../../providers/mail/port.ts';
import { type Kind, namesOf } from '../../queue/kind.ts';
import type { LanePolicy } from '../../queue/lanes.ts';
import { fairTurns } from '../../queue/turns.ts';
import type { Work } from '../../queue/worker.ts';

/** What the work needs of the service. */
export type Working = Omit<Runtime, 'mode' | 'profileDays' | 'addresses' | 'retention'>;

/** @param stopping aborts when the process stops: the work must not wait any longer for something to recover */
type Begin = (runtime: Working, stopping: AbortSignal) => Work;

interface ServiceKind extends Kind {
  /** Without lanes, rows start in the order in which they are claimed. */
  lanes?: (runtime: Working) => LanePolicy;
  /** Loads the code of the work, which only processes with workers need. */
  load(): Promise<Begin>;
}

const MAX_MAIL_DELAY_MS = 4 * HOUR_MS;

/** Delivery attempts younger than `slowAfterMs` occupy one of the slots; older attempts count as slow and occupy none. */
const SLOTS = 128;
/** The slots shared by all endpoints whose last attempt was not a prompt success: a bulkhead. */
const DOUBTFUL_SLOTS = SLOTS / 2;
/** The slots reserved for doubtful endpoints even when prompt ones could use all; new endpoints start here. */
const MIN_DOUBTFUL_SLOTS = SLOTS / 8;
/** Limit of concurrent delivery attempts: each has a socket. */
const MAX_IN_FLIGHT = 2_000;

/** One lane per endpoint, a bulkhead: hanging or failing endpoints do not slow down healthy ones. */
export const deliveryLanes: LanePolicy = {
  window: { initial: 4, max: 64, decrease: 4 },
  maxWaiting: 4_000,
  maxOtherWaiting: 2_000,
  slowAfterMs: 1_000,
  lineOf: ({ isPrompt }) => (isPrompt ? 'preferred' : 'other'),
  next({ preferred, other: doubtful }, inFlight) {
    if (preferred + doubtful >= SLOTS || inFlight >= MAX_IN_FLIGHT) return [];
    if (doubtful < MIN_DOUBTFUL_SLOTS) return ['other', 'preferred'];
    return doubtful < DOUBTFUL_SLOTS ? ['preferred', 'other'] : ['preferred'];
  },
};

const eachRow =
  (work: (runtime: Working, id: string) => Promise<void>): Begin =>
  (runtime) =>
  (id) =>
    work(runtime, id);

/** Every kind of background work: the table of its rows, how they are claimed, take turns and are retried, and the code that does it. */
export const kinds: Readonly<Record<JobName, ServiceKind>> = {
  'send-invite': {
    table: 'invites',
    // How many are claimed at once. The lanes, one per API key, limit how many are sent concurrently.
    concurrency: 200,
    lanes: ({ mailsAtOnce }) => fairTurns(mailsAtOnce),
    // Three days in all: a mail server may be down over a weekend.
    retry: { delaysMs: doubling(31, MAX_MAIL_DELAY_MS) },
    isPermanent: (error) => error instanceof MailRefused,
    reason: (error) => (error instanceof MailDelayed ? error.reason : String(error)),
    clearedOnFailure: { sealed_token: null },
    load: async () => eachRow((await import('../../jobs/invitations/send-invite.ts')).sendInvite),
  },
  'complete-kyc': {
    table: 'kyc_verifications',
    concurrency: 4,
    // Endless: `complete-kyc.ts` gives up by time.
    retry: { delaysMs: doubling(11), endless: true },
    load: async () => eachRow((await import('../../jobs/identity/complete-kyc.ts')).completeKyc),
  },
  'complete-eid': {
    table: 'eid_flows',
    concurrency: 4,
    retry: { delaysMs: doubling(20) },
    clearedOnFailure: { sealed_memory: null },
    load: async () => eachRow((await import('../../jobs/identity/complete-eid.ts')).completeEid),
  },
  'run-forensic': {
    table: 'forensic_runs',
    concurrency: 2,
    retry: { delaysMs: doubling(4) },
    load: async () => eachRow((await import('../../jobs/documents/run-forensic.ts')).runForensic),
  },
  'deliver-webhook': {
    table: 'deliveries',
    concurrency: 512,
    lanes: () => deliveryLanes,
    // `record-outcomes.ts` plans retries by the setting WEBHOOK_RETRIES.
    load: async () => (await import('../../jobs/webhooks/deliver-webhook.ts')).deliverWebhooks,
  },
};

export const jobNames = namesOf(kinds);
