/** A process that sends to a queue, works for it, or both. */
import { setTimeout as wait } from 'node:timers/promises';
import { moment, offer } from '../remote.ts';
import type { Receipt } from '../webhooks/endpoint.ts';
import type { Emitted } from '../webhooks/service.ts';
import type { Contender } from './contender.ts';
import { type ContenderName, contenders } from './contenders.ts';

export type QueueProcess = typeof functions;

export interface Usage {
  cpuSeconds: number;
  rssMib: number;
}

let contender: Contender;
let starts: Receipt[] = [];
let sent = 0;

const functions = {
  open: async (name: ContenderName, databaseUrl: string): Promise<void> => {
    contender = await contenders[name](databaseUrl);
  },
  work: () => contender.work((id) => void starts.push({ event: Number(id), at: moment(), hung: false })),
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
  /** As many transactions with one job each as possible, with limited concurrency. @returns the rate per second */
  sendAllOut: async (count: number, atOnce: number): Promise<number> => {
    const startedAt = moment();
    let left = count;
    const sendOn = async () => {
      while (left-- > 0) await send(1);
    };
    await Promise.all(Array.from({ length: atOnce }, sendOn));
    return (count / (moment() - startedAt)) * 1000;
  },
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
    while (starts.length < count || !(await contender.isIdle())) {
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
  await contender.send(events.map(String));
  const committed = moment();
  return events.map((event) => ({ event, begun, committed }));
}
