import type { Log } from '../../core/log.ts';
import { type Clock, isoAfter } from '../../core/time.ts';
import type { Database } from '../../db/connection/connect.ts';
import { claimWork, extendLease, lockLeased, recordFailure, type WorkTable } from '../../db/work/work.ts';
import { MailDelayed, MailRefused } from '../../providers/mail/port.ts';
import { type JobName, LEASE_SECONDS, type Queue, type Worker } from './queue.ts';

interface Claiming {
  db: Database;
  queue: Queue;
  now: Clock;
  log: Log;
}

/** How the rows of one kind of work are claimed and retried. */
interface Claim {
  table: WorkTable;
  /** How many failures end the work. */
  failureLimit: number;
  /** The longest back-off; LONGEST_WAIT_MS by default. */
  longestWaitMs?: number;
  /** Whether a retry is useless. */
  isOver?: (error: unknown) => boolean;
  /** What operators see of an error; its message by default. */
  reason?: (error: unknown) => string;
  /** Secrets that are cleared when the work is given up. */
  forgotten?: { sealed_memory: null } | { sealed_token: null };
}

/** The back-off adds up to three days: a mail server may be down over a weekend. */
const sendingInvites: Claim = {
  table: 'invites',
  failureLimit: 31,
  longestWaitMs: 4 * 3_600_000,
  isOver: (error) => error instanceof MailRefused,
  reason: (error) => (error instanceof MailDelayed ? error.reason : String(error)),
  forgotten: { sealed_token: null },
};

/** Every kind of background work. `deliverer.ts` claims and retries deliveries; `complete-kyc.ts` gives verifications up by time. */
export const claims: Record<JobName, Claim> = {
  'send-invite': sendingInvites,
  'complete-kyc': { table: 'kyc_verifications', failureLimit: Number.POSITIVE_INFINITY },
  'complete-eid': { table: 'eid_flows', failureLimit: 20, forgotten: { sealed_memory: null } },
  'run-forensic': { table: 'forensic_runs', failureLimit: 4 },
  'deliver-webhook': { table: 'deliveries', failureLimit: Number.POSITIVE_INFINITY },
};

/** By how much the clocks of two machines may differ. Below FIRST_WAIT_MS, so that a back-off is not skipped. */
export const CLOCK_DIFFERENCE_MS = 1_000;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 600_000;

/**
 * Makes a worker that claims a row before it works on it:
 * 1. claim: move `due_at` from the past to the end of a lease; if another process was faster, the job is a no-op;
 * 2. heartbeat: extend the lease while the work runs, so that only a crash lets it expire;
 * 3. work: ending the work clears `due_at`;
 * 4. on failure, while the lease is still held: plan the next try with back-off, or give the row up.
 */
export function claiming(runtime: Claiming, name: JobName, work: (id: string) => Promise<void>): Worker {
  const { db, now, log } = runtime;
  const { table } = claims[name];
  const leaseFromNow = () => isoAfter(now(), LEASE_SECONDS * 1000);
  return async (id) => {
    let lease = leaseFromNow();
    // A job that is refused here because of a skewed clock would wait for the sweep.
    if (!(await claimWork(db, table, id, { dueBefore: isoAfter(now(), CLOCK_DIFFERENCE_MS), lease }))) return;
    const extend = async () => {
      const to = leaseFromNow();
      if (await extendLease(db, table, id, { from: lease, to })) lease = to;
    };
    const heartbeat = setInterval(
      () => {
        extend().catch((error) => log.warn({ job: name, id, err: error }, 'lease not extended'));
      },
      (LEASE_SECONDS * 1000) / 3,
    );
    try {
      await work(id);
    } catch (error) {
      log.error({ job: name, id, err: error }, 'work failed');
      await planNextTry(runtime, name, { id, lease }, error);
    } finally {
      clearInterval(heartbeat);
    }
  };
}

/** A no-op once the lease is lost: the row belongs to another process then. */
async function planNextTry(
  { db, queue, now }: Claiming,
  name: JobName,
  held: { id: string; lease: string },
  error: unknown,
): Promise<void> {
  const { id } = held;
  const { table, failureLimit, longestWaitMs = LONGEST_WAIT_MS, isOver, reason = String, forgotten } = claims[name];
  await db.transaction(async (trx) => {
    const formerFailures = await lockLeased(trx, table, held);
    if (formerFailures === undefined) return;
    const failures = formerFailures + 1;
    const moment = now();
    const next = new Date(moment.getTime() + Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), longestWaitMs));
    const givenUp = failures >= failureLimit || isOver?.(error) === true;
    await recordFailure(trx, table, id, {
      failures,
      failure: reason(error),
      due_at: givenUp ? null : next.toISOString(),
      ...(givenUp ? { status: 'failed', finished_at: moment.toISOString(), ...forgotten } : {}),
    });
    if (!givenUp) await queue.send(trx, name, { id, startAfter: next });
  });
}
