import { randomUUID } from 'node:crypto';
import { correlated, correlationId } from '../../core/correlation.ts';
import type { Log } from '../../core/log.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import type { ShortTransaction } from '../../db/connection/short-transaction.ts';

/** The kinds of background work. Each has one worker and works on the rows of one table. */
export type JobName = 'send-invite' | 'complete-kyc' | 'complete-eid' | 'run-forensic' | 'deliver-webhook';

export interface JobSettings {
  /** How often a job that throws is retried before it is given up. */
  retryLimit: number;
  /** Back-off before the first retry in whole seconds; it doubles each time. */
  retryDelaySeconds: number;
  /** The longest back-off. */
  retryDelayMaxSeconds: number;
  /** How many run at once in one process. */
  concurrency: number;
}

/** Failed work plans its own retry (`claims.ts`); these retries are for failures around it, such as an unavailable database. */
const aroundWork = { retryLimit: 8, retryDelaySeconds: 2, retryDelayMaxSeconds: 600 };

export const jobSettings: Record<JobName, JobSettings> = {
  'send-invite': { ...aroundWork, concurrency: 4 },
  'complete-kyc': { ...aroundWork, concurrency: 4 },
  'complete-eid': { ...aroundWork, concurrency: 4 },
  'run-forensic': { ...aroundWork, concurrency: 2 },
  // A job ends when the delivery was handed to its endpoint's lane, so none is slow.
  'deliver-webhook': { ...aroundWork, concurrency: 512 },
};

/** A heartbeat extends the lease of a running job. When its process dies, the job runs again once the lease has expired. */
export const LEASE_SECONDS = 15;

/** Runs a job. A job only carries the id of a row, so it may run twice, late, or again after a crash. */
export type Worker = (id: string) => Promise<void>;

export type Workers = Partial<Record<JobName, Worker>>;

/** The row that a job is for; an id alone means now. */
export type Sent = string | SentWork;

export interface SentWork {
  id: string;
  /** The job does not start before this moment. */
  startAfter?: Date;
  /** One of many sent at once: jobs that are not bulk go first. */
  bulk?: boolean;
  /** The correlation id of the sender by default. */
  correlationId?: string;
}

/**
 * Jobs are sent in the transaction that creates the work, so both commit or neither does. At most one job waits for a row:
 * sending it again is a no-op, unless it is sent for now, which brings the waiting one forward.
 */
export interface Queue {
  send(trx: Transaction | ShortTransaction, name: JobName, jobs: Sent | readonly Sent[]): Promise<void>;
  /** Deletes the jobs of rows in whatever state. @returns how many there were */
  forget(trx: Transaction, ids: readonly string[]): Promise<number>;
  /** Starts to run the jobs that have a worker. */
  start(workers: Workers): Promise<void>;
  /** Drains: takes no more jobs and waits for the running ones. */
  stop(): Promise<void>;
}

/** The stored part of a job: the row's id, and the correlation id of the request or job that sent it. */
export interface JobData {
  id: string;
  correlationId: string;
}

export function jobData(sent: SentWork): JobData {
  return { id: sent.id, correlationId: sent.correlationId ?? correlationId() ?? randomUUID() };
}

export function asWork(sent: Sent): SentWork {
  return typeof sent === 'string' ? { id: sent } : sent;
}

/** Runs one job under its sender's correlation id. Rethrows, so that the queue plans the retry. */
export function runJob(job: { name: JobName; worker: Worker; data: JobData }, log: Log): Promise<void> {
  const { name, worker } = job;
  const { id, correlationId } = job.data;
  return correlated(correlationId, async () => {
    try {
      await worker(id);
      log.debug({ job: name, id }, 'job done');
    } catch (error) {
      log.error({ job: name, id, err: error }, 'job failed');
      throw error;
    }
  });
}
