import { setTimeout as wait } from 'node:timers/promises';
import { isoAfter } from '../core/time.ts';
import { acquireLeadership, releaseLeadership } from '../db/work/leaders.ts';
import type { QueueContext } from './kind.ts';
import { newLeaseName } from './worker.ts';

const DUTY = 'periodic';
const LEASE_MS = 6_000;
const RENEW_MS = 1_500;

/** A duty that one process at a time performs periodically. */
export interface Duty {
  name: string;
  /** From the end of one run to the start of the next. */
  everyMs: number;
  work: () => Promise<unknown>;
}

/**
 * Performs the duties while this process is the leader:
 * 1. Every process requests the lease every few seconds, which renews it for its holder.
 * 2. A duty runs only while the lease lasts by our own clock. Each is safe to run concurrently: the lease saves work, it does not protect
 *    anything.
 * 3. A leader that stops releases its lease. When it dies, the lease expires and any other process takes over.
 * @returns a function that gives up leadership
 */
export function lead(
  { db, now, log }: Omit<QueueContext<never>, 'work'>,
  duties: readonly Duty[],
  leased_by = newLeaseName(),
): () => Promise<void> {
  const ending = new AbortController();
  let ledUntil = 0;
  const renew = async () => {
    const leased_until = isoAfter(now(), LEASE_MS);
    const until = performance.now() + LEASE_MS;
    const isTaken = await acquireLeadership(db, { duty: DUTY, leased_by, leased_until }, now());
    if (isTaken && ledUntil === 0) log.debug({ process: leased_by }, 'became leader: performs the periodic duties');
    ledUntil = isTaken ? until : 0;
  };
  const once = ({ name, work }: Duty) => work().catch((err) => log.error({ duty: name, err }, 'periodic duty failed'));
  const isLeader = () => performance.now() < ledUntil;
  const repeat = async (duty: Duty, isOurs = () => true) => {
    while (!ending.signal.aborted) {
      if (isOurs()) await once(duty);
      await wait(duty.everyMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const lease = { name: 'lease of the leader', everyMs: RENEW_MS, work: renew };
  const done = once(lease).then(() => Promise.all([repeat(lease), ...duties.map((duty) => repeat(duty, isLeader))]));
  return async () => {
    ending.abort();
    await done;
    if (ledUntil > 0)
      await releaseLeadership(db, { duty: DUTY, leased_by }).catch((err) =>
        log.warn({ err }, 'leadership not released'),
      );
  };
}
