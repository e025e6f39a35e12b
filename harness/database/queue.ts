import { jobNames } from '../../bin/service/kinds.ts';
import type { Log } from '../../core/log.ts';
import type { Config } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import type { JobName } from '../../jobs/runtime.ts';
import type { Queue, Worker } from '../../queue/queue.ts';
import { createPostgresQueue } from '../../queue/queue-postgres.ts';
import { createSqliteQueue } from '../../queue/queue-sqlite.ts';
import { signal } from '../process/signals.ts';
import { dialect } from './dialect.ts';

export interface OpenQueue {
  db: Database;
  queue: Queue<JobName>;
  close(): Promise<void>;
}

export async function openQueue(database: Config['database'], log: Log): Promise<OpenQueue> {
  const db = await connect(database);
  const queue =
    database.dialect === 'sqlite'
      ? createSqliteQueue<JobName>(db, log)
      : await createPostgresQueue(database, jobNames, log);
  return {
    db,
    queue,
    async close() {
      await queue.stop();
      await disconnect(db);
    },
  };
}

/** A worker for ids without rows: it claims nothing. */
export function plainWorker(run: (id: string) => unknown, concurrency = 4): Worker {
  let running = 0;
  return {
    capacity: () => concurrency - running,
    async take(ids, hasRoom) {
      running += ids.length;
      for (const id of ids)
        Promise.resolve(run(id)).finally(() => {
          running--;
          signal();
          hasRoom();
        });
      signal();
    },
  };
}

/** Where the queue stores its ids. */
export const QUEUE_TABLE = { sqlite: 'due_work', postgres: 'pgboss.job' };

/** The ids of one kind that the queue holds and has not brought to a worker. */
export async function queuedIds(db: Database, name: string): Promise<string[]> {
  if (dialect === 'sqlite') return db(QUEUE_TABLE.sqlite).where({ name }).orderBy('place').pluck('id');
  return db(QUEUE_TABLE.postgres)
    .where({ name: `due.${name}`, state: 'created' })
    .orderBy('created_on')
    .pluck('singleton_key');
}

/** Whether the queue holds anything, or a worker is claiming. */
export async function isQueueEmpty(db: Database, kind: 'sqlite' | 'postgres' = dialect): Promise<boolean> {
  const held = kind === 'sqlite' ? db(QUEUE_TABLE.sqlite) : db(QUEUE_TABLE.postgres).where('state', '<', 'completed');
  return (await held.first('id')) === undefined;
}

/** The tables of pg-boss, one for each kind. */
export async function queueTables(db: Database): Promise<string[]> {
  const partitions = db('pg_inherits').whereRaw('inhparent = ?::regclass', [QUEUE_TABLE.postgres]);
  const tables: { name: string }[] = await partitions.select(db.raw('inhrelid::regclass::text as name'));
  return tables.map(({ name }) => name);
}

/** Truncates the queue's tables, each in its own transaction: a single one deadlocks with a transaction that sends two kinds. */
export async function dropQueued(db: Database): Promise<void> {
  if (dialect === 'sqlite') return db(QUEUE_TABLE.sqlite).delete();
  for (const name of await queueTables(db)) await db.raw(`truncate ${name}`);
}
