import { kinds } from '../../bin/service/kinds.ts';
import { openQueue } from '../../bin/service/opened-on-use.ts';
import { createLog } from '../../core/log.ts';
import { readConfig } from '../../core/settings/config.ts';
import { connect } from '../../db/connection/connect.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { isQueueEmpty, plainWorker } from '../../harness/database/queue.ts';
import type { JobName } from '../../jobs/runtime.ts';

export interface MeasuredQueue {
  /** All in one transaction, which is committed when this returns. */
  send(ids: string[]): Promise<void>;
  /** Starts running jobs in this process. */
  work(run: (id: string) => void): Promise<void>;
  /** Whether all jobs are done, and recorded as done. */
  isIdle(): Promise<boolean>;
}

/** The queue of the service with its own settings, as the service opens it, for one kind of its jobs. */
export async function openMeasuredQueue(name: JobName, databaseUrl: string): Promise<MeasuredQueue> {
  const { database } = readConfig({ DATABASE_URL: databaseUrl });
  const log = createLog('info');
  const db = await connect(database);
  const queue = openQueue(database, db, log);
  await queue.start([]);
  return {
    send: (ids) => inTransaction(db, (trx) => queue.send(trx, name, ids)),
    work: (run) => queue.start([[name, plainWorker(run, kinds[name].concurrency)]]),
    isIdle: () => isQueueEmpty(db, database.dialect),
  };
}
