import type { Log } from '../../core/log.ts';
import type { Clock } from '../../core/time.ts';
import type { Database } from './connect.ts';
import { prepared } from './prepared.ts';

const MEASURE_MS = 60_000;
/** A smaller difference harms nothing. */
const TOLERANCE_MS = 500;

const time = prepared<{ ms: number }>((dialect) =>
  dialect === 'postgres'
    ? 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms'
    : "select unixepoch('subsec') * 1000 as ms",
);

/**
 * The clock that all processes of a database share: that of the database, where our own differs. Leases compare the moments of several
 * machines, and one wrong clock would make it take over what others work on. Between two looks at the database it runs on by itself: a
 * step of the wall clock moves nothing.
 */
export async function clockOf(db: Database, log: Log): Promise<{ now: Clock; stop: () => Promise<void> }> {
  let originMs = Date.now() - performance.now();
  const measure = async () => {
    const askedAt = performance.now();
    const [answer] = await time(db);
    const halfMs = (performance.now() - askedAt) / 2;
    const differenceMs = answer ? answer.ms - (originMs + askedAt + halfMs) : 0;
    // The moment of a slow answer is known less exactly.
    if (Math.abs(differenceMs) <= TOLERANCE_MS + halfMs) return;
    log.warn({ differenceMs }, 'our clock differs from that of the database, which is used');
    originMs += differenceMs;
  };
  await measure();
  const timer = setInterval(() => measure().catch((err) => log.warn({ err }, 'clock not compared')), MEASURE_MS);
  timer.unref();
  return { now: () => new Date(originMs + performance.now()), stop: async () => clearInterval(timer) };
}
