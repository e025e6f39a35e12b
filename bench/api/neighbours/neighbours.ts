import type { RouteRequest } from '../../../harness/service/every-route.ts';
import type { Place } from '../../databases.ts';
import { Remote } from '../../remote.ts';
import { type Mark, median, type Result, rounded } from '../../result.ts';
import type { Crowd, Looked } from './crowd.ts';
import type { Crowded, Opened, Quiet } from './crowded.ts';

/** What one landlord keeps under way. */
const CONNECTIONS = 300;
/** A service that has just started takes several times as long as one that is warm. */
const WARM_UP_LOOKS = 2_000;
/**
 * How many quiet reads before and after a flood count: its read is compared with their median. The speed of a machine that others share
 * changes within minutes, and one quiet read says little.
 */
const QUIET_READS = 2;
/** Acceptable for another landlord, as a multiple of the median of a quiet service; medians of a few milliseconds may always reach the minimum. */
const MAX_TIMES = 5;
const MIN_ALLOWED_MS = 20;
const MAX_DELIVERY_MS = 1_000;
const MAX_ANALYSIS_MS = 30_000;

interface Programs {
  service: Remote<Crowded>;
  loud: Remote<Crowd>;
  quiet: Remote<Crowd>;
  endpoint: Remote<Crowd>;
}

interface Seen {
  what: string;
  /** The median of the same read just before, in milliseconds. */
  quietReadMs: number;
  looked: Record<keyof Quiet, Looked>;
  deliveryMs: number;
  analysisMs: number;
}

export interface Crowding {
  /** How often the other landlord asks for each of its pages. */
  looks: number;
  /** Each how many-th operation and page is flooded. */
  every: number;
  /**
   * Part of the names of the operations, pages and kinds of work to which the measurement is limited; `crowds` for the larger crowds,
   * `applicants` for slow files and copies that no one reads.
   */
  beside?: string | undefined;
  /** How many deliveries, and documents, of one landlord wait. */
  deliveries: number;
  documents: number;
  /** How many events of one landlord happen one after the other, each with a delivery to every one of a thousand webhooks. */
  events: number;
  /** How many slow files the applicants of one landlord upload at once. */
  files: number;
}

/**
 * What another landlord waits for while one keeps 300 requests of an operation or a page under way, or has 300 units of a kind of work due. The
 * operations are those of the contract, the pages those that routers have, the kinds those of the queue.
 */
export async function measureNeighbours(place: Place, crowding: Crowding): Promise<Result[]> {
  const { looks } = crowding;
  const programs: Programs = {
    service: new Remote<Crowded>(import.meta.resolve('./crowded.ts')),
    loud: new Remote<Crowd>(import.meta.resolve('./crowd.ts')),
    quiet: new Remote<Crowd>(import.meta.resolve('./crowd.ts')),
    endpoint: new Remote<Crowd>(import.meta.resolve('./crowd.ts')),
  };
  try {
    const opened = await programs.service.ask(
      'open',
      await place.make(),
      crowding.files,
      await programs.endpoint.ask('receive'),
    );
    await readOf(programs, opened, WARM_UP_LOOKS);
    await observe(programs, opened, 'warming up', looks);
    const alone = shown(await observe(programs, opened, 'quiet', looks));
    const { requests, kinds } = chosenFrom(opened, crowding);
    const seen: Seen[] = [];
    for (const [index, request] of requests.entries())
      seen.push(shown(await besideFlood(programs, opened, request, looks), `${index + 1} of ${requests.length}`));
    for (const kind of kinds) {
      const before = await readOf(programs, opened, looks);
      await programs.service.ask('cause', kind);
      seen.push(shown(await observe(programs, opened, `${CONNECTIONS} due: ${kind}`, looks, before)));
    }
    const results = seen.length > 0 ? [resultOf(place, alone, seen)] : [];
    if (isAsked('crowds', crowding)) results.push(await besideCrowds(programs, opened, place, alone, crowding));
    if (isAsked('applicants', crowding)) results.push(await besideApplicants(programs, opened, place));
    await programs.service.ask('close');
    return results;
  } finally {
    await Promise.all(Object.values(programs).map((program) => program.end()));
  }
}

function isAsked(name: string, { beside }: Crowding): boolean {
  return beside === undefined || name.includes(beside);
}

/** @throws when nothing has such a name */
function chosenFrom({ requests, kinds }: Opened, crowding: Crowding): Pick<Opened, 'requests' | 'kinds'> {
  const { beside, every } = crowding;
  const nth = beside === undefined ? every : 1;
  const asked = {
    requests: requests.filter(({ name }) => isAsked(name, crowding)).filter((_, index) => index % nth === 0),
    kinds: kinds.filter((kind) => isAsked(kind, crowding)).filter((_, index) => index % Math.min(nth, 2) === 0),
  };
  const isOther = isAsked('crowds', crowding) || isAsked('applicants', crowding);
  if (asked.requests.length + asked.kinds.length === 0 && !isOther) throw new Error(`Nothing is named ${beside}.`);
  return asked;
}

/** A run of all takes long: each line says how far it is. */
function shown(seen: Seen, progress = ''): Seen {
  const { what, quietReadMs, looked, deliveryMs, analysisMs } = seen;
  const p50s = Object.entries(looked).map(([name, { p50 }]) => `${name} ${rounded(p50)}`);
  const others = [`delivery ${rounded(deliveryMs)}`, `analysis ${rounded(analysisMs)}`, `failed ${failedOf(looked)}`];
  console.log([progress, what, `quiet read ${rounded(quietReadMs)}`, ...p50s, ...others].filter(Boolean).join(', '));
  return seen;
}

async function besideFlood(
  programs: Programs,
  opened: Opened,
  request: RouteRequest,
  looks: number,
  connections = CONNECTIONS,
): Promise<Seen> {
  const before = await readOf(programs, opened, looks);
  await programs.loud.ask('flood', opened.url, request, connections);
  const seen = await observe(programs, opened, request.name, looks, before);
  await programs.loud.ask('calm');
  return seen;
}

function readOf({ quiet }: Programs, { url, quiet: { read } }: Opened, looks: number): Promise<Looked> {
  return quiet.ask('look', url, read, looks);
}

/** @param before the read without what it is observed beside; by default, it is beside nothing */
async function observe(
  programs: Programs,
  opened: Opened,
  what: string,
  looks: number,
  before?: Looked,
): Promise<Seen> {
  const { service, quiet } = programs;
  const look = (name: keyof Quiet) => quiet.ask('look', opened.url, opened.quiet[name], looks);
  const read = await readOf(programs, opened, looks);
  const looked = { read, write: await look('write'), page: await look('page') };
  const [deliveryMs, analysisMs] = [await service.ask('deliver'), await service.ask('analyse')];
  return { what, quietReadMs: (before ?? read).p50, looked, deliveryMs, analysisMs };
}

function resultOf({ name: database }: Place, alone: Seen, seen: readonly Seen[]): Result {
  const names = ['read', 'write', 'page'] as const;
  const rows = [alone, ...seen].map(({ what, quietReadMs, looked, deliveryMs, analysisMs }) => ({
    what,
    quiet_read_p50: rounded(quietReadMs),
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`${name}_p50`, rounded(looked[name].p50)],
        [`${name}_p99`, rounded(looked[name].p99)],
      ]),
    ),
    failed: failedOf(looked),
    delivery_ms: rounded(deliveryMs),
    analysis_ms: rounded(analysisMs),
  }));
  const quietAround = (one: Seen) => {
    const at = seen.indexOf(one);
    const around = seen.slice(Math.max(0, at - QUIET_READS), at + QUIET_READS + 1);
    return median(around.map(({ quietReadMs }) => quietReadMs));
  };
  const worst = (promise: string, figure: (one: Seen) => number, most: number): Mark => {
    const [first, ...others] = seen.toSorted((one, other) => figure(other) - figure(one));
    if (!first) throw new Error('Nothing was flooded.');
    const beside = `worst beside ${first.what}, of ${1 + others.length}`;
    return { database, promise: `another landlord's ${promise}, ${beside}`, value: figure(first), limit: { most } };
  };
  const p50 = (name: keyof Quiet, most: number) => worst(`${name}, p50 in ms`, ({ looked }) => looked[name].p50, most);
  const marks = [
    worst('read, p50 to its quiet p50', (one) => one.looked.read.p50 / quietAround(one), MAX_TIMES),
    p50('write', Math.max(MAX_TIMES * alone.looked.write.p50, MIN_ALLOWED_MS)),
    p50('page', Math.max(MAX_TIMES * alone.looked.page.p50, MIN_ALLOWED_MS)),
    worst('answers that were no 200', ({ looked }) => failedOf(looked), 0),
    worst('delivery in ms', ({ deliveryMs }) => deliveryMs, MAX_DELIVERY_MS),
    worst('analysis in ms', ({ analysisMs }) => analysisMs, MAX_ANALYSIS_MS),
  ];
  return {
    title: `${database}: another landlord, while one keeps ${CONNECTIONS} requests under way`,
    rows,
    marks,
    note: 'p50 and p99 in milliseconds, of requests one after the other.',
  };
}

function failedOf({ read, write, page }: Seen['looked']): number {
  return read.failed + write.failed + page.failed;
}

const LINK_CONNECTIONS = 1_000;
const MAX_TIMES_AT_LINK = 10;
const MAX_NEW_ENDPOINT_MS = 3_000;
/** Twice the first delay of a retry. */
const MAX_RETRY_MS = 10_000;

/** @returns how long the quiet landlord's slowest event took meanwhile, and just after, in milliseconds */
async function slowestWhile(service: Programs['service'], work: Promise<unknown>): Promise<number> {
  let [slowest, isOver] = [0, false];
  const over = work.finally(() => {
    isOver = true;
  });
  do slowest = Math.max(slowest, await service.ask('deliver'));
  while (!isOver);
  await over;
  return Math.max(slowest, await service.ask('deliver'));
}

/** Larger crowds: a link that 1,000 connections post to, deliveries to endpoints that never answer, and documents that wait. */
async function besideCrowds(
  programs: Programs,
  opened: Opened,
  { name: database }: Place,
  alone: Seen,
  { looks, deliveries, documents, events }: Crowding,
): Promise<Result> {
  const { service } = programs;
  const link = opened.requests.find(({ name }) => name === 'POST /invitation/:token');
  if (!link) throw new Error('No page takes the answer to an invitation.');
  const atLink = await besideFlood(programs, opened, link, looks, LINK_CONNECTIONS);
  await service.ask('cause', 'run-forensic', documents);
  const analysis = await service.ask('analyse');
  await service.ask('endAnalyses');
  await service.ask('backlog', deliveries);
  const working = await service.ask('deliver');
  const fresh = await service.ask('deliverToNew');
  const retry = await service.ask('retry');
  const during = await slowestWhile(service, service.ask('cause', 'deliver-webhook', events));
  const mark = (promise: string, value: number, most: number): Mark => ({ database, promise, value, limit: { most } });
  const beside = `beside ${deliveries} due deliveries of one landlord, another's`;
  const p99s = (['read', 'write', 'page'] as const).map((name) =>
    mark(
      `${LINK_CONNECTIONS} connections post to one link: another landlord's ${name}, p99 in ms`,
      atLink.looked[name].p99,
      MAX_TIMES_AT_LINK * alone.looked[name].p99,
    ),
  );
  return {
    title: `${database}: another landlord, beside larger crowds`,
    rows: [
      {
        what: `${LINK_CONNECTIONS} connections post to one link: failed answers of others`,
        value: failedOf(atLink.looked),
      },
      { what: `${deliveries} deliveries due: event at a working endpoint, ms`, value: rounded(working) },
      { what: `${deliveries} deliveries due: event at a new endpoint, ms`, value: rounded(fresh) },
      { what: `${deliveries} deliveries due: retry after a refused attempt, ms`, value: rounded(retry) },
      { what: `${events} events go to webhooks that hang: event at a working endpoint, ms`, value: rounded(during) },
      { what: `${documents} documents wait: result of another one, ms`, value: rounded(analysis) },
    ],
    marks: [
      ...p99s,
      mark(`${LINK_CONNECTIONS} connections post to one link: failed answers of others`, failedOf(atLink.looked), 0),
      mark(`${beside} event at a working endpoint in ms`, working, MAX_DELIVERY_MS),
      mark(`${beside} event at a new endpoint in ms`, fresh, MAX_NEW_ENDPOINT_MS),
      mark(`${beside} retry in ms`, retry, MAX_RETRY_MS),
      mark(
        `while ${events} events of one landlord go to 1,000 webhooks that hang, another's in ms`,
        during,
        MAX_DELIVERY_MS,
      ),
      mark(`beside ${documents} documents of one landlord, another's analysis in ms`, analysis, MAX_ANALYSIS_MS),
    ],
  };
}

const UPLOADS = 5;
const MAX_TIMES_AT_UPLOAD = 3;
const MAX_COPY_MS = 5_000;

/** Applicants whose files take as long to inspect as a file may, and applicants who ask for the copy of their data and do not read it. */
async function besideApplicants(
  { loud, quiet }: Programs,
  { url, uploads, copies }: Opened,
  { name: database }: Place,
): Promise<Result> {
  const upload = (times: number) => quiet.ask('look', url, uploads.quiet, times, 303);
  // The first one starts a process.
  await upload(1);
  const alone = await upload(UPLOADS);
  await loud.ask('burst', url, uploads.loud);
  await upload(1);
  const beside = await upload(UPLOADS);
  if ((await loud.ask('unanswered')) === 0) throw new Error('The slow files were inspected too early.');
  const answers = await loud.ask('answers');
  await loud.ask('askOnly', url, copies.loud);
  const copy = await quiet.ask('look', url, copies.quiet, 1);
  await loud.ask('calm');
  const files = uploads.loud.length;
  const unanswered = answers.filter((status) => status !== 303).length;
  const mark = (promise: string, value: number, most: number): Mark => ({ database, promise, value, limit: { most } });
  const slow = `${files} slow files of one landlord are inspected`;
  const unread = `${copies.loud.length} copies that no one reads`;
  return {
    title: `${database}: another landlord, beside slow files and copies that no one reads`,
    rows: [
      { what: 'upload, quiet, p50 in ms', value: rounded(alone.p50) },
      { what: `upload while ${slow}, p50 in ms`, value: rounded(beside.p50) },
      { what: `copy beside ${unread}, ms`, value: rounded(copy.p50) },
    ],
    marks: [
      mark(`${slow}: another's upload, p50 to its quiet p50`, beside.p50 / alone.p50, MAX_TIMES_AT_UPLOAD),
      mark(`${slow}: another's uploads that were refused`, alone.failed + beside.failed, 0),
      mark(`${slow}: those that were refused or reset`, unanswered, 0),
      mark(`${unread}: another's copy in ms`, copy.p50, MAX_COPY_MS),
      mark(`${unread}: another's copy, refused`, copy.failed, 0),
    ],
  };
}
