import { createLog } from '../../core/log.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { leaseToQueue } from '../../db/work/in-turn.ts';
import { tablesWithDueWork } from '../../db/work/work.ts';
import { openQueue, plainWorker } from '../../harness/database/queue.ts';
import { median, type Result, rounded } from '../result.ts';
import type { Latency } from '../webhooks/latency.ts';
import { steadyEvents } from './mix.ts';
import type { Stage } from './stage.ts';
import { addWaiting, addWebhook, TOMORROW } from './waiting.ts';
import { watched } from './watched.ts';

const PER_SECOND = 20;
/** Many and short, because a disk that stalls for a moment decides the p99 of the round in which it does. */
const ROUNDS = 9;
const ROUND_PART = 0.5;
const LOOKS = 8;
const MINUTE_MS = 60_000;
/** By which the index of one partition with a million entries more is deeper. */
const MORE_BUFFERS = 4;
const MAX_RATIO_TO_IDLE = 1.2;
/** For others while the endpoint that returned takes all that it missed. */
const MAX_MS = 2_000;

/** What an endpoint that is absent for a day costs: an empty look for work, the others' deliveries, and its return. */
export async function measureAbsence(stage: Stage, waiting: number, sampled: number): Promise<Result> {
  const seconds = sampled * ROUND_PART;
  const { workers, history, receiver } = stage;
  await Promise.all(workers.map((worker) => worker.ask('work')));
  await steadyEvents(stage, PER_SECOND, 5);
  await settle(stage);
  const none = await emptyLook(stage);
  const without = await rounds(stage, seconds);
  const webhookId = await addWebhook(stage);
  const [, filling] = await stage.spent(() => addWaiting(stage, { webhookId, amount: waiting, dueAt: TOMORROW }));
  await settle(stage);
  const many = await emptyLook(stage);
  const partitions = await countPartitions(stage);
  const withThem = await rounds(stage, seconds);
  const before = await receiver.ask('receivedBelow', 1_000);
  const sentBefore = performance.now();
  await makeDue(stage, webhookId, new Date());
  const during = await rounds(stage, seconds, async () => {});
  const drainSeconds = (performance.now() - sentBefore) / 1000;
  const drained = (await receiver.ask('receivedBelow', 1_000)) - before;
  // What is measured next does not share the machine with the rest.
  await makeDue(stage, webhookId, new Date(Date.now() + DAY_MS));
  const left = waiting - drained;
  const row = (what: string, buffers: number | string, latency: Latency) => ({
    what,
    empty_look_buffers: buffers,
    others_p50_ms: rounded(latency.p50),
    others_p99_ms: rounded(latency.p99),
    longest_ms: rounded(latency.longest),
  });
  const mark = { database: 'postgres' as const };
  return {
    title: `postgres: ${waiting} deliveries wait for one absent endpoint, among ${history.amounts.deliveries}; others at ${PER_SECOND} events a second`,
    rows: [
      row('none waits', sumOf(none), without),
      row('all wait for tomorrow', sumOf(many), withThem),
      row('the endpoint returns', '-', during),
    ],
    marks: [
      {
        ...mark,
        promise: 'buffers of a statement of an empty look for due work while they wait, above those without',
        value: Math.max(...[...many].map(([text, pages]) => pages - (none.get(text) ?? 0))),
        limit: { most: MORE_BUFFERS * partitions },
      },
      {
        ...mark,
        promise: "the others' p99 while they wait, to that without",
        value: rounded(withThem.p99 / without.p99),
        limit: { most: MAX_RATIO_TO_IDLE },
        unit: 'x',
      },
      {
        ...mark,
        promise: "the others' p99 while the endpoint takes what it missed",
        value: rounded(during.p99),
        limit: { most: MAX_MS },
        unit: 'ms',
      },
      {
        ...mark,
        promise: 'what the returned endpoint received meanwhile, a second',
        value: rounded(drained / drainSeconds),
        limit: { least: 100 },
      },
    ],
    note:
      `Latencies are medians of ${ROUNDS} rounds of ${seconds} s. Making the ${waiting} took ${rounded(filling.seconds)} s. ` +
      `After ${Math.round(drainSeconds)} s of its return ${Math.max(0, left)} were left.`,
  };
}

async function rounds(stage: Stage, seconds: number, before?: () => Promise<unknown>): Promise<Latency> {
  const found: Latency[] = [];
  for (let round = 0; round < ROUNDS; round++) found.push(await steadyEvents(stage, PER_SECOND, seconds, before));
  const of = (name: keyof Latency) => median(found.map((latency) => latency[name]));
  return {
    events: of('events'),
    p50: of('p50'),
    p99: of('p99'),
    longest: of('longest'),
    p50FromCommit: of('p50FromCommit'),
    p99FromCommit: of('p99FromCommit'),
  };
}

/**
 * Index pages of what was done before would count, and writing a million new rows to the disk would slow what is measured next. By default, a
 * vacuum leaves those pages when fewer than 2 % of a table's pages have dead rows.
 */
async function settle({ db }: Stage): Promise<void> {
  await db.raw('vacuum (analyze, index_cleanup on) deliveries');
  await db.raw('checkpoint');
}

/** The buffers of each statement of a look of the promoter that finds nothing: the fewest of several, because the first clear away entries of what was done. */
async function emptyLook({ history }: Stage): Promise<Map<string, number>> {
  const { database } = history.config;
  if (database.dialect !== 'postgres') throw new Error('Only Postgres explains with buffers.');
  return watched(database.url, async (watch) => {
    const { db, queue, close } = await openQueue(database, createLog('silent'));
    try {
      await queue.start([['send-invite', plainWorker(() => {})]]);
      const seen: [text: string, pages: number][] = [];
      for (let look = 0; look < LOOKS; look++)
        await watch.during('look', async () => {
          const now = new Date();
          await tablesWithDueWork(db, now);
          const lease = { now, until: isoAfter(now, MINUTE_MS), limit: 500 };
          await inTransaction(db, (trx) => leaseToQueue(trx, 'deliveries', lease));
        });
      for (const { by, text, pages } of watch.statements()) if (by === 'look') seen.push([text, pages]);
      const byText = Map.groupBy(seen, ([text]) => text);
      return new Map([...byText].map(([text, looks]) => [text, Math.min(...looks.map(([, pages]) => pages))]));
    } finally {
      await close();
    }
  });
}

async function countPartitions({ db }: Stage): Promise<number> {
  const { rows }: { rows: { count: number }[] } = await db.raw(
    "select count(*)::int as count from pg_inherits where inhparent = 'deliveries'::regclass",
  );
  return rows[0]?.count ?? 1;
}

function sumOf(pages: Map<string, number>): number {
  return [...pages.values()].reduce((sum, each) => sum + each, 0);
}

/** As a resumed webhook's are. */
async function makeDue({ db }: Stage, webhookId: string, at: Date): Promise<void> {
  const due_at = at.toISOString();
  await db('deliveries').where({ webhook_id: webhookId, status: 'pending' }).update({ due_at });
}
