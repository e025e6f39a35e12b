import type { Log } from '../core/log.ts';
import type { Database } from '../db/connection/database.ts';
import { insertDueWork, takeDueWork } from '../db/work/due-work.ts';
import { createQueue, type Queue } from './queue.ts';

/** How often to poll for ids that another process sent. */
const POLL_MS = 250;

/** A queue in a table of the same SQLite file. */
export function createSqliteQueue<Name extends string>(db: Database, log: Log): Queue<Name> {
  return createQueue(
    {
      pollMs: POLL_MS,
      async add(trx, name, ids, bulk) {
        await insertDueWork(trx, name, ids, bulk);
      },
      async fetch(name, limit, deliver) {
        const ids = await takeDueWork(db, name, limit);
        if (ids.length > 0) await deliver(ids);
        return ids.length;
      },
    },
    log,
  );
}
