import type { Log } from '../../core/log.ts';
import { type Clock, isoAfter } from '../../core/time.ts';
import type { Database } from '../../db/connection/connect.ts';
import type { WorkRow, WorkTable } from '../../db/work/work.ts';
import { MailDelayed, MailRefused } from '../../providers/mail/port.ts';
import { type JobName, LEASE_SECONDS, type Queue, type Worker } from './queue.ts';

/** What claiming needs of the service. */
interface Claims {
  db: Database;
  queue: Queue;
  now: Clock;
  log: Log;
}

interface Work {
  /** The table whose rows are the work. */
  table: WorkTable;
  /** How often the work may throw before it is given up. */
  failureLimit: number;
  /** The longest wait before it is tried again, where that is not LONGEST_WAIT_MS. */
  longestWaitMs?: number;
  /** Whether trying again is of no use. */
  isOver?: (error: unknown) => boolean;
  /** What is kept of an error for operators, where that is not its message. */
  reason?: (error: unknown) => string;
  /** What is forgotten of work that was given up. */
  forgotten?: { sealed_memory: null } | { sealed_token: null };
}

/** A mail server may be away for a weekend and a day: the waits until the work is given up make three days. */
const sendingInvites: Work = {
  table: 'invites',
  failureLimit: 31,
  longestWaitMs: 4 * 3_600_000,
  isOver: (error) => error instanceof MailRefused,
  reason: (error) => (error instanceof MailDelayed ? error.reason : String(error)),
  forgotten: { sealed_token: null },
};

/**
 * The kinds of background work. Deliveries are claimed, tried again and ended by `deliverer.ts`. A KYC verification is given up
 * by its time (`complete-kyc.ts`).
 */
export const works: Record<JobName, Work> = {
  'send-invite': sendingInvites,
  'complete-kyc': { table: 'kyc_verifications', failureLimit: Number.POSITIVE_INFINITY },
  'complete-eid': { table: 'eid_flows', failureLimit: 20, forgotten: { sealed_memory: null } },
  'run-forensic': { table: 'forensic_runs', failureLimit: 4 },
  'deliver-webhook': { table: 'deliveries', failureLimit: Number.POSITIVE_INFINITY },
};

/** By how much the clocks of two machines may differ. Below FIRST_WAIT_MS, so that a wait stays one. */
export const CLOCK_DIFFERENCE_MS = 1_000;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 600_000;

/** The columns that all tables of work share. */
export function workRows(db: Database, table: WorkTable) {
  return db<WorkRow>(table);
}

/**
 * Makes a worker of what is to be done with a row. Whoever moves `due_at` from the past into the future has claimed the
 * row and keeps it by moving it on; jobs that come too late or twice pass by. Ending the work clears `due_at`; a crash
 * leaves it to run out; a failure is tried again after growing waits and in the end given up.
 */
export function claiming(runtime: Claims, name: JobName, work: (id: string) => Promise<void>): Worker {
  const { db, now, log } = runtime;
  const { table } = works[name];
  return async (id) => {
    // A little ahead: the sender's clock need not be ours, and a job refused here waits for the sweep.
    let lease = isoAfter(now(), CLOCK_DIFFERENCE_MS);
    const take = async (held: '<=' | '='): Promise<boolean> => {
      const next = isoAfter(now(), LEASE_SECONDS * 1000);
      const moved = await workRows(db, table).where({ id }).where('due_at', held, lease).update({ due_at: next });
      if (moved === 1) lease = next;
      return moved === 1;
    };
    if (!(await take('<='))) return;
    const heartbeat = setInterval(
      () => {
        take('=').catch((error) => log.warn({ job: name, id, err: error }, 'lease not extended'));
      },
      (LEASE_SECONDS * 1000) / 3,
    );
    try {
      await work(id);
    } catch (error) {
      log.error({ job: name, id, err: error }, 'work failed');
      await planNextTry(runtime, name, { id, due_at: lease }, error);
    } finally {
      clearInterval(heartbeat);
    }
  };
}

/** Only while the lease is held: who lost it must not take the row from whoever works on it now. */
async function planNextTry(
  { db, queue, now }: Claims,
  name: JobName,
  held: { id: string; due_at: string },
  error: unknown,
): Promise<void> {
  const { id } = held;
  const { table, failureLimit, longestWaitMs = LONGEST_WAIT_MS, isOver, reason = String, forgotten } = works[name];
  await db.transaction(async (trx) => {
    const row = await workRows(trx, table).where(held).forNoKeyUpdate().first('failures');
    if (!row) return;
    const failures = row.failures + 1;
    const moment = now();
    const next = new Date(moment.getTime() + Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), longestWaitMs));
    const givenUp = failures >= failureLimit || isOver?.(error) === true;
    await workRows(trx, table)
      .where({ id })
      .update({
        failures,
        failure: reason(error),
        due_at: givenUp ? null : next.toISOString(),
        ...(givenUp ? { status: 'failed', finished_at: moment.toISOString(), ...forgotten } : {}),
      });
    if (!givenUp) await queue.send(trx, name, { id, startAfter: next });
  });
}
