import { doubling, type RetryPolicy } from '../../core/rules/retry-delay.ts';
import type { FailedWork, WorkTable } from '../../db/work/work.ts';
import { MailDelayed, MailRefused } from '../../providers/mail/port.ts';

/** How the rows of one kind of work are claimed, processed and retried. */
export interface Kind {
  table: WorkTable;
  /** How many rows one process works on at once. */
  concurrency: number;
  /** Without one, an error leaves the row leased until its lease expires. */
  retry?: RetryPolicy;
  /** Whether a retry is useless. */
  isOver?: (error: unknown) => boolean;
  /** The error as operators see it; its message by default. */
  reason?: (error: unknown) => string;
  /** Secrets that are cleared when the work is given up. */
  forgotten?: Pick<FailedWork, 'sealed_memory' | 'sealed_token'>;
}

const MAX_MAIL_DELAY_MS = 4 * 3_600_000;

const all = {
  'send-invite': {
    table: 'invites',
    // How many are claimed at once. The lanes limit how many are sent concurrently (`turns.ts`).
    concurrency: 200,
    // Three days in all: a mail server may be down over a weekend.
    retry: { delaysMs: doubling(31, MAX_MAIL_DELAY_MS) },
    isOver: (error) => error instanceof MailRefused,
    reason: (error) => (error instanceof MailDelayed ? error.reason : String(error)),
    forgotten: { sealed_token: null },
  },
  // Given up by time (`complete-kyc.ts`).
  'complete-kyc': { table: 'kyc_verifications', concurrency: 4, retry: { delaysMs: doubling(11), endless: true } },
  'complete-eid': {
    table: 'eid_flows',
    concurrency: 4,
    retry: { delaysMs: doubling(20) },
    forgotten: { sealed_memory: null },
  },
  'run-forensic': { table: 'forensic_runs', concurrency: 2, retry: { delaysMs: doubling(4) } },
  // The lanes limit concurrency, and `record-outcomes.ts` plans retries by the setting WEBHOOK_RETRIES.
  'deliver-webhook': { table: 'deliveries', concurrency: 512 },
} satisfies Record<string, Kind>;

export type JobName = keyof typeof all;

/** Every kind of background work. */
export const kinds: Record<JobName, Kind> = all;

export const jobNames = Object.keys(kinds) as JobName[];
