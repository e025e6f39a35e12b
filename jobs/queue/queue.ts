import { randomUUID } from 'node:crypto';
import { correlated, correlationId } from '../../core/correlation.ts';
import type { Log } from '../../core/log.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import type { ShortTransaction } from '../../db/connection/short-transaction.ts';

/** The kinds of background work. Each has one worker and works on the rows of one table. */
export type JobName = 'send-invite' | 'complete-kyc' | 'complete-eid' | 'run-forensic' | 'deliver-webhook';

export interface JobSettings {
  /** How often a job that throws is run again before it is given up. */
  retryLimit: number;
  /** Wait before the first retry in whole seconds; it doubles each time. */
  retryDelaySeconds: number;
  /** The longest wait between two retries. */
  retryDelayMaxSeconds: number;
  /** How many run at once in one process. */
  concurrency: number;
}

/**
 * Work that fails plans its next try by itself (`work.ts`); these retries are for what fails around it, such as a database
 * that is away.
 */
const aroundWork = { retryLimit: 8, retryDelaySeconds: 2, retryDelayMaxSeconds: 600 };

export const jobSettings: Record<JobName, JobSettings> = {
  'send-invite': { ...aroundWork, concurrency: 4 },
  'complete-kyc': { ...aroundWork, concurrency: 4 },
  'complete-eid': { ...aroundWork, concurrency: 4 },
  'run-forensic': { ...aroundWork, concurrency: 2 },
  // A job ends when the delivery was handed to its endpoint's lane, so none is slow.
  'deliver-webhook': { ...aroundWork, concurrency: 512 },
};

/** A job whose process died is run again once its lease, kept alive by a heartbeat, has run out. */
export const LEASE_SECONDS = 15;

/** What runs a job. A job carries the id of a row and nothing else, so it may run twice, late or again after a crash. */
export type Worker = (id: string) => Promise<void>;

export type Workers = Partial<Record<JobName, Worker>>;

/** The row that a job is for; an id alone is for now. */
export type Sent = string | SentWork;

export interface SentWork {
  id: string;
  /** The moment before which it does not start. */
  startAfter?: Date;
  /** Lets whatever happens meanwhile go first: it is one of many that were sent in bulk. */
  bulk?: boolean;
  /** What the job belongs to, where that is not what is being worked on. */
  correlationId?: string;
}

/**
 * Sending belongs to the transaction that makes the work: both are kept or neither is. While a job for a row waits, another
 * for the same row is not added; one that is sent for now brings the waiting one forward.
 */
export interface Queue {
  send(trx: Transaction | ShortTransaction, name: JobName, jobs: Sent | readonly Sent[]): Promise<void>;
  /** Forgets the jobs of rows, whether they wait, run or are over. @returns how many they were */
  forget(trx: Transaction, ids: readonly string[]): Promise<number>;
  /** Begins to run the jobs that have a worker. */
  start(workers: Workers): Promise<void>;
  /** Takes no more jobs and waits for those that run. */
  stop(): Promise<void>;
}

/** What is stored of a job: the row's id and the correlation id of the request or job that sent it. */
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
