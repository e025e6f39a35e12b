import { notChecked, type Observation, ok, problem, warning } from '../../core/conditions/observation.ts';
import { memoized } from '../../core/memoized.ts';
import { HOUR_MS, isoAfter, MINUTE_MS } from '../../core/time.ts';
import type { Database } from '../../db/connection/database.ts';
import { listProcesses, type ProcessRow } from '../../db/work/processes.ts';
import type { Observers } from './look.ts';

const SILENT_MS = 15_000;
const RECENT_MS = 15 * MINUTE_MS;
const MAX_DEATHS = 3;
const MAX_LOOP_DELAY_MS = 250;
const FULL_SHARE = 0.9;
const NOTED_SHARE = 0.75;

type OfProcesses = Pick<Observers, 'heartbeats' | 'restarts' | 'event-loop' | 'pool' | 'descriptors'>;

/** What the processes of the service say about themselves. */
export function ofProcesses(db: Database, now: Date): OfProcesses {
  const listed = memoized(() => listProcesses(db, isoAfter(now, -HOUR_MS)));
  const running = async () => (await listed()).filter((row) => row.ended_at === null && !isSilent(row, now));
  const worst = (judge: (rows: readonly ProcessRow[]) => Observation) => async () => {
    const rows = await running();
    return rows.length === 0 ? notChecked('No process runs that could say so.', 'Start the service.') : judge(rows);
  };
  return {
    heartbeats: async () => heartbeats(await listed(), now),
    restarts: async () => restarts(await listed(), now),
    'event-loop': worst(eventLoop),
    pool: worst(pool),
    descriptors: worst(descriptors),
  };
}

function isSilent({ beat_at }: ProcessRow, now: Date): boolean {
  return beat_at < isoAfter(now, -SILENT_MS);
}

/** Ended without a farewell. */
function died(rows: readonly ProcessRow[], now: Date): ProcessRow[] {
  return rows.filter((row) => row.ended_at === null && isSilent(row, now) && row.beat_at >= isoAfter(now, -RECENT_MS));
}

function heartbeats(rows: readonly ProcessRow[], now: Date): Observation {
  const running = rows.filter((row) => row.ended_at === null && !isSilent(row, now));
  const silent = died(rows, now).filter(
    ({ place, beat_at }) => !rows.some((other) => other.place === place && other.started_at > beat_at),
  );
  const [first] = silent;
  if (first)
    return problem(
      `Processes that have been silent: ${silent.length}. The heart of ${first.place} has not beaten since ${first.beat_at}.`,
    );
  if (running.length === 0) return warning('No process of the service runs.', 'Start the service.');
  return ok(`Processes whose heart beats: ${running.length}.`);
}

function restarts(rows: readonly ProcessRow[], now: Date): Observation {
  const deaths = died(rows, now);
  const [last] = deaths;
  if (deaths.length < MAX_DEATHS || !last) return ok('Processes end only when they are asked to.');
  return problem(
    `Processes that ended without a farewell within 15 minutes: ${deaths.length}. The last was ${last.place}, at ${last.beat_at}.`,
  );
}

function eventLoop(rows: readonly ProcessRow[]): Observation {
  const slowest = Math.max(...rows.map(({ loop_delay_ms }) => loop_delay_ms));
  if (slowest <= MAX_LOOP_DELAY_MS) return ok(`The event loops are at most ${slowest} ms late.`);
  return warning(`An event loop is ${slowest} ms late.`);
}

function pool(rows: readonly ProcessRow[]): Observation {
  const waiting = Math.max(...rows.map(({ pool_waiting }) => pool_waiting));
  if (waiting === 0) return ok('No work waits for a connection to the database.');
  return warning(`Work waits for a connection to the database: ${waiting}.`);
}

function descriptors(rows: readonly ProcessRow[]): Observation {
  const known = rows.filter(({ max_descriptors }) => max_descriptors > 0);
  if (known.length === 0)
    return notChecked('The system does not say how many files are open.', 'Nothing: only Linux says so.');
  const share = (row: ProcessRow) => row.descriptors / row.max_descriptors;
  const [fullest] = known.toSorted((a, b) => share(b) - share(a));
  if (!fullest) return ok('');
  const found = `Open files and connections: ${fullest.descriptors} of ${fullest.max_descriptors}.`;
  if (share(fullest) >= FULL_SHARE) return problem(found);
  return share(fullest) >= NOTED_SHARE ? warning(found) : ok(found);
}
