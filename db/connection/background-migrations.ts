import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { cut, oneLine } from '../../core/text.ts';
import {
  type BackFill,
  type BackgroundMigration,
  type BuildIndex,
  type Rearrangement,
  workOn,
} from '../migrations/background.ts';
import { withDatabase } from './connect.ts';
import { type Database, dialectOf } from './database.ts';
import { givingWay, inTransaction, retried } from './transactions.ts';

export interface BackgroundMigrationRow {
  name: string;
  state: 'waiting' | 'done';
  /** Where the last batch of a back-fill stopped. */
  position: string | null;
  rows_done: number;
  leased_by: string | null;
  leased_until: string | null;
  created_at: string;
  finished_at: string | null;
  /** The error of the last attempt. */
  failure: string | null;
}

const LEASE_MS = 60_000;
const RENEW_MS = 10_000;
const MAX_FAILURE_LENGTH = 300;

export interface Background {
  db: Database;
  /** Opens the database with one connection and without a statement timeout. */
  openPatient(): Promise<Database>;
  now(): Date;
  /** Identifies this process. */
  holder: string;
  stopping?: AbortSignal | undefined;
}

/** In the order of their definitions. */
export function listBackground(db: Database): Promise<BackgroundMigrationRow[]> {
  return db('background_migrations').orderBy(['created_at', 'name']);
}

/**
 * Runs the given tasks in order, except tasks that are not registered, finished, or leased to another process. Another process resumes
 * where this process stops.
 * @returns whether all of them are done
 * @throws the failure of a task, which is recorded in its row; it is retried once the lease has expired
 */
export async function doBackground(background: Background, work: readonly BackgroundMigration[]): Promise<boolean> {
  const rows = work.length === 0 ? [] : await listBackground(background.db);
  for (const migration of workOn(dialectOf(background.db), work)) {
    const row = rows.find(({ name }) => name === migration.name);
    if (row?.state === 'done') continue;
    const isResting =
      'restMs' in migration && row && Date.parse(row.created_at) + migration.restMs > background.now().getTime();
    if (!row || isResting || background.stopping?.aborted || !(await lease(background, migration.name))) return false;
    const renewing = setInterval(() => void lease(background, migration.name).catch(() => {}), RENEW_MS);
    try {
      const isDone = await carryOut(background, migration);
      if (!isDone) {
        await release(background, migration.name);
        return false;
      }
      await finish(background, migration.name);
    } catch (error) {
      await noteFailure(background, migration.name, error);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }
  return true;
}

function carryOut(background: Background, migration: BackgroundMigration): Promise<boolean> {
  if ('index' in migration) return buildIndex(background, migration);
  if ('batch' in migration) return backFill(background, migration);
  return rearrange(background, migration);
}

async function rearrange({ db, openPatient, now }: Background, { rearrange }: Rearrangement): Promise<boolean> {
  if (dialectOf(db) === 'sqlite') return true;
  return withDatabase(openPatient(), (session) => rearrange({ session, givingWay }, now()));
}

/** Takes or renews the lease. @returns false while another process holds it */
async function lease({ db, holder, now }: Background, name: string): Promise<boolean> {
  const at = now();
  const until = new Date(at.getTime() + LEASE_MS).toISOString();
  const free = db('background_migrations')
    .where({ name, state: 'waiting' })
    .andWhere((either) =>
      either.whereNull('leased_until').orWhere('leased_until', '<=', at.toISOString()).orWhere('leased_by', holder),
    );
  return (await retried(db, () => free.clone().update({ leased_by: holder, leased_until: until }))) === 1;
}

async function release({ db, holder }: Background, name: string): Promise<void> {
  await retried(db, () =>
    db('background_migrations').where({ name, leased_by: holder }).update({ leased_by: null, leased_until: null }),
  );
}

async function finish({ db, now }: Background, name: string): Promise<void> {
  const done = {
    state: 'done' as const,
    finished_at: now().toISOString(),
    leased_by: null,
    leased_until: null,
    failure: null,
  };
  await retried(db, () => db('background_migrations').where({ name }).update(done));
}

/** Keeps the lease, which delays the next attempt. */
async function noteFailure({ db, holder }: Background, name: string, error: unknown): Promise<void> {
  const failure = cut(oneLine(error instanceof Error ? error.message : String(error)), MAX_FAILURE_LENGTH);
  await retried(db, () => db('background_migrations').where({ name, leased_by: holder }).update({ failure }));
}

/**
 * Builds an index concurrently on Postgres. The server continues after its client was killed; an advisory lock of that session reveals it.
 * 1. Take the lock; if it is taken, the index is still being built.
 * 2. Drop the remains of a failed build.
 * 3. Build.
 */
async function buildIndex({ db, openPatient }: Background, { index }: BuildIndex): Promise<boolean> {
  const create = index.unique ? 'create unique index' : 'create index';
  if (dialectOf(db) === 'sqlite') {
    await retried(db, () => db.raw(`${create} if not exists ${index.name} on ${index.on}`));
    return true;
  }
  return withDatabase(openPatient(), async (session) => {
    const [{ locked } = { locked: false }] = (
      await session.raw<{ rows: { locked: boolean }[] }>('select pg_try_advisory_lock(hashtext(?)) as locked', [
        index.name,
      ])
    ).rows;
    if (!locked) return false;
    const there = await isValid(session, index.name);
    if (there) return true;
    const partitions = await partitionsOf(session, index.on);
    if (partitions.length === 0) {
      if (there === false) await session.raw(`drop index concurrently ${index.name}`);
      await session.raw(`${create} concurrently ${index.name} on ${index.on}`);
      return true;
    }
    // Builds the index on each partition first. The index of the whole table then adopts these, and locks the table only briefly.
    for (const partition of partitions) {
      const name = `${partition}_${hash('sha256', index.name).slice(0, 8)}`;
      const built = await isValid(session, name);
      if (built) continue;
      if (built === false) await session.raw(`drop index concurrently ${name}`);
      await session.raw(`${create} concurrently ${name} on ${index.on.replace(/^\w+/, partition)}`);
    }
    const done = await givingWay(session, async (trx) => {
      // Left by a build that was interrupted before the table was partitioned.
      if (there === false) await trx.raw(`drop index ${index.name}`);
      return trx.raw(`${create} ${index.name} on ${index.on}`);
    });
    return done !== undefined;
  });
}

/**
 * @returns undefined without such an index; false when its build was interrupted
 */
async function isValid(db: Database, name: string): Promise<boolean | undefined> {
  const { rows } = await db.raw<{ rows: { indisvalid: boolean }[] }>(
    'select indisvalid from pg_index where indexrelid = to_regclass(?)',
    [name],
  );
  return rows[0]?.indisvalid;
}

/** Names the index of one partition. @param on begins with the table */
async function partitionsOf(db: Database, on: string): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = to_regclass(?)',
    [/^\w+/.exec(on)?.[0] ?? ''],
  );
  return rows.map(({ name }) => name);
}

/** Pauses between batches for as long as each took, so that the work takes at most half of the time. */
async function backFill(background: Background, { name, batch }: BackFill & { name: string }): Promise<boolean> {
  const { db, holder, stopping } = background;
  while (!stopping?.aborted) {
    const startedAt = performance.now();
    const isLast = await inTransaction(db, async (trx) => {
      const mine = trx('background_migrations').where({ name, leased_by: holder, state: 'waiting' });
      // Locks the row first: a process that took over the lease waits, and this process is then refused.
      if ((await mine.clone().update({ leased_by: holder })) === 0)
        throw new Error('Another process has taken the lease over.');
      const row = await mine.clone().first();
      const done = await batch(trx, row?.position ?? null);
      if (done) await mine.clone().increment('rows_done', done.rows).update({ position: done.position });
      return done === undefined;
    });
    if (isLast) return true;
    await wait(performance.now() - startedAt);
  }
  return false;
}
