import type { Log } from '../../core/log.ts';
import type { Config } from '../../core/settings/config.ts';
import { connect, type Database, disconnect } from '../../db/connection/connect.ts';
import { type JobName, type JobSettings, jobSettings, type Queue } from '../../jobs/queue/queue.ts';
import { createPostgresQueue } from '../../jobs/queue/queue-postgres.ts';
import { createSqliteQueue } from '../../jobs/queue/queue-sqlite.ts';

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
