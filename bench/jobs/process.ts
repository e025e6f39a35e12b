/** A process that sends to the queue, works for it, or both. */
import { setTimeout as wait } from 'node:timers/promises';
import type { JobName } from '../../jobs/runtime.ts';
import { moment, offer } from '../remote.ts';
import type { Receipt } from '../webhooks/endpoint.ts';
import type { Emitted } from '../webhooks/service.ts';
import { type MeasuredQueue, openMeasuredQueue } from './queue.ts';

export type QueueProcess = typeof functions;

export interface Usage {
  cpuSeconds: number;
  rssMib: number;
}

let queue: MeasuredQueue;
let starts: Receipt[] = [];
let sent = 0;

const functions = {
  open: async (name: JobName, databaseUrl: string): Promise<void> => {
    queue = await openMeasuredQueue(name, databaseUrl);
  },
  work: () => queue.work((id) => void starts.push({ event: Number(id), at: moment(), hung: false })),
  /** Transactions with one job each, at fixed times, whether or not the previous one is done. */
  sendSteadily: async (count: number, perSecond: number): Promise<Emitted[]> => {
    const startedAt = moment();
    const sending: Promise<Emitted[]>[] = [];
    for (let index = 0; index < count; index++) {
      await wait(Math.max(0, startedAt + (index * 1000) / perSecond - moment()));
      sending.push(send(1));
    }
    return (await Promise.all(sending)).flat();
  },
  /** Transactions with a number of jobs each, and a pause after each. */
  sendBursts: async (bursts: number, size: number, pauseMs: number): Promise<Emitted[][]> => {
    const emitted: Emitted[][] = [];
    for (let burst = 0; burst < bursts; burst++) {
      emitted.push(await send(size));
      await wait(pauseMs);
    }
    return emitted;
  },
  /** All in one transaction. */
  sendAtOnce: (count: number): Promise<Emitted[]> => send(count),
  started: (): number => starts.length,
  /** The jobs started since the last call. */
  takeStarts: (): Receipt[] => {
    const taken = starts;
    starts = [];
    return taken;
  },
  /** Waits until this many jobs were started since the last call and all have finished. @returns the time of the last */
  whenIdle: async (count: number, patienceMs: number): Promise<number> => {
    const deadline = moment() + patienceMs;
    while (starts.length < count || !(await queue.isIdle())) {
      if (moment() > deadline) throw new Error(`${starts.length} of ${count} jobs were started.`);
      await wait(2);
    }
    return moment();
  },
  usage: (): Usage => {
    const { user, system } = process.cpuUsage();
    return { cpuSeconds: (user + system) / 1e6, rssMib: process.memoryUsage.rss() / 2 ** 20 };
  },
};
offer(functions);

async function send(count: number): Promise<Emitted[]> {
  const events = Array.from({ length: count }, () => sent++);
  const begun = moment();
  await queue.send(events.map(String));
  const committed = moment();
  return events.map((event) => ({ event, begun, committed }));
}
