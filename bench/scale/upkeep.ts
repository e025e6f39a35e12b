import { setTimeout as wait } from 'node:timers/promises';
import { PATIENT } from '../../core/settings/database-settings.ts';
import { VERSION } from '../../core/version.ts';
import { doBackground } from '../../db/connection/background-migrations.ts';
import { open } from '../../db/connection/connect.ts';
import { migrate } from '../../db/connection/migrate.ts';
import { allMigrations, type NamedMigration } from '../../db/migrations/index.ts';
import { runCommand } from '../../harness/plans/operator-commands.ts';
import { measure } from '../api/measure.ts';
import { asked } from '../growth/requests.ts';
import { type Result, rounded } from '../result.ts';
import type { Stage } from './stage.ts';

/** The retention of payloads: a third of the month is purged. */
const KEPT_DAYS = 20;
const READS_A_SECOND = 50;
const MAX_MS = 3_000;
const AUTOVACUUM_WAIT_MS = 90_000;
const LOOK_MS = 1_000;

const ADDED: NamedMigration = {
  name: '9999-a-column-more',
  oldestVersion: VERSION,
  up: async (db) => {
    await db.raw("alter table deliveries add column later text not null default ''");
  },
};
const BUILT = {
  name: 'deliveries_by_status_code',
  index: { name: 'deliveries_by_status_code', on: 'deliveries (last_status_code) where last_status_code is not null' },
};

/** A column and an index more for the largest table, beside reads. */
export async function measureMigration(stage: Stage, seconds: number): Promise<Result> {
  const { apis, loads, history, db } = stage;
  const [read, server, load] = [asked[0], apis[0], loads[0]];
  if (!read || !server || !load) throw new Error('There is no load.');
  const requests = Array.from({ length: READS_A_SECOND * seconds }, () => read.request(history.database));
  const reading = measure(load, { server, requests: () => requests }, { perSecond: READS_A_SECOND });
  const [, column] = await stage.spent(() =>
    migrate(db, { migrations: [...allMigrations, ADDED], background: [BUILT] }),
  );
  const limits = { ...PATIENT, poolSize: 1 };
  const background = {
    ...{ db, holder: 'the bench', now: () => new Date() },
    openPatient: () => open(history.config.database, { limits }),
  };
  const [isDone, index] = await stage.spent(() => doBackground(background, [BUILT]));
  if (!isDone) throw new Error('The index was not built.');
  const { slowest, p99 } = await reading;
  const row = (what: string, took: number, walBytes: number) => ({
    what,
    seconds: rounded(took),
    wal_mb: rounded(walBytes / 1e6),
  });
  return {
    title: `postgres: a migration of ${history.amounts.deliveries} deliveries beside ${READS_A_SECOND} reads a second`,
    rows: [
      row('a column with a default', column.seconds, column.walBytes),
      row('an index, in the background', index.seconds, index.walBytes),
    ],
    marks: [
      {
        database: 'postgres',
        promise: 'the slowest read during a migration',
        value: rounded(slowest),
        limit: { most: MAX_MS },
        unit: 'ms',
      },
    ],
    note: `The p99 of the reads was ${rounded(p99)} ms.`,
  };
}

/** Retention as an operator runs it: payloads older than this many days. */
export async function measureRetention(stage: Stage): Promise<Result> {
  const { history } = stage;
  Object.assign(process.env, history.env, {
    WEBHOOK_PAYLOAD_DAYS: String(KEPT_DAYS),
    WEBHOOK_RECORD_DAYS: '90',
    DATABASE_QUERY_SECONDS: '3600',
  });
  const due = Math.round((history.amounts.events * (30 - KEPT_DAYS)) / 30);
  const [, spent] = await stage.spent(() => runCommand(['privacy', 'retention', '--yes', '--json']));
  return {
    title: `postgres: retention of payloads after ${KEPT_DAYS} of 30 days, about ${due} of ${history.amounts.events}`,
    rows: [
      {
        seconds: rounded(spent.seconds),
        wal_mb: rounded(spent.walBytes / 1e6),
        wal_bytes_an_event: Math.round(spent.walBytes / due),
        database_cpu_s: rounded((spent.databaseMicros ?? Number.NaN) / 1e6),
      },
    ],
    marks: [],
  };
}

interface Dead {
  name: string;
  dead: string;
  rows: string;
  /** Null for never. */
  minutes_since: string | null;
  /** Transactions since rows were frozen. */
  age: string;
}

const DEAD = `
  select stat.relname as name, n_dead_tup as dead, n_live_tup as rows, age(relfrozenxid) as age,
      round(extract(epoch from now() - last_autovacuum) / 60) as minutes_since
    from pg_stat_user_tables as stat join pg_class on pg_class.oid = stat.relid
    where schemaname = 'public' and n_dead_tup > 1000 order by n_dead_tup desc limit 6`;

/** What is left for autovacuum after the load, and once it had a while; and what a vacuum of all of it takes. */
export async function measureVacuum({ db, spent }: Stage): Promise<Result> {
  const { rows: before }: { rows: Dead[] } = await db.raw(DEAD);
  const deadline = performance.now() + AUTOVACUUM_WAIT_MS;
  let after = before;
  const startedAt = performance.now();
  while (after.length > 0 && performance.now() < deadline) {
    await wait(LOOK_MS);
    after = (await db.raw<{ rows: Dead[] }>(DEAD)).rows;
  }
  const waited = (performance.now() - startedAt) / 1000;
  const [, vacuum] = await spent(() => db.raw('vacuum (analyze)'));
  const left = new Map(after.map(({ name, dead }) => [name, Number(dead)]));
  return {
    title: `postgres: dead rows after the load, and ${Math.round(waited)} s later`,
    rows: before.map(({ name, dead, rows, minutes_since, age }) => ({
      table: name,
      rows: Number(rows),
      dead: Number(dead),
      dead_later: left.get(name) ?? 0,
      autovacuum_minutes_ago: minutes_since === null ? 'never' : Number(minutes_since),
      transactions_since_freeze: Number(age),
    })),
    marks: [],
    note: `A vacuum of the whole database then took ${rounded(vacuum.seconds)} s and wrote ${rounded(vacuum.walBytes / 1e6)} MB of log.`,
  };
}
