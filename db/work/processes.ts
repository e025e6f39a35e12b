import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';

/** A process of the service, as it described itself at its last heartbeat. */
export interface ProcessRow {
  id: string;
  /** The machine and what the process does there: its successor has the same. */
  place: string;
  /** Where it listens for operators or, without such a port, for callers. */
  address: string | null;
  started_at: string;
  beat_at: string;
  /** When it was asked to end; null for one that runs or died. */
  ended_at: string | null;
  /** The 99th percentile since the heartbeat before. */
  loop_delay_ms: number;
  /** The most since the heartbeat before. */
  pool_waiting: number;
  descriptors: number;
  max_descriptors: number;
}

export async function noteHeartbeat(trx: Transaction, row: ProcessRow): Promise<void> {
  const { id, place, started_at, ...beat } = row;
  await trx('processes').insert(row).onConflict('id').merge(beat);
}

export async function noteEnd(db: Database, id: string, now: Date): Promise<void> {
  await retried(db, () => db('processes').where({ id }).update({ ended_at: now.toISOString() }));
}

/** Enough for any installation, and a bound for a process that starts in a loop. */
const MAX_LISTED = 1_000;

/** Those whose heart beat since a moment, newest first. */
export function listProcesses(db: Database, since: string): Promise<ProcessRow[]> {
  return db('processes').where('beat_at', '>=', since).orderBy('beat_at', 'desc').limit(MAX_LISTED);
}

export function findProcess(db: Database, address: string): Promise<ProcessRow | undefined> {
  return db('processes').where({ address }).orderBy('beat_at', 'desc').first();
}

export async function deleteFormerProcesses(trx: Transaction, now: Date): Promise<void> {
  await trx('processes').where('beat_at', '<', isoAfter(now, -DAY_MS)).delete();
}
