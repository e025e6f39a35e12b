import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../core/log.ts';
import { type Clock, isoAfter } from '../../core/time.ts';
import type { Database } from '../../db/connection/connect.ts';
import { endLead, takeLead } from '../../db/work/leaders.ts';
import { newLeaseName } from './worker.ts';

const DUTY = 'periodic';
const LEASE_MS = 6_000;
const RENEW_MS = 1_500;

/** What one process at a time does again and again. */
export interface Duty {
  name: string;
  /** From the end of one time to the beginning of the next. */
  everyMs: number;
  work: () => Promise<unknown>;
}

/**
 * Does the duties while this process is the leader:
 * 1. Every process asks for the lease every few seconds; the one that has it renews it so.
 * 2. A duty is done only while the lease lasts by our own clock. Each is safe beside another process that does the same: the lease
 *    spares work, it protects nothing.
 * 3. A leader that stops ends its lease. That of one that dies expires, and any other process takes over.
 * @returns what ends the lead
 */
export function lead(
  { db, now, log }: { db: Database; now: Clock; log: Log },
  duties: readonly Duty[],
  leased_by = newLeaseName(),
): () => Promise<void> {
  const ending = new AbortController();
  let ledUntil = 0;
  const renew = async () => {
    const leased_until = isoAfter(now(), LEASE_MS);
    const until = performance.now() + LEASE_MS;
    const isLeader = await takeLead(db, { duty: DUTY, leased_by, leased_until }, now());
    if (isLeader && ledUntil === 0) log.debug({ process: leased_by }, 'does the periodic work from now on');
    ledUntil = isLeader ? until : 0;
  };
  const once = ({ name, work }: Duty) => work().catch((err) => log.error({ duty: name, err }, 'periodic work failed'));
  const repeat = async (duty: Duty) => {
    while (!ending.signal.aborted) {
      await once(duty);
      await wait(duty.everyMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const lease = { name: 'lease of the leader', everyMs: RENEW_MS, work: renew };
  const whileLeading = async ({ work }: Duty) => (performance.now() < ledUntil ? work() : undefined);
  const done = once(lease).then(() =>
    Promise.all([lease, ...duties.map((duty) => ({ ...duty, work: () => whileLeading(duty) }))].map(repeat)),
  );
  return async () => {
    ending.abort();
    await done;
    if (ledUntil > 0) await endLead(db, { duty: DUTY, leased_by }).catch((err) => log.warn({ err }, 'lead not ended'));
  };
}
