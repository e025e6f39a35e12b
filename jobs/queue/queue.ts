import { EventEmitter } from 'node:events';
import type { Transaction } from '../../db/connection/database.ts';
import type { ShortTransaction } from '../../db/connection/short-transaction.ts';
import type { JobName } from './kinds.ts';

/** Processes the rows that the queue brings. */
export interface Worker {
  /** How many more rows it can take now. */
  room(): number;
  /**
   * Claims rows and starts to process them.
   * @param hasRoom called whenever there is room again
   * @returns once they are claimed and the queue may delete them
   */
  take(ids: readonly string[], hasRoom: () => void): Promise<void>;
}

export type Workers = Partial<Record<JobName, Worker>>;

/**
 * Brings due rows to a worker within milliseconds. It holds only their ids, each once, and may lose all of them: the row is authoritative,
 * and the promoter hands over due rows that were not brought.
 */
export interface Queue {
  /**
   * Hands rows that are due now to the workers once the transaction has committed.
   * @param options `bulk` for several at once, which go behind the others
   */
  send(
    trx: Transaction | ShortTransaction,
    name: JobName,
    ids: readonly string[],
    options?: { bulk?: boolean },
  ): Promise<void>;
  /** Starts bringing rows to the workers. */
  start(workers: Workers): Promise<void>;
  /** Stops bringing rows. */
  stop(): Promise<void>;
}

/** For a short-lived process: the promoter finds the rows that it made due. */
export const noQueue: Queue = { send: async () => {}, start: async () => {}, stop: async () => {} };

/** Events of the job machinery in this process, for logs and metrics. */
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
