import { memoized } from '../../core/memoized.ts';
import { isoAfter } from '../../core/time.ts';
import { findWaitingMails } from '../../db/applications/invites.ts';
import { latestBackupAt, latestEntryAt } from '../../db/audit/audit.ts';
import { countWaiting } from '../../db/audit/audit-chain.ts';
import { type Database, dialectOf } from '../../db/connection/database.ts';
import { readDatabaseClock } from '../../db/connection/database-facts.ts';
import { partitionsUntil } from '../../db/connection/partitions/partitions.ts';
import { findHinderedEidFlows } from '../../db/identity/eid-flows.ts';
import { countPausedWebhooks } from '../../db/webhooks/delivery-lists.ts';
import { QUEUE_LEASE_MS } from '../../db/work/in-turn.ts';
import { listWaitingWork } from '../../db/work/work-lists.ts';
import { PUT_OFF } from '../../providers/mail/port.ts';
import { namesOf } from '../../queue/kind.ts';
import type { JobName, Runtime } from '../runtime.ts';

/** Work that fails until something is mended, counted up to a limit, and why the latest failed. */
export interface Hindered {
  count: number;
  failure: string | null;
}

/** The state of the whole service according to the database, for metrics and the doctor. */
export interface ServiceState {
  pausedWebhooks: number;
  /** Mails that wait until the operator has done something. */
  waitingMails: Hindered;
  /** National eID flows that their provider keeps from ending. */
  hinderedSignIns: Hindered;
  unchainedEntries: number;
  /** Since the last backup; undefined when none is known. */
  backupAgeSeconds: number | undefined;
  /** Time until the first table has no partition for new rows; undefined without partitions. */
  partitionsAheadSeconds: number | undefined;
}

/** Reads the state once, for all that rests on it. */
export type StateRead = () => Promise<ServiceState>;

export function stateRead(db: Database, now: Date): StateRead {
  return memoized(() => serviceState(db, now));
}

/** The limit of each count, so that polling stays cheap. */
const MAX_COUNTED = 10_000;

/** The cost is bounded, however much the database holds. */
export async function serviceState(db: Database, now: Date): Promise<ServiceState> {
  const backupAt = await latestBackupAt(db);
  const until = await partitionsUntil(db);
  return {
    pausedWebhooks: await countPausedWebhooks(db, now),
    waitingMails: await findWaitingMails(db, { except: PUT_OFF }, MAX_COUNTED),
    hinderedSignIns: await findHinderedEidFlows(db, now, MAX_COUNTED),
    unchainedEntries: await countWaiting(db, MAX_COUNTED),
    backupAgeSeconds: backupAt === undefined ? undefined : secondsSince(backupAt, now.getTime()),
    partitionsAheadSeconds: until && (until.getTime() - now.getTime()) / 1000,
  };
}

/** Work of one kind that waits for a worker, and for how many seconds the oldest has been due. */
export interface WaitingWork {
  kind: JobName;
  waiting: number;
  oldestDueSeconds: number;
}

/** Rows that the promoter has handed to the queue are due when that lease ends: they have waited at least since it began. */
export async function waitingWork({ db, kinds }: Pick<Runtime, 'db' | 'kinds'>, now: Date): Promise<WaitingWork[]> {
  const rows = await listWaitingWork(db, now, isoAfter(now, QUEUE_LEASE_MS));
  return namesOf(kinds).map((kind) => {
    const row = rows.find(({ name }) => name === kinds[kind].table);
    const due = row?.due_since ? secondsSince(row.due_since, now.getTime()) : 0;
    const queued = row?.queued_until ? secondsSince(row.queued_until, now.getTime()) + QUEUE_LEASE_MS / 1000 : 0;
    return { kind, waiting: row?.waiting ?? 0, oldestDueSeconds: Math.max(0, due, queued) };
  });
}

/** How far this machine's clock is ahead of the database's. SQLite has no clock: there, the newest audit entry must not be in the future. */
export async function clockSkewSeconds(db: Database): Promise<number> {
  if (dialectOf(db) === 'sqlite') {
    const last = await latestEntryAt(db);
    return last === undefined ? 0 : Math.min(0, secondsSince(last, Date.now()));
  }
  const asked = Date.now();
  const clock = await readDatabaseClock(db);
  const middle = (asked + Date.now()) / 2;
  return clock ? (middle - clock.getTime()) / 1000 : 0;
}

function secondsSince(moment: string, nowMs: number): number {
  return (nowMs - Date.parse(moment)) / 1000;
}
