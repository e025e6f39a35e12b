import type { RouteRequest } from '../../harness/service/every-route.ts';
import type { Place } from '../databases.ts';
import { Remote } from '../remote.ts';
import { type Mark, type Result, rounded } from '../result.ts';
import type { Crowd, Looked } from './crowd.ts';
import type { Crowded, Opened, Quiet } from './crowded.ts';

/** What one landlord keeps under way. */
const CONNECTIONS = 300;
/** Acceptable for another landlord, relative to a quiet service: a median, and for those that cost less than a few milliseconds, this much. */
const MOST_TIMES = 5;
const LEAST_MS = 20;
const MAX_DELIVERY_MS = 1_000;
const MAX_ANALYSIS_MS = 30_000;
const WARM_UP_MS = 500;

interface Programs {
  service: Remote<Crowded>;
  loud: Remote<Crowd>;
  quiet: Remote<Crowd>;
}

interface Seen {
  what: string;
  looked: Record<keyof Quiet, Looked>;
  deliveryMs: number;
  analysisMs: number;
}

export interface Crowding {
  /** How often the other landlord asks for each of its pages. */
  looks: number;
  /** Each how many-th operation and page is flooded. */
  every: number;
}

/**
 * What another landlord waits for while one keeps 300 requests of an operation or a page under way, or has 300 units of a kind of work due. The
 * operations are those of the contract, the pages those that routers have, the kinds those of the queue.
 */
export async function measureNeighbours(place: Place, { looks, every }: Crowding): Promise<Result> {
  const programs: Programs = {
    service: new Remote<Crowded>(import.meta.resolve('./crowded.ts')),
    loud: new Remote<Crowd>(import.meta.resolve('./crowd.ts')),
    quiet: new Remote<Crowd>(import.meta.resolve('./crowd.ts')),
  };
  try {
    const opened = await programs.service.ask('open', await place.make());
    await observe(programs, opened, 'warming up', looks);
    const alone = await observe(programs, opened, 'quiet', looks);
    const seen: Seen[] = [];
    for (const request of opened.requests.filter((_, index) => index % every === 0))
      seen.push(await besideFlood(programs, opened, request, looks));
    for (const kind of opened.kinds.filter((_, index) => index % Math.min(every, 2) === 0)) {
      await programs.service.ask('cause', kind);
      seen.push(await observe(programs, opened, `${CONNECTIONS} due: ${kind}`, looks));
    }
    await programs.service.ask('close');
    return resultOf(place, alone, seen);
  } finally {
    await Promise.all(Object.values(programs).map((program) => program.end()));
  }
}

async function besideFlood(programs: Programs, opened: Opened, request: RouteRequest, looks: number): Promise<Seen> {
  await programs.loud.ask('flood', opened.url, request, CONNECTIONS);
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  const seen = await observe(programs, opened, request.name, looks);
  await programs.loud.ask('calm');
  return seen;
}

async function observe({ service, quiet }: Programs, opened: Opened, what: string, looks: number): Promise<Seen> {
  const look = (name: keyof Quiet) => quiet.ask('look', opened.url, opened.quiet[name], looks);
  const looked = { read: await look('read'), write: await look('write'), page: await look('page') };
  return { what, looked, deliveryMs: await service.ask('deliver'), analysisMs: await service.ask('analyse') };
}

function resultOf({ name: database }: Place, alone: Seen, seen: readonly Seen[]): Result {
  const names = ['read', 'write', 'page'] as const;
  const rows = [alone, ...seen].map(({ what, looked, deliveryMs, analysisMs }) => ({
    what,
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`${name}_p50`, rounded(looked[name].p50)],
        [`${name}_p99`, rounded(looked[name].p99)],
      ]),
    ),
    failed: names.reduce((sum, name) => sum + looked[name].failed, 0),
    delivery_ms: rounded(deliveryMs),
    analysis_ms: rounded(analysisMs),
  }));
  const marks = seen.flatMap(({ what, looked, deliveryMs, analysisMs }): Mark[] => {
    const mark = (promise: string, value: number, most: number): Mark => ({
      ...{ database, promise: `beside ${what}: ${promise}`, value, limit: { most } },
    });
    return [
      ...names.flatMap((name) => [
        mark(`${name}, p50 in ms`, looked[name].p50, Math.max(MOST_TIMES * alone.looked[name].p50, LEAST_MS)),
        mark(`${name}, failed`, looked[name].failed, 0),
      ]),
      mark('delivery in ms', deliveryMs, MAX_DELIVERY_MS),
      mark('analysis in ms', analysisMs, MAX_ANALYSIS_MS),
    ];
  });
  return {
    title: `${database}: another landlord, while one keeps ${CONNECTIONS} requests under way`,
    rows,
    marks,
    note: 'p50 and p99 in milliseconds, of requests one after the other.',
  };
}
