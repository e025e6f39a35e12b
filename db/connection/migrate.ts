import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type BackgroundMigration, workOn } from '../migrations/background.ts';
import { allMigrations, type NamedMigration, sourceOf } from '../migrations/index.ts';
import { takeAdvisoryLock } from './advisory-locks.ts';
import { dialectOf } from './database.ts';
import { expectUtf8 } from './postgres/encoding.ts';
import { refuseNewerSchema } from './schema-status.ts';
import { inTransaction, LockedOut, withLockTimeout } from './transactions.ts';

/** Requests queue behind a migration that waits for a table lock: after this long, it lets them go first. */
const LOCK_MS = 1_000;
const PAUSE_MS = 2_000;
/** For how long to retry the lock of one table. */
const PATIENCE_MS = 10 * 60_000;

export interface Migrating {
  migrations?: readonly NamedMigration[];
  /** The background work to register once the schema is up to date. */
  background?: readonly BackgroundMigration[];
  patienceMs?: number;
  pauseMs?: number;
  /** Another transaction holds a table that the migration needs. */
  onLocked?: (migration: string) => void;
}

/** The migration waits for a table that other transactions hold. */
export class LockedTable extends Error {
  constructor(name: string) {
    super(
      `migration ${name} did not get a lock within ${PATIENCE_MS / 60_000} minutes, because long transactions hold the table: ` +
        'end them (pg_stat_activity shows them by xact_start), and migrate again. The migrations before it are applied, nothing of this one is.',
    );
  }
}

/** The migration needs the result of background work that is not done. */
export class UnfinishedWork extends Error {
  constructor(migration: string, work: string) {
    super(
      `migration ${migration} needs the background migration ${work}, which is not done: let the workers finish it (\`db status\` ` +
        'shows how far it is), or finish it now by the command `db migrate --background`.',
    );
  }
}

/**
 * Applies the pending migrations, each in its own transaction; in a single one for an empty database. A killed process leaves only complete
 * migrations and no lock. Concurrent processes take turns.
 * 1. Take the advisory lock; another process may have applied the migration meanwhile.
 * 2. Apply it with a short `lock_timeout`, which also bounds the wait of everything that queues behind its lock.
 * 3. Record which versions run on it.
 * 4. When locked out, let the requests pass and retry.
 * @returns the names of the applied migrations
 * @throws NewerSchema, UnfitRoute, LockedTable, UnfinishedWork
 */
export async function migrate(db: Knex, migrating: Migrating = {}): Promise<string[]> {
  const { patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS, onLocked } = migrating;
  await expectUtf8(db);
  const applied: string[] = [];
  let deadline = performance.now() + patienceMs;
  for (;;) {
    const step = await applyNext(db, migrating);
    if ('lockedOut' in step) {
      if (performance.now() > deadline) throw new LockedTable(step.lockedOut);
      onLocked?.(step.lockedOut);
      await wait(pauseMs * (0.5 + Math.random()));
      continue;
    }
    if (step.names.length === 0) return applied;
    applied.push(...step.names);
    deadline = performance.now() + patienceMs;
  }
}

type Step = { names: string[] } | { lockedOut: string };

async function applyNext(
  db: Knex,
  { migrations = allMigrations, background = migrations === allMigrations ? undefined : [] }: Migrating,
): Promise<Step> {
  const work = workOn(dialectOf(db), background);
  const migrationSource = sourceOf(migrations);
  let next: NamedMigration | undefined;
  try {
    return await inTransaction(db, async (trx) => {
      await takeAdvisoryLock(trx, 'migration');
      const { version, pending } = await refuseNewerSchema(trx, migrations);
      next = migrations.find(({ name }) => name === pending[0]);
      if (!next) {
        await registerWork(trx, work);
        return { names: [] };
      }
      const { name } = next;
      await expectDone(trx, next);
      const [, names]: [number, string[]] =
        version === null
          ? await trx.migrate.latest({ migrationSource })
          : await withLockTimeout(trx, LOCK_MS, () => trx.migrate.up({ migrationSource, name }));
      await noteVersions(trx, migrations);
      if (version === null) await doAtOnce(trx, work);
      return { names };
    });
  } catch (error) {
    if (error instanceof LockedOut && next) return { lockedOut: next.name };
    throw error;
  }
}

/** Read by earlier versions, which do not know the migrations. */
async function noteVersions(trx: Knex, migrations: readonly NamedMigration[]): Promise<void> {
  if (!(await trx.schema.hasTable('migration_compatibility'))) return;
  const applied: string[] = await trx('knex_migrations').pluck('name');
  const rows = migrations
    .filter(({ name }) => applied.includes(name))
    .map(({ name, oldestVersion }) => ({ name, oldest_version: oldestVersion }));
  await trx('migration_compatibility').insert(rows).onConflict('name').ignore();
}

/** Nothing waits for the indexes of an empty database, and no earlier version runs on it. */
async function doAtOnce(trx: Knex, background: readonly BackgroundMigration[]): Promise<void> {
  const moment = new Date();
  const now = moment.toISOString();
  for (const one of background) {
    if ('batch' in one) continue;
    if ('index' in one)
      await trx.raw(`create ${one.index.unique ? 'unique index' : 'index'} ${one.index.name} on ${one.index.on}`);
    else if (dialectOf(trx) === 'postgres') await one.atOnce(trx, moment);
    const done = { state: 'done' as const, rows_done: 0, created_at: now, finished_at: now };
    await trx('background_migrations').insert({ name: one.name, ...done });
  }
}

async function registerWork(trx: Knex, background: readonly BackgroundMigration[]): Promise<void> {
  const created_at = new Date().toISOString();
  const rows = background.map(({ name }) => ({ name, state: 'waiting' as const, rows_done: 0, created_at }));
  if (rows.length > 0) await trx('background_migrations').insert(rows).onConflict('name').ignore();
}

/** @throws UnfinishedWork */
async function expectDone(trx: Knex, { name, after }: NamedMigration): Promise<void> {
  if (after === undefined) return;
  const work = await trx('background_migrations').where({ name: after, state: 'done' }).first('name');
  if (!work) throw new UnfinishedWork(name, after);
}
