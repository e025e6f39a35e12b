import type { Log } from '../../core/log.ts';
import type { Config } from '../../core/settings/config.ts';
import { connect, type Database, disconnect } from '../../db/connection/connect.ts';
import { type JobName, type JobSettings, jobSettings, type Queue } from '../../jobs/queue/queue.ts';
import { createPostgresQueue } from '../../jobs/queue/queue-postgres.ts';
import { createSqliteQueue } from '../../jobs/queue/queue-sqlite.ts';
import { dialect } from './databases.ts';

export interface OpenQueue {
  db: Database;
  queue: Queue;
  close(): Promise<void>;
}

/** The queue of a database, with settings of its own for the jobs a test is about. */
export async function openQueue(
  database: Config['database'],
  log: Log,
  settings: Partial<Record<JobName, JobSettings>> = {},
): Promise<OpenQueue> {
  const db = await connect(database);
  const all = { ...jobSettings, ...settings };
  const queue =
    database.dialect === 'sqlite'
      ? await createSqliteQueue(db, log, all)
      : await createPostgresQueue(database.url, log, all);
  return {
    db,
    queue,
    async close() {
      await queue.stop();
      await disconnect(db);
    },
  };
}

interface WaitingJob {
  id: string;
  correlationId: string;
  startAfter: string;
  bulk: boolean;
}

type SqliteRow = { name: string; data: string; run_at: string; one_of_many: 0 | 1 };
type PostgresRow = {
  name: string;
  state: string;
  data: { id: string; correlationId: string };
  start_after: Date;
  priority: number;
};

/** Jobs of deliveries that no worker has taken, as the queue stores them. */
export async function waitingJobs(db: Database): Promise<WaitingJob[]> {
  if (dialect === 'sqlite') {
    const rows = await db<SqliteRow>('jobs').where({ name: 'deliver-webhook' });
    return rows.map(({ data, run_at: startAfter, one_of_many }) => ({
      ...JSON.parse(data),
      startAfter,
      bulk: one_of_many === 1,
    }));
  }
  const rows = await db<PostgresRow>('pgboss.job').where({ name: 'deliver-webhook', state: 'created' });
  return rows.map(({ data, start_after, priority }) => ({
    ...data,
    startAfter: start_after.toISOString(),
    bulk: priority < 0,
  }));
}
