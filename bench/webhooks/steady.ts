import type { Place } from '../databases.ts';
import { type Result, rounded } from '../result.ts';
import { allHangSometimes, type Endpoint, healthy, someHang } from './endpoint.ts';
import { type Latency, latencyOf, latencyRow } from './latency.ts';
import { Scene } from './scene.ts';
import type { Emitted } from './service.ts';

const PER_SECOND = 65;
const ENDPOINTS = 20;
const HANG_MS = 5_000;
/** Longer than hanging endpoints hang, so that the measurement reaches a steady state. */
const WARM_UP_ROUNDS = 20;
const WARM_UP = WARM_UP_ROUNDS * ENDPOINTS;

const allHealthy = healthy(ENDPOINTS);
const twoHang = someHang(ENDPOINTS, ENDPOINTS / 10, HANG_MS);
const eachHangs = allHangSometimes(ENDPOINTS, 0.1, HANG_MS);

/** A source of events at a steady pace. */
type Source = (scene: Scene) => Promise<(first: number, count: number) => Promise<Emitted[]>>;

/** From an event to its verified receipt at 65 events a second: when all is well, and when a tenth of the deliveries hangs. */
export async function measureSteady(place: Place, seconds: number): Promise<Result[]> {
  const { result: normal, together } = await measureWhenWell(place, seconds);
  const some = await latencies(place, twoHang, inOneProcess, seconds);
  const each = await latencies(place, eachHangs, inOneProcess, seconds);
  const ratio = (latency: Latency) => rounded(latency.p99 / together.p99);
  const hanging: Result = {
    title: `The healthy deliveries while a tenth of all hangs for ${HANG_MS / 1000} s`,
    rows: [
      { ...latencyRow('2 of 20 endpoints always hang', some), times_normal: ratio(some) },
      { ...latencyRow('each endpoint hangs at 10 % of its requests', each), times_normal: ratio(each) },
    ],
    marks: [some, each].map((latency, index) => ({
      database: place.name,
      promise: `p99 of the healthy when ${index === 0 ? '2 of 20 endpoints hang' : 'every endpoint hangs at times'}`,
      value: ratio(latency),
      limit: { most: 2 },
      unit: 'x normal',
    })),
  };
  return [normal, hanging];
}

/** The first half of it. */
export async function measureWhenWell(place: Place, seconds: number): Promise<{ result: Result; together: Latency }> {
  const together = await latencies(place, allHealthy, inOneProcess, seconds);
  const apart = place.name === 'postgres' ? await latencies(place, allHealthy, withWorkerApart, seconds) : undefined;
  const result: Result = {
    title: `Event to verified receipt at ${PER_SECOND} events a second, ${ENDPOINTS} endpoints`,
    rows: [
      latencyRow('API and workers in one process', together),
      ...(apart ? [latencyRow('workers in a process of their own', apart)] : []),
    ],
    marks: [together, ...(apart ? [apart] : [])].map(({ p99 }, index) => ({
      database: place.name,
      promise: `event to verified receipt, ${index === 0 ? 'one process' : 'two processes'}, p99`,
      value: rounded(p99),
      limit: { most: 15 },
      unit: 'ms',
    })),
  };
  return { result, together };
}

function latencies(place: Place, endpoints: Endpoint[], source: Source, seconds: number): Promise<Latency> {
  return Scene.play(place, endpoints, async (scene) => {
    const emit = await source(scene);
    const reaches = (event: number) => (endpoints[event % endpoints.length]?.hangs ?? 1) < 1;
    const warmUp = await emit(0, WARM_UP);
    const warm = warmUp.filter(({ event }) => reaches(event)).length;
    if (!(await scene.arrived(warm))) throw new Error('The first events did not arrive.');
    const emitted = await emit(WARM_UP, Math.round((PER_SECOND * seconds) / ENDPOINTS) * ENDPOINTS);
    const expected = emitted.filter(({ event }) => reaches(event));
    await scene.arrived(warm + expected.length);
    return latencyOf(expected, await scene.receiver.ask('receipts'));
  });
}

const inOneProcess: Source = (scene) => ourService(scene, true);

const withWorkerApart: Source = async (scene) => {
  const emit = await ourService(scene, false);
  scene.startWorker();
  return emit;
};

async function ourService(scene: Scene, runWorkers: boolean): ReturnType<Source> {
  const service = scene.service(runWorkers);
  await service.ask('serve');
  return (first, count) => service.ask('emitSteadily', { tenantIds: scene.tenantIds, first, count }, PER_SECOND);
}
