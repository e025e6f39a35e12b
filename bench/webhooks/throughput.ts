import { setTimeout as wait } from 'node:timers/promises';
import type { Row } from '../../bin/admin/cli/output.ts';
import type { Database } from '../../db/connection/database.ts';
import { Backends } from '../backends.ts';
import type { Place } from '../databases.ts';
import { moment, Remote } from '../remote.ts';
import type { DatabaseName } from '../result.ts';
import { type Result, rounded } from '../result.ts';
import type { BareLoop } from './bare-loop.ts';
import { healthy } from './endpoint.ts';
import type { PlainPgBoss } from './pg-boss.ts';
import { Scene } from './scene.ts';

const ENDPOINTS = 20;
const IN_FLIGHT = 64;
const BACKLOG = { atOnce: 2, aTransaction: 100 };
const PATIENCE_MS = 600_000;

interface Measured {
  what: string;
  seconds: number;
  cpuSeconds: number;
  databaseCpuSeconds?: number;
  rssMib?: number;
  recorded?: number;
}

/** How fast a backlog is delivered with every attempt recorded, beside the limits of its parts. */
export async function measureThroughput(place: Place, count: number): Promise<Result> {
  const ours = await Scene.play(place, healthy(ENDPOINTS), (scene) => drain(scene, count, place.name));
  const bare = await Scene.play(place, healthy(ENDPOINTS), (scene) => bareLoops(scene, count));
  const queue = place.name === 'postgres' ? [await Scene.play(place, [], (scene) => emptyHandlers(scene, count))] : [];
  return {
    title: `${count} deliveries waiting for ${ENDPOINTS} endpoints that answer at once`,
    rows: [ours, ...queue, ...bare].map((measured) => row(measured, ours, count)),
    marks: [
      {
        database: place.name,
        promise: 'deliveries without a recorded attempt',
        value: count - (ours.recorded ?? 0),
        limit: { most: 0 },
      },
    ],
    note: 'CPU is that of the one process. The database has a column of its own, and the receivers share the machine too.',
  };
}

function row(
  { what, seconds, cpuSeconds, databaseCpuSeconds, rssMib, recorded }: Measured,
  ours: Measured,
  count: number,
): Row {
  return {
    what,
    a_second: Math.round(count / seconds),
    ours_is: `${rounded(seconds / ours.seconds)} x`,
    cpu_s_per_1000: rounded((cpuSeconds / count) * 1000),
    database_cpu_s_per_1000:
      databaseCpuSeconds === undefined ? undefined : rounded((databaseCpuSeconds / count) * 1000),
    rss_mib: rssMib === undefined ? undefined : Math.round(rssMib),
    attempts_recorded: recorded,
  };
}

async function drain(scene: Scene, count: number, database: DatabaseName): Promise<Measured> {
  const service = scene.service();
  await service.ask('prepare');
  await service.ask('emitBurst', { tenantIds: scene.tenantIds, first: 0, count }, BACKLOG);
  const backends = database === 'postgres' ? await Backends.of(scene.databaseUrl) : undefined;
  const [before, databaseBefore] = [await service.ask('usage'), await backends?.cpuMicros()];
  const startedAt = await service.ask('work');
  if (!(await scene.arrived(count, PATIENCE_MS))) throw new Error('Not everything was delivered.');
  return scene.withDatabase(async (db) => {
    while (await db('deliveries').where({ status: 'pending' }).first('id')) await wait(10);
    const endedAt = moment();
    const [after, databaseAfter] = [await service.ask('usage'), await backends?.cpuMicros()];
    await backends?.end();
    return {
      what: 'this service, every attempt recorded',
      seconds: (endedAt - startedAt) / 1000,
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      ...(databaseBefore === undefined || databaseAfter === undefined
        ? {}
        : { databaseCpuSeconds: (databaseAfter - databaseBefore) / 1e6 }),
      rssMib: after.rssMib,
      recorded: await recordedDeliveries(db),
    };
  });
}

/** Delivered ones with all their attempts recorded. */
async function recordedDeliveries(db: Database): Promise<number> {
  const attempts = db('delivery_attempts').where('delivery_id', db.ref('deliveries.id')).count();
  const recorded = await db('deliveries')
    .where({ status: 'delivered' })
    .where('attempts', '>', 0)
    .where('attempts', attempts)
    .count({ count: '*' });
  return Number(recorded[0]?.count);
}

async function emptyHandlers(scene: Scene, count: number): Promise<Measured> {
  const boss = scene.keep(new Remote<PlainPgBoss>(import.meta.resolve('./pg-boss.ts')));
  await boss.ask('start', scene.databaseUrl, { partition: true });
  await boss.ask('insert', count);
  return { what: 'pg-boss alone, handlers that do nothing', ...(await boss.ask('drain', count)) };
}

async function bareLoops(scene: Scene, count: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const by of ['request', 'fetch'] as const) {
    const loop = scene.keep(new Remote<BareLoop>(import.meta.resolve('./bare-loop.ts')));
    // The first thousand are a warm-up.
    await loop.ask('post', scene.urls, { count: 1_000, inFlight: IN_FLIGHT, by });
    const result = await loop.ask('post', scene.urls, { count, inFlight: IN_FLIGHT, by });
    measured.push({ what: `sign and post alone, by ${by === 'request' ? 'undici.request' : 'fetch'}`, ...result });
  }
  return measured;
}
