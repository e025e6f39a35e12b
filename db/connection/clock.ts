import type { Log } from '../../core/log.ts';
import type { Clock } from '../../core/time.ts';
import type { Database } from './connect.ts';
import { prepared } from './prepared.ts';

const MEASURE_MS = 60_000;
/** A smaller difference harms nothing, and is within what a slow answer may pretend. */
const TOLERANCE_MS = 500;

const time = prepared<{ ms: number }>((dialect) =>
  dialect === 'postgres'
    ? 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms'
    : "select unixepoch('subsec') * 1000 as ms",
);

/**
 * The clock that all processes of a database share: that of the database, where our own differs. Leases compare the moments of several
 * machines, and one wrong clock would make it take over what others work on.
 */
export async function clockOf(db: Database, log: Log): Promise<{ now: Clock; stop: () => Promise<void> }> {
  let aheadMs = 0;
  const measure = async () => {
    const askedAt = Date.now();
    const [{ ms } = { ms: askedAt }] = await time(db);
    const differenceMs = ms - (askedAt + Date.now()) / 2;
    const isWrong = Math.abs(differenceMs) > TOLERANCE_MS;
    if (isWrong && aheadMs === 0)
      log.warn({ differenceMs }, 'our clock differs from that of the database, which is used');
    aheadMs = isWrong ? differenceMs : 0;
  };
  await measure();
  const timer = setInterval(() => measure().catch((err) => log.warn({ err }, 'clock not compared')), MEASURE_MS);
  timer.unref();
  return { now: () => new Date(Date.now() + aheadMs), stop: async () => clearInterval(timer) };
}
