import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../../core/settings/config.ts';
import { PATIENT } from '../../core/settings/database-settings.ts';
import { DAY_MS } from '../../core/time.ts';
import { type Background, doBackground } from '../../db/connection/background-migrations.ts';
import { open } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { backgroundMigrations } from '../../db/migrations/background.ts';
import type { Runtime } from '../../jobs/runtime.ts';

const LOOK_MS = 10_000;

/** Runs the background migrations that the last upgrade registered. @returns a function that stops them after the current batch */
export function startBackgroundMigrations(
  config: Pick<Config, 'database'>,
  { db, now, log }: Pick<Runtime, 'db' | 'now' | 'log'>,
  work = backgroundMigrations,
): () => void {
  const stopping = new AbortController();
  const background = { ...backgroundOf(config, db), now, stopping: stopping.signal };
  const run = async () => {
    for (let isDone = work.length === 0; !isDone && !stopping.signal.aborted; ) {
      isDone = await doBackground(background, work).catch((err) => {
        log.error({ err }, 'a background migration failed');
        return false;
      });
      if (!isDone) await wait(LOOK_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
    }
  };
  void run();
  return () => stopping.abort();
}

/** What background migrations need. */
export function backgroundOf(
  { database }: Pick<Config, 'database'>,
  db: Database,
): Pick<Background, 'db' | 'openPatient' | 'holder'> {
  // A single session, because it holds an advisory lock. Building an index waits for all older transactions.
  const limits = { ...PATIENT, poolSize: 1, queryMs: DAY_MS, lockMs: DAY_MS };
  return { db, openPatient: () => open(database, { limits }), holder: `${hostname()}:${process.pid}` };
}
