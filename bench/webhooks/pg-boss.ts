/** pg-boss alone, for comparison: a worker as in its manual, and its speed with no-op jobs. */
import { setTimeout as wait } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { moment, offer } from '../remote.ts';
import { signedPost } from './bare.ts';
import { eventBody } from './event-body.ts';
import type { Emitted } from './service.ts';

interface Job {
  number: number;
  url: string;
}

export type PlainPgBoss = typeof functions;

const QUEUE = 'plain';
const INSERT_AT_ONCE = 1_000;

let boss: PgBoss;

const functions = {
  /**
   * @param partition the queue in its own table, which is the fastest
   */
  start: async (connectionString: string, { partition }: { partition: boolean }) => {
    boss = new PgBoss({ connectionString, useListenNotify: true, schedule: false });
    boss.on('error', (error) => console.error(error));
    await boss.start();
    await boss.createQueue(QUEUE, { partition, notify: true });
  },
  /** Two workers that post batches of 50. */
  workStock: () =>
    boss.work<Job>(QUEUE, { batchSize: 50, localConcurrency: 2, burstWhenBatchFull: true }, async (jobs) => {
      await Promise.all(jobs.map(({ id, data }) => signedPost(data.url, id, JSON.stringify(eventBody(data.number)))));
    }),
  emitSteadily: async (urls: string[], first: number, count: number, perSecond: number): Promise<Emitted[]> => {
    const startedAt = moment();
    const emitted: Promise<Emitted>[] = [];
    for (let index = 0; index < count; index++) {
      await wait(Math.max(0, startedAt + (index * 1000) / perSecond - moment()));
      emitted.push(send(first + index, urls[index % urls.length] ?? ''));
    }
    return Promise.all(emitted);
  },
  insert: async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += INSERT_AT_ONCE)
      await boss.insert(
        QUEUE,
        Array.from({ length: Math.min(INSERT_AT_ONCE, count - done) }, (_, index) => ({ data: { number: index } })),
      );
  },
  /** How long no-op jobs take until all are completed, and their CPU. */
  drain: async (count: number): Promise<{ seconds: number; cpuSeconds: number }> => {
    const [startedAt, cpu] = [moment(), process.cpuUsage()];
    let handled = 0;
    const options = { batchSize: 200, localConcurrency: 2, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 };
    await boss.work(QUEUE, options, async (jobs) => {
      handled += jobs.length;
    });
    while (handled < count) await wait(2);
    // The last batches are being completed.
    await boss.offWork(QUEUE, { wait: true });
    const { user, system } = process.cpuUsage(cpu);
    return { seconds: (moment() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
  },
};
offer(functions);

async function send(number: number, url: string): Promise<Emitted> {
  const begun = moment();
  await boss.send(QUEUE, { number, url });
  return { event: number, begun, committed: moment() };
}
