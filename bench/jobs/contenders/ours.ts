import { kinds } from '../../../bin/service/kinds.ts';
import { openQueue } from '../../../bin/service/opened-on-use.ts';
import { createLog } from '../../../core/log.ts';
import { readConfig } from '../../../core/settings/config.ts';
import { connect } from '../../../db/connection/connect.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { isQueueEmpty, plainWorker } from '../../../harness/database/queue.ts';
import type { JobName } from '../../../jobs/runtime.ts';
import type { Open } from '../contender.ts';

/** The queue of the service with its own settings, as the service opens it, for one kind of its jobs. */
export function ours(name: JobName): Open {
  return async (databaseUrl) => {
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
  };
}
