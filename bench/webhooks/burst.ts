import type { Row } from '../../bin/admin/cli/output.ts';
import type { Place } from '../databases.ts';
import { type Result, rounded } from '../result.ts';
import { someHang } from './endpoint.ts';
import { type Latency, latencyOf, latencyRow } from './latency.ts';
import { Scene } from './scene.ts';
import type { Pace } from './service.ts';

const EVENTS = 2_000;
const ENDPOINTS = 50;
const HANGING = 10;
const ONE_BY_ONE: Pace = { atOnce: 8, aTransaction: 1 };
/** Faster than they can be delivered: a backlog builds up. */
const IN_BULK: Pace = { atOnce: 2, aTransaction: 100 };

interface Burst extends Latency {
  emitSeconds: number;
  /** From the first event to the last healthy receipt. */
  allSeconds: number;
}

/** Many events at once, a fifth of them for endpoints that hang. */
export async function measureBurst(place: Place): Promise<Result> {
  const measured = [
    { what: 'they answer after 5 s', ...(await burst(place, 5_000, ONE_BY_ONE)) },
    { what: 'they never answer', ...(await burst(place, Number.POSITIVE_INFINITY, ONE_BY_ONE)) },
    { what: 'they never answer, events in bulk', ...(await burst(place, Number.POSITIVE_INFINITY, IN_BULK)) },
  ];
  return {
    title: `${EVENTS} events at once to ${ENDPOINTS} endpoints, of which ${HANGING} hang`,
    rows: measured.map(row),
    marks: measured.map(({ what, p99 }) => ({
      database: place.name,
      promise: `p99 of the healthy when ${HANGING} of ${ENDPOINTS} hang: ${what}`,
      value: rounded(p99),
      limit: { most: 2000 },
      unit: 'ms',
    })),
    note: `The ${ENDPOINTS - HANGING} healthy endpoints, from before the transaction. 8 transactions at a time; in bulk, 2 with 100 events each.`,
  };
}

function row({ what, emitSeconds, allSeconds, ...latency }: Burst & { what: string }): Row {
  return {
    ...latencyRow(what, latency),
    all_emitted_s: rounded(emitSeconds),
    all_healthy_received_s: rounded(allSeconds),
  };
}

function burst(place: Place, hangMs: number, pace: Pace): Promise<Burst> {
  const endpoints = someHang(ENDPOINTS, HANGING, hangMs);
  return Scene.play(place, endpoints, async (scene) => {
    const { tenantIds } = scene;
    const service = scene.service();
    await service.ask('serve');
    const healthyTenants = tenantIds.slice(HANGING);
    // Not for the hanging endpoints: the burst is their first request.
    const warmUp = await service.ask('emitBurst', { tenantIds: healthyTenants, first: EVENTS, count: 200 }, ONE_BY_ONE);
    if (!(await scene.arrived(warmUp.length))) throw new Error('The first events did not arrive.');
    const emitted = await service.ask('emitBurst', { tenantIds, first: 0, count: EVENTS }, pace);
    const expected = emitted.filter(({ event }) => event % ENDPOINTS >= HANGING);
    await scene.arrived(warmUp.length + expected.length);
    const receipts = await scene.receiver.ask('receipts');
    const began = Math.min(...emitted.map(({ begun }) => begun));
    return {
      ...latencyOf(expected, receipts),
      emitSeconds: (Math.max(...emitted.map(({ committed }) => committed)) - began) / 1000,
      allSeconds: (Math.max(...receipts.filter(({ hung }) => !hung).map(({ at }) => at)) - began) / 1000,
    };
  });
}
