import type { Log } from '../../core/log.ts';
import type { Clock } from '../../core/time.ts';
import type { Database } from './database.ts';
import { prepared } from './prepared.ts';

const MEASURE_MS = 60_000;
/** A smaller difference is harmless. */
const TOLERANCE_MS = 500;

const time = prepared<{ ms: number }>((dialect) =>
  dialect === 'postgres'
    ? 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms'
    : "select unixepoch('subsec') * 1000 as ms",
);

/** The time by the clock of the database. */
export async function databaseTime(db: Database): Promise<Date> {
  const [answer] = await time(db);
  if (!answer) throw new Error('The database does not tell the time.');
  return new Date(answer.ms);
}

/**
 * A clock that all processes of a database share: the database's, where ours differs. Leases compare times from several machines, and a
 * wrong clock would reclaim work that others are still doing. Between two readings it runs on the monotonic clock, so a step of the wall
 * clock has no effect.
 */
export async function clockOf(db: Database, log: Log): Promise<{ now: Clock; stop: () => Promise<void> }> {
  let originMs = Date.now() - performance.now();
  const measure = async () => {
    const askedAt = performance.now();
    const [answer] = await time(db);
    const halfMs = (performance.now() - askedAt) / 2;
    const differenceMs = answer ? answer.ms - (originMs + askedAt + halfMs) : 0;
    // A slow answer makes the reading less exact.
    if (Math.abs(differenceMs) <= TOLERANCE_MS + halfMs) return;
    log.warn({ differenceMs }, 'clock skew: using the clock of the database');
    originMs += differenceMs;
  };
  await measure();
  const timer = setInterval(() => measure().catch((err) => log.warn({ err }, 'clock skew not measured')), MEASURE_MS);
  timer.unref();
  return { now: () => new Date(originMs + performance.now()), stop: async () => clearInterval(timer) };
}
