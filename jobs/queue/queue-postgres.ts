import { type Db, type Job, PgBoss } from 'pg-boss';
import type { Log } from '../../core/log.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import { type Prepared, prepared } from '../../db/connection/prepared.ts';
import type { ShortTransaction } from '../../db/connection/short-transaction.ts';
import { Pump, type Take } from './pump.ts';
import { type JobName, jobNames, type Queue } from './queue.ts';
import { createWakeUps } from './wake-ups.ts';

const POOL_SIZE = 4;
/** The longest delay of a row whose wake-up was lost. */
const POLL_MS = 1_000;
/** Twice as long as the lease of the queue, after which the promoter has handed a lost row over again. */
const EXPIRE_SECONDS = 60;
const SUPERVISE_SECONDS = 30;

const QUEUE = {
  // A row that is brought twice is claimed once, but would make a backlog longer.
  policy: 'short',
  partition: true,
  // What is lost is handed over again by the promoter, not by pg-boss.
  retryLimit: 0,
  expireInSeconds: EXPIRE_SECONDS,
  deleteAfterSeconds: EXPIRE_SECONDS,
  // Processes wake each other after the commit.
  notify: false,
} as const;

/** The queue of pg-boss that brings the rows of one kind. Each has a table of its own, whose statistics are never those of another. */
const queueOf = (name: JobName) => `due.${name}`;

/** pg-boss behind the `Queue` interface. Its own tables live in the schema `pgboss` of the same database. */
export async function createPostgresQueue(url: string, log: Log): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'tenant-screening-queue',
    max: POOL_SIZE,
    // What a crash of the database makes forgotten is handed over again. With statistics of an empty table, the planner would join what
    // `fetch` takes by reading all jobs for each: 1,500 jobs a second in place of 19,000.
    options: '-c synchronous_commit=off -c enable_nestloop=off',
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  // Without a listener, a restart of the database would end the process; pg-boss reconnects automatically.
  boss.on('error', (error) => log.error({ err: error }, 'queue error'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'queue warning'));
  try {
    await boss.start();
    await createQueues(boss);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }

  const pumps = new Map<string, Pump>();
  const wakeUps = createWakeUps(boss, log);
  const wake = (name: JobName, count: number): void => {
    const pump = pumps.get(name);
    pump?.wake();
    if (!pump?.hasRoomFor(count)) wakeUps.send(name);
  };
  return {
    async send(trx, name, ids, { bulk = false } = {}) {
      // Before the commit, a woken process would find nothing.
      trx.executionPromise.then(
        () => wake(name, ids.length),
        () => {},
      );
      // In one order, so that two senders cannot deadlock.
      const jobs = [...new Set(ids)].sort().map((id) => ({ data: { id }, singletonKey: id, priority: bulk ? -1 : 0 }));
      await boss.insert(queueOf(name), jobs, { db: within(trx) });
    },
    async start(workers) {
      for (const name of jobNames) {
        const worker = workers[name];
        if (worker) pumps.set(name, new Pump(taking(boss, queueOf(name)), { name, worker, pollMs: POLL_MS, log }));
      }
      if (pumps.size === 0) return;
      await wakeUps.hear((named) => {
        for (const [name, pump] of pumps) if (named === undefined || named === name) pump.wake();
      });
    },
    async stop() {
      await wakeUps.stop();
      await Promise.all([...pumps.values()].map((pump) => pump.stop()));
      await boss.stop({ graceful: false });
    },
  };
}

/** The jobs are forgotten while their rows are claimed: whichever fails, the promoter hands the rows over again. */
function taking(boss: PgBoss, queue: string): Take {
  return async (limit, hand) => {
    const jobs: Job<{ id: string }>[] = await boss.fetch(queue, { batchSize: limit });
    if (jobs.length === 0) return 0;
    await Promise.all([
      hand(jobs.map(({ data }) => data.id)),
      boss.deleteJob(
        queue,
        jobs.map(({ id }) => id),
      ),
    ]);
    return jobs.length;
  };
}

const statements = new Map<string, Prepared<object>>();

/** The statements of pg-boss in our own transaction. Each connection prepares them once: their planning costs more than they do. */
function within(trx: Transaction | ShortTransaction): Db {
  return {
    async executeSql(text, values = []) {
      const statement = statements.get(text) ?? prepared(text.replace(/\$\d/g, '?'));
      statements.set(text, statement);
      return { rows: await statement(trx, ...values.map(String)) };
    },
  };
}

async function createQueues(boss: PgBoss): Promise<void> {
  const known = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const name of jobNames) {
    if (!known.has(queueOf(name))) await boss.createQueue(queueOf(name), QUEUE);
    // That of earlier versions, whose rows are due.
    if (known.has(name)) await boss.deleteQueue(name);
  }
}
