import { doubling } from '../../core/rules/retry-delay.ts';
import { HOUR_MS } from '../../core/time.ts';
import type { JobName, Runtime } from '../../jobs/runtime.ts';
import { MailDelayed, MailRefused } from '../../providers/mail/port.ts';
import { type Kind, namesOf } from '../../queue/kind.ts';
import { type Ending, fairSlots, type LanePolicy } from '../../queue/lane-policy.ts';
import type { TurnPolicy, Work } from '../../queue/worker.ts';

/** What the work needs of the service. */
export type Working = Omit<Runtime, 'mode' | 'profileDays' | 'addresses' | 'retention'>;

/** @param stopping aborts when the process stops: the work must not wait any longer for something to recover */
type Begin = (runtime: Working, stopping: AbortSignal) => Work;

interface ServiceKind extends Kind {
  turns(runtime: Working): TurnPolicy;
  /** Loads the code of the work, which only processes with workers need. */
  load(): Promise<Begin>;
}

const MAX_MAIL_DELAY_MS = 4 * HOUR_MS;
/** Polls of a provider are few and short. */
const POLLS_AT_ONCE = 4;

/**
 * One lane per endpoint, a bulkhead: endpoints that hang or fail do not slow down healthy endpoints. An attempt older than `slowAfterMs`
 * gives up its slot and keeps its socket. A party leaves some slots to others even when it is alone, so that theirs begin immediately.
 */
export const deliveryLanes: LanePolicy = {
  // AIMD.
  window: { initial: 4, max: 64, grown: (window) => window + 1, shrunk: (window) => window - 4 },
  maxWaiting: 4_000,
  slots: { atOnce: 112, ofOneParty: 96, ofOnePerson: 96 },
  doubtful: { maxWaiting: 2_000, slots: { atOnce: 64, ofOneParty: 48, ofOnePerson: 48 } },
  slowAfterMs: 1_000,
  inFlight: { atOnce: 2_000, ofOneParty: 1_000, ofOnePerson: 1_000 },
};

const eachRow =
  (work: (runtime: Working, id: string) => Promise<Ending>): Begin =>
  (runtime) =>
  (id) =>
    work(runtime, id);

/** Every kind of background work: the table of its rows, how they are claimed, take turns and are retried, and the code that does it. */
export const kinds: Readonly<Record<JobName, ServiceKind>> = {
  'send-invite': {
    table: 'invites',
    // How many are claimed at once. The lanes limit how many are sent concurrently.
    concurrency: 200,
    turns: ({ mailsAtOnce }) => ({ lanes: fairSlots(mailsAtOnce) }),
    // Three days in all: a mail server may be down over a weekend.
    retry: { delaysMs: doubling(31, MAX_MAIL_DELAY_MS) },
    isPermanent: (error) => error instanceof MailRefused,
    reason: (error) => (error instanceof MailDelayed ? error.reason : String(error)),
    load: async () => eachRow((await import('../../jobs/invitations/send-invite.ts')).sendInvite),
  },
  'complete-kyc': {
    table: 'kyc_verifications',
    concurrency: 200,
    turns: () => ({ lanes: fairSlots(POLLS_AT_ONCE) }),
    // Endless: `complete-kyc.ts` gives up by time.
    retry: { delaysMs: doubling(11), endless: true },
    load: async () => eachRow((await import('../../jobs/identity/complete-kyc.ts')).completeKyc),
  },
  'complete-eid': {
    table: 'eid_flows',
    concurrency: 200,
    turns: () => ({ lanes: fairSlots(POLLS_AT_ONCE) }),
    retry: { delaysMs: doubling(20) },
    load: async () => eachRow((await import('../../jobs/identity/complete-eid.ts')).completeEid),
  },
  'run-forensic': {
    table: 'forensic_runs',
    concurrency: 4,
    // The engine's permits limit how many documents are analysed concurrently: `bin/service/build.ts`.
    turns: () => ({ claimed: { atOnce: 4, ofOneKey: 2 } }),
    retry: { delaysMs: doubling(4) },
    load: async () => eachRow((await import('../../jobs/documents/run-forensic.ts')).runForensic),
  },
  'fetch-bank': {
    table: 'bank_connections',
    concurrency: 50,
    turns: () => ({ lanes: fairSlots(POLLS_AT_ONCE) }),
    // Endless: `fetch-bank.ts` gives up by time.
    retry: { delaysMs: doubling(9), endless: true },
    load: async () => eachRow((await import('../../jobs/banking/fetch-bank.ts')).fetchBank),
  },
  'make-report': {
    table: 'reports',
    concurrency: 4,
    turns: () => ({ claimed: { atOnce: 2, ofOneKey: 1 } }),
    retry: { delaysMs: doubling(4) },
    load: async () => eachRow((await import('../../jobs/reports/make-report.ts')).makeReport),
  },
  'deliver-webhook': {
    table: 'deliveries',
    concurrency: 512,
    turns: () => ({ lanes: deliveryLanes }),
    // `record-outcomes.ts` plans retries by the setting WEBHOOK_RETRIES.
    load: async () => (await import('../../jobs/webhooks/deliver-webhook.ts')).deliverWebhooks,
  },
};

export const jobNames = namesOf(kinds);
