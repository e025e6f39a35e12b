import { setTimeout as wait } from 'node:timers/promises';
import { cut, oneLine } from '../../core/text.ts';
import { type BackFill, type BackgroundMigration, type BuildIndex, workOn } from '../migrations/background.ts';
import { type Database, dialectOf, withDatabase } from './connect.ts';
import { inTransaction, retried } from './transactions.ts';

export interface BackgroundMigrationRow {
  name: string;
  state: 'waiting' | 'done';
  /** Where the last batch of a back-fill ended. */
  position: string | null;
  rows_done: number;
  leased_by: string | null;
  leased_until: string | null;
  created_at: string;
  finished_at: string | null;
  /** Of the last attempt. */
  failure: string | null;
}

const LEASE_MS = 60_000;
const RENEW_MS = 10_000;
const FAILURE_LENGTH = 300;

export interface Background {
  db: Database;
  /** Opens the database with one connection, whose statements may take hours. */
  openPatient(): Promise<Database>;
  now(): Date;
  /** Names this process. */
  holder: string;
  stopping?: AbortSignal | undefined;
}

/** In the order of their definitions. */
export function listBackground(db: Database): Promise<BackgroundMigrationRow[]> {
  return db('background_migrations').orderBy(['created_at', 'name']);
}

/**
 * Does what of the given work is registered, not done, and not leased to another process, in order; another process goes on where this one ends.
 * @returns whether all of it is done
 * @throws the failure of the work, which is noted in its row; it is tried again once the lease has ended
 */
export async function doBackground(background: Background, work: readonly BackgroundMigration[]): Promise<boolean> {
  const rows = work.length === 0 ? [] : await listBackground(background.db);
  for (const migration of workOn(dialectOf(background.db), work)) {
    const row = rows.find(({ name }) => name === migration.name);
    if (row?.state === 'done') continue;
    if (!row || background.stopping?.aborted || !(await lease(background, migration.name))) return false;
    const renewing = setInterval(() => void lease(background, migration.name).catch(() => {}), RENEW_MS);
    try {
      const isDone = await ('index' in migration ? buildIndex(background, migration) : backFill(background, migration));
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

/** Takes or renews it. @returns false while another process holds it */
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

/** Keeps the lease: it delays the next attempt. */
async function noteFailure({ db, holder }: Background, name: string, error: unknown): Promise<void> {
  const failure = cut(oneLine(error instanceof Error ? error.message : String(error)), FAILURE_LENGTH);
  await retried(db, () => db('background_migrations').where({ name, leased_by: holder }).update({ failure }));
}

/**
 * On Postgres, beside reads and writes. The server goes on after its client was killed: an advisory lock of that session shows it.
 * 1. Take the lock; without it, the index is still being built.
 * 2. Drop what a build that failed has left.
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
    const { rows } = await session.raw<{ rows: { indisvalid: boolean }[] }>(
      'select indisvalid from pg_index where indexrelid = to_regclass(?)',
      [index.name],
    );
    if (rows[0]?.indisvalid) return true;
    if (rows[0]) await session.raw(`drop index concurrently ${index.name}`);
    await session.raw(`${create} concurrently ${index.name} on ${index.on}`);
    return true;
  });
}

/** Pauses between batches for as long as each took: at most half of the time goes to it. */
async function backFill(background: Background, { name, batch }: BackFill & { name: string }): Promise<boolean> {
  const { db, holder, stopping } = background;
  while (!stopping?.aborted) {
    const startedAt = performance.now();
    const isLast = await inTransaction(db, async (trx) => {
      const mine = trx('background_migrations').where({ name, leased_by: holder, state: 'waiting' });
      // Locks the row first: another process that took the lease over waits, and this one is then refused.
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
