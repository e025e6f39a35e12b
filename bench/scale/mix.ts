import { setTimeout as wait } from 'node:timers/promises';
import type { Row } from '../../bin/admin/cli/output.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { measure } from '../api/measure.ts';
import { type Asked, asked } from '../growth/requests.ts';
import { moment, type Remote } from '../remote.ts';
import { type Result, rounded } from '../result.ts';
import { latencyOf } from '../webhooks/latency.ts';
import type { Emitted, Service } from '../webhooks/service.ts';
import { WEBHOOKS_AN_EVENT } from './amounts.ts';
import { type Cost, type Measured, WORK } from './costs.ts';
import { NODES, type Spent, type Stage } from './stage.ts';

const CONNECTIONS = 8;
const PATIENCE_MS = 600_000;
/** The rates of the steady mix, per second: events, creations, reads. */
const PACE = { events: 20, creations: 10, reads: 40 };
/** Events, whose deliveries bring the workers up. */
const WARM_UP = 500;
/** Shares of the deliveries: when the workers are warm, and when all but the last that failed were sent once. */
const BEGUN = 0.1;
const ARRIVED = 0.97;
const MANY = 1_000_000_000;
const EMIT = { atOnce: 4, aTransaction: 1 };

export interface Amounts {
  /** Requests of each operation are this many times their usual count. */
  requests: number;
  events: number;
  /** The duration of the steady mix. */
  seconds: number;
}

/** Reads, creations and changes, by all API processes at once. */
export async function measureRequests(stage: Stage, { requests }: Amounts, costs: Measured['costs']): Promise<Result> {
  const rows: Row[] = [];
  for (const operation of asked.filter(({ name }) => WORK.some((work) => work === name))) {
    await together(stage, operation, operation.count);
    const count = operation.count * requests;
    const [figures, spent] = await stage.spent(() => together(stage, operation, count));
    const all = count * NODES;
    const micros = figures.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0) / NODES;
    const cost = costOf(micros, spent, all);
    const work = WORK.find((name) => name === operation.name);
    if (work) costs[work] = cost;
    rows.push({
      operation: operation.name,
      a_second_and_node: Math.round(all / NODES / spent.seconds),
      ...costColumns(cost),
      p99_ms: rounded(Math.max(...figures.map(({ p99 }) => p99))),
    });
  }
  // Workers would send the invitations beside the deliveries that are measured next.
  await stage
    .db('invites')
    .whereNotNull('due_at')
    .update({ due_at: isoAfter(new Date(), DAY_MS) });
  return {
    title: `postgres: requests to ${NODES} API processes at once, ${CONNECTIONS} connections each`,
    rows,
    marks: [],
    note: 'Full pages are written ahead after each checkpoint; the load, the database and all processes share the machine.',
  };
}

function together(stage: Stage, { request }: Asked, count: number) {
  const { database } = stage.history;
  return Promise.all(
    stage.apis.map((server, node) => {
      const load = stage.loads[node];
      if (!load) throw new Error('A server has no load.');
      const requests = Array.from({ length: count }, () => request(database));
      return measure(load, { server, requests: () => requests }, { connections: CONNECTIONS });
    }),
  );
}

/**
 * Events, then their deliveries by all workers at once: some endpoints' answers are 503, and those deliveries are sent again.
 * @param costs receives what an event and a delivery cost
 */
export async function measureEvents(stage: Stage, { events }: Amounts, costs: Measured['costs']): Promise<Result> {
  const { emitter, tenantIds } = stage;
  const emission = (first: number, count: number) => ({ tenantIds, first, count });
  await emitter.ask('emitBurst', emission(1, WARM_UP), EMIT);
  const emitting = await cpuMicros([emitter]);
  const [, made] = await stage.spent(() => emitter.ask('emitBurst', emission(1_000, events), EMIT));
  const event = costOf(((await cpuMicros([emitter])) - emitting) / events, made, events);
  const { deliveries, sent, arrival, micros } = await drain(stage, (events + WARM_UP) * WEBHOOKS_AN_EVENT);
  const delivery = costOf(micros / deliveries, sent, deliveries);
  Object.assign(costs, { event, delivery });
  return {
    title: `postgres: ${events} events for ${WEBHOOKS_AN_EVENT} webhooks each, then delivered by ${NODES} workers`,
    rows: [
      {
        work: 'event, with its deliveries',
        a_second_and_node: Math.round(events / made.seconds),
        ...costColumns(event),
      },
      {
        work: 'delivery, with its attempts',
        a_second_and_node: Math.round(deliveries / NODES / arrival.seconds),
        ...costColumns(delivery),
      },
    ],
    marks: [],
    note: 'One process makes the events. 2 % of the requests are answered 503 and sent again, which the costs include.',
  };
}

/** From when the workers are warm: until nearly all has arrived once, and until what was answered 503 has been sent again. */
async function drain(stage: Stage, all: number) {
  const { workers, receiver } = stage;
  const received = async (share: number) => {
    const deadline = moment() + PATIENCE_MS;
    while ((await receiver.ask('receivedBelow', MANY)) < all * share && moment() < deadline) await wait(20);
  };
  await Promise.all(workers.map((worker) => worker.ask('work')));
  await received(BEGUN);
  const [before, cpuBefore] = [await receiver.ask('receivedBelow', MANY), await cpuMicros(workers)];
  const [[, arrival], sent] = await stage.spent(async () => {
    const arrived = await stage.spent(() => received(ARRIVED));
    await drained(stage);
    return arrived;
  });
  return { deliveries: all - before, arrival, sent, micros: (await cpuMicros(workers)) - cpuBefore };
}

/** All of it at once and at a steady pace, with every process at work. */
export async function measureSteadyMix(stage: Stage, { seconds }: Amounts): Promise<Result> {
  const { loads, apis, history } = stage;
  const paced = (name: string, node: number, perSecond: number) => {
    const [operation, load, server] = [asked.find((one) => one.name === name), loads[node], apis[node]];
    if (!operation || !load || !server) throw new Error('There is no such load.');
    const requests = Array.from({ length: perSecond * seconds }, () => operation.request(history.database));
    return measure(load, { server, requests: () => requests }, { perSecond });
  };
  const [[reads, creations, events], spent] = await stage.spent(() =>
    Promise.all([
      paced('get-application', 0, PACE.reads),
      paced('create-application', 1, PACE.creations),
      steadyEvents(stage, PACE.events, seconds),
    ]),
  );
  const row = (what: string, a_second: number, { p50, p99 }: { p50: number; p99: number }) => ({
    what,
    a_second,
    p50_ms: rounded(p50),
    p99_ms: rounded(p99),
  });
  return {
    title: `postgres: the mix at a steady pace for ${seconds} s`,
    rows: [
      row('get-application', PACE.reads, reads),
      row('create-application', PACE.creations, creations),
      row('event to verified receipt', PACE.events, events),
    ],
    marks: [],
    note: `${rounded(spent.walBytes / 1e6 / spent.seconds)} MB of log a second.`,
  };
}

let first = 1_000_000;

/** @returns the time from event to receipt, of those that were not answered 503 */
export async function steadyEvents(
  { emitter, receiver, tenantIds }: Stage,
  perSecond: number,
  seconds: number,
  receivedBefore: () => Promise<unknown> = () => receiver.ask('forget'),
) {
  await receivedBefore();
  const count = perSecond * seconds;
  const emission = { tenantIds, first, count };
  first += count;
  const emitted: Emitted[] = await emitter.ask('emitSteadily', emission, perSecond);
  // One of the two webhooks nearly always receives an event at the first attempt.
  const deadline = moment() + PATIENCE_MS / 20;
  while ((await receiver.ask('arrivedOf', emission.first)) < count && moment() < deadline) await wait(50);
  const receipts = await receiver.ask('receiptsOf', emission.first);
  return latencyOf(emitted, receipts);
}

/** Until nothing is due or leased. What failed waits for its next attempt. */
async function drained({ db }: Stage): Promise<void> {
  const deadline = moment() + PATIENCE_MS;
  const soon = () => new Date(Date.now() + 60_000).toISOString();
  while (await db('deliveries').whereNotNull('due_at').where('due_at', '<', soon()).first('id')) {
    if (moment() > deadline) throw new Error('Not everything was delivered.');
    await wait(50);
  }
}

async function cpuMicros(processes: readonly Remote<Service>[]): Promise<number> {
  const usages = await Promise.all(processes.map((one) => one.ask('usage')));
  return usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds * 1e6, 0);
}

function costOf(micros: number, { databaseMicros = Number.NaN, walBytes }: Spent, count: number): Cost {
  return { micros, databaseMicros: databaseMicros / count, walBytes: walBytes / count };
}

function costColumns({ micros, databaseMicros, walBytes }: Cost): Row {
  return { cpu_us: rounded(micros), database_cpu_us: rounded(databaseMicros), wal_bytes: Math.round(walBytes) };
}
