import { setTimeout as wait } from 'node:timers/promises';
import type { Row } from '../../bin/admin/cli/output.ts';
import type { Database } from '../../db/connection/database.ts';
import { Backends } from '../backends.ts';
import type { Place } from '../databases.ts';
import { moment } from '../remote.ts';
import type { DatabaseName } from '../result.ts';
import { type Result, rounded } from '../result.ts';
import { healthy } from './endpoint.ts';
import { Scene } from './scene.ts';

const ENDPOINTS = 20;
const BACKLOG = { atOnce: 2, aTransaction: 100 };
const PATIENCE_MS = 600_000;

interface Drained {
  seconds: number;
  cpuSeconds: number;
  databaseCpuSeconds?: number;
  rssMib: number;
  recorded: number;
}

/** How fast a backlog is delivered with every attempt recorded. */
export async function measureThroughput(place: Place, count: number): Promise<Result> {
  const drained = await Scene.play(place, healthy(ENDPOINTS), (scene) => drain(scene, count, place.name));
  return {
    title: `${count} deliveries waiting for ${ENDPOINTS} endpoints that answer at once`,
    rows: [row(drained, count)],
    marks: [
      {
        database: place.name,
        promise: 'deliveries without a recorded attempt',
        value: count - drained.recorded,
        limit: { most: 0 },
      },
    ],
    note: "CPU is that of the service's process and that of the database. The receivers share the machine.",
  };
}

function row({ seconds, cpuSeconds, databaseCpuSeconds, rssMib, recorded }: Drained, count: number): Row {
  return {
    a_second: Math.round(count / seconds),
    cpu_s_per_1000: rounded((cpuSeconds / count) * 1000),
    database_cpu_s_per_1000:
      databaseCpuSeconds === undefined ? undefined : rounded((databaseCpuSeconds / count) * 1000),
    rss_mib: Math.round(rssMib),
    attempts_recorded: recorded,
  };
}

async function drain(scene: Scene, count: number, database: DatabaseName): Promise<Drained> {
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
