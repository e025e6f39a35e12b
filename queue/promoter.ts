import { idsOf } from '../core/ids.ts';
import { UNKNOWN_KEY } from '../core/party.ts';
import { isoAfter, MINUTE_MS } from '../core/time.ts';
import { databaseTime } from '../db/connection/clock.ts';
import { inTransaction } from '../db/connection/transactions.ts';
import { leaseToQueue, QUEUE_LEASE_MS } from '../db/work/in-turn.ts';
import { setWorkAside } from '../db/work/set-aside.ts';
import {
  countExpiries,
  type HandedOver,
  postponeWork,
  QUEUED,
  tablesWithDueWork,
  type WorkTable,
} from '../db/work/work.ts';
import { type Kinds, namesOf, type QueueContext } from './kind.ts';
import type { Queue } from './queue.ts';

/** Together with the interval of the passes, limits what the queue holds: this many rows for each pass within a lease. */
const MAX_ROWS_PER_PASS = 500;
/** How many rows of one API key each pass brings in front of what others send; a backlog follows behind. */
const MAX_IN_FRONT_PER_PASS = 25;
/** Work whose lease expired this often kills its worker: it is set aside. */
export const MAX_EXPIRIES = 5;
/** From here on the work is suspect: workers start it one at a time and count its starts, so that work beside it does not count as guilty. */
export const MIN_SUSPECT_EXPIRIES = 2;
/**
 * How long a suspect waits for its next start, by its expired leases. Workers that are killed for another reason die in bursts, and work that
 * they had at the time must outlast one; guilty work kills its worker after any pause.
 */
const PAUSES_MS = new Map([
  [3, MINUTE_MS],
  [4, 5 * MINUTE_MS],
]);

type Promoting<Name extends string> = QueueContext<Name> & { queue: Pick<Queue<Name>, 'send'>; kinds: Kinds<Name> };

/** The API key whose turn was last, for each table. */
export type LastKeys = Map<WorkTable, string>;

/**
 * Enqueues rows that have become due, or that the queue or a dead worker has lost. In one transaction for each kind:
 * 1. lease rows to the queue, of one API key after the other, skipping locked rows, which are being claimed;
 * 2. count the leases that expired, let suspects pause, and set work aside whose lease expired too often;
 * 3. send the rest: a few of each API key, and behind the rows of all others what else they have. A crash in between has no effect.
 * A kind whose table fails does not stop the others.
 * @throws when the database is unavailable
 */
export async function promote<Name extends string>(
  promoting: Promoting<Name>,
  lastKeys: LastKeys = new Map(),
): Promise<void> {
  const { db, now, log, kinds } = promoting;
  const names = namesOf(kinds);
  const due: ReadonlySet<WorkTable> = await tablesWithDueWork(db, now()).catch(async () => {
    // One statement asks about all tables, so one failing table hides the other tables. Without a database, this throws.
    await databaseTime(db);
    return new Set(names.map((name) => kinds[name].table));
  });
  for (const job of names)
    if (due.has(kinds[job].table))
      await promoteKind(promoting, job, lastKeys).catch((err) => log.error({ job, err }, 'due jobs not enqueued'));
}

async function promoteKind<Name extends string>(
  { db, queue, kinds, now, work }: Promoting<Name>,
  name: Name,
  lastKeys: LastKeys,
): Promise<void> {
  const { table } = kinds[name];
  const { rows, aside, lastKey } = await inTransaction(db, async (trx) => {
    const until = isoAfter(now(), QUEUE_LEASE_MS);
    const turn = { limit: MAX_ROWS_PER_PASS, after: lastKeys.get(table) ?? '' };
    const leased = await leaseToQueue(trx, table, { now: now(), until, ...turn });
    const guilty = leased.rows.filter((row) => hasExpired(row) && row.expiries >= MAX_EXPIRIES);
    const uncounted = leased.rows.filter((row) => hasExpired(row) && row.expiries < MIN_SUSPECT_EXPIRIES);
    await countExpiries(trx, table, idsOf(uncounted));
    await setWorkAside(trx, table, idsOf(guilty), now());
    const pausing = leased.rows.filter((row) => hasExpired(row) && PAUSES_MS.has(row.expiries));
    for (const [expiries, pauseMs] of PAUSES_MS) {
      const rows = pausing.filter((row) => row.expiries === expiries);
      await postponeWork(trx, table, idsOf(rows), isoAfter(now(), pauseMs));
    }
    const sent = leased.rows.filter((row) => !guilty.includes(row) && !pausing.includes(row));
    const ofKeys = [...Map.groupBy(sent, ({ api_key_id }) => api_key_id ?? UNKNOWN_KEY).values()];
    const front = ofKeys.flatMap((rows) => rows.slice(0, MAX_IN_FRONT_PER_PASS));
    const behind = ofKeys.flatMap((rows) => rows.slice(MAX_IN_FRONT_PER_PASS));
    if (front.length > 0) await queue.send(trx, name, idsOf(front));
    if (behind.length > 0) await queue.send(trx, name, idsOf(behind), true);
    return { ...leased, aside: guilty };
  });
  lastKeys.set(table, lastKey);
  for (const row of rows) if (hasExpired(row)) work.emit('lease expired', name, row.id);
  for (const { id } of aside) work.emit('set aside', name, id);
}

/** A worker had it and did not end it. */
function hasExpired({ leased_by }: HandedOver): boolean {
  return leased_by !== null && leased_by !== QUEUED;
}
