import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Place } from '../databases.ts';
import type { Remote } from '../remote.ts';
import { median, type Result, rounded } from '../result.ts';
import { healthy } from '../webhooks/endpoint.ts';
import { Scene } from '../webhooks/scene.ts';
import type { Service } from '../webhooks/service.ts';

/** Events to one webhook, and how many times as many to more: enough to measure, few enough to wait for. */
const EVENTS = 300;
const ENDPOINTS = 20;
/** Each event has one row and each delivery two, so more deliveries share the event's cost. */
const MOST = 1.2;

interface Cost {
  webhooks: number;
  /** In milliseconds, its transaction. */
  emitMs: number;
  /** CPU of the service, in microseconds. */
  emitMicros: number;
  deliverMicros: number;
}

/** The cost of an event by the number of webhooks of a key that receive it. */
export async function measureFanOut(place: Place, amounts: readonly number[]): Promise<Result> {
  const costs: Cost[] = [];
  for (const webhooks of amounts)
    costs.push(await Scene.play(place, healthy(ENDPOINTS), (scene) => costOf(scene, webhooks)));
  const each = ({ webhooks, emitMicros, deliverMicros }: Cost) => emitMicros / webhooks + deliverMicros;
  const few = costs.find(({ webhooks }) => webhooks >= 10);
  const most = costs.at(-1);
  return {
    title: `${place.name}: an event, by how many webhooks receive it`,
    rows: costs.map((cost) => ({
      webhooks: cost.webhooks,
      transaction_ms: rounded(cost.emitMs),
      cpu_us_to_make_it: rounded(cost.emitMicros),
      'cpu_us_a_delivery,_made': rounded(cost.emitMicros / cost.webhooks),
      'cpu_us_a_delivery,_sent_and_recorded': rounded(cost.deliverMicros),
    })),
    marks:
      few && most && few !== most
        ? [
            {
              database: place.name,
              promise: `a delivery of an event to ${most.webhooks} webhooks, to one of an event to ${few.webhooks}`,
              value: each(most) / each(few),
              limit: { most: MOST },
              unit: 'x',
            },
          ]
        : [],
    note: 'CPU is that of the service. One transaction after the other, from before it is begun until it is committed.',
  };
}

async function costOf(scene: Scene, webhooks: number): Promise<Cost> {
  await scene.withDatabase((db) => addWebhooks(db, scene.urls, webhooks - 1));
  const [tenantId = ''] = scene.tenantIds;
  const service = scene.service();
  await service.ask('prepare');
  const count = Math.max(5, Math.round(EVENTS / Math.sqrt(webhooks)));
  const emit = (first: number, events: number) =>
    service.ask('emitBurst', { tenantIds: [tenantId], first, count: events }, { atOnce: 1, aTransaction: 1 });
  // The first ones warm up the compiler and prepared statements.
  await emit(0, count);
  const began = await cpuMicros(service);
  const emitted = await emit(count, count);
  const emitMicros = ((await cpuMicros(service)) - began) / count;
  await service.ask('work');
  await drained(scene);
  const before = await cpuMicros(service);
  await emit(2 * count, count);
  await drained(scene);
  const both = ((await cpuMicros(service)) - before) / count;
  const emitMs = median(emitted.map(({ begun, committed }) => committed - begun));
  return { webhooks, emitMs, emitMicros, deliverMicros: (both - emitMicros) / webhooks };
}

/** More webhooks of the key that has the first, at all endpoints. */
async function addWebhooks(db: Database, urls: readonly string[], amount: number): Promise<void> {
  const first = await db('webhooks')
    .where({ url: urls[0] ?? '' })
    .first();
  if (!first) throw new Error('There is no webhook.');
  const rows = Array.from({ length: amount }, (_, index) => ({
    ...first,
    id: newId(),
    url: urls[index % urls.length] ?? '',
  }));
  await db.batchInsert('webhooks', rows, 50);
}

async function cpuMicros(service: Remote<Service>): Promise<number> {
  return (await service.ask('usage')).cpuSeconds * 1e6;
}

async function drained(scene: Scene): Promise<void> {
  await scene.withDatabase(async (db) => {
    while (await db('deliveries').whereNotNull('due_at').first('id')) await wait(50);
  });
}
