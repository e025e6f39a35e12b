import type { Log } from '../../core/log.ts';
import type { Database } from '../../db/connection/connect.ts';
import { insertDueWork, takeDueWork } from '../../db/work/due-work.ts';
import { Pump, type Take } from './pump.ts';
import { type JobName, jobNames, type Queue } from './queue.ts';

/** How often to poll for ids that another process sent. */
const POLL_MS = 250;

/** A queue in a table of the same SQLite file behind the `Queue` interface. */
export function createSqliteQueue(db: Database, log: Log): Queue {
  const pumps = new Map<JobName, Pump>();
  const taking =
    (name: JobName): Take =>
    async (limit, hand) => {
      const ids = await takeDueWork(db, name, limit);
      if (ids.length > 0) await hand(ids);
      return ids.length;
    };
  return {
    async send(trx, name, ids, { bulk = false } = {}) {
      const wake = () => pumps.get(name)?.wake();
      trx.executionPromise.then(wake, () => {});
      await Promise.all(ids.map((id) => insertDueWork(trx, name, id, bulk ? 1 : 0)));
    },
    async start(workers) {
      for (const name of jobNames) {
        const worker = workers[name];
        if (worker) pumps.set(name, new Pump(taking(name), { name, worker, pollMs: POLL_MS, log }));
      }
    },
    async stop() {
      await Promise.all([...pumps.values()].map((pump) => pump.stop()));
      pumps.clear();
    },
  };
}
