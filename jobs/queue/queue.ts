import { EventEmitter } from 'node:events';
import type { Transaction } from '../../db/connection/connect.ts';
import type { ShortTransaction } from '../../db/connection/short-transaction.ts';
import type { JobName } from './kinds.ts';

/** Works on the rows that the queue brings. */
export interface Worker {
  /** How many more rows it can take now. */
  room(): number;
  /**
   * Claims rows and begins to work on them.
   * @param hasRoom is called each time that there is room again
   * @returns once they are claimed: the queue may forget them
   */
  take(ids: readonly string[], hasRoom: () => void): Promise<void>;
}

export type Workers = Partial<Record<JobName, Worker>>;

/**
 * Brings rows that are due to a worker within milliseconds. It holds their ids alone, each once, and may lose all of them: the row
 * is the truth, and the promoter hands over what is due and was not brought.
 */
export interface Queue {
  /**
   * Hands rows that are due now to the workers, once the transaction has committed.
   * @param options `bulk` for several at once, which go behind the others
   */
  send(
    trx: Transaction | ShortTransaction,
    name: JobName,
    ids: readonly string[],
    options?: { bulk?: boolean },
  ): Promise<void>;
  /** Starts to bring rows to the workers. */
  start(workers: Workers): Promise<void>;
  /** Brings no more rows. */
  stop(): Promise<void>;
}

/** Of a short-lived process: the promoter finds what it made due. */
export const noQueue: Queue = { send: async () => {}, start: async () => {}, stop: async () => {} };

/** What happens to work in this process, for logs and metrics. */
export interface WorkEvents {
  claimed: [name: JobName, id: string];
  started: [name: JobName, id: string];
  completed: [name: JobName, id: string, durationMs: number];
  failed: [name: JobName, id: string, error: unknown];
  'lease lost': [name: JobName, id: string];
  'lease expired': [name: JobName, id: string];
  /** `success`, or why an attempt failed. */
  'delivery attempted': [outcome: string];
  'document analysed': [outcome: string, durationMs: number];
}

export const newWorkEvents = () => new EventEmitter<WorkEvents>();
