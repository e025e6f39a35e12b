import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLog } from '../../core/log.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { tablesWithDueWork } from '../../db/work/work.ts';
import {
  type Dialect,
  dialectOf,
  inBulk,
  insertBulk,
  orderedSpread,
  withoutAutovacuum,
} from '../../harness/database/bulk-rows.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { type OpenQueue, openQueue, plainWorker, queueTables } from '../../harness/database/queue.ts';
import type { Watch } from '../../harness/plans/watch.ts';
import { type WatchPostgres, watchPostgres } from '../../harness/plans/watch-postgres.ts';
import { watchSqlite } from '../../harness/plans/watch-sqlite.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';

databases('both', 'nightly');

/** Inserting a million rows, on a busy machine. */
const FILLING_MS = 240_000;
const LATER = 1_000_000;
const CLAIMED = 200;
const QUEUED = 5_000;
const SPREAD = orderedSpread(LATER);
/** Enough executions that Postgres settles on a generic plan for a named statement. */
const TIMES = 8;
/** The extra levels of an index on a million rows compared with an empty one, and one page for its first row. */
const MORE_PAGES = 4;
const LOOK = 'an empty look';

const isFetch = (text: string) => /^\s*with\s+next as .* from pgboss\./is.test(text);

describe('waiting deliveries', () => {
  let folder: string;
  let watch: Watch;
  let postgres: WatchPostgres | undefined;
  let open: OpenQueue;
  let database: Config['database'];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-backlog-'));
    const DATABASE_URL = await preparedDatabase(folder);
    // Filling tables takes longer than the service's statement timeout.
    database = readConfig({ DATA_DIR: folder, DATABASE_URL, DATABASE_QUERY_SECONDS: '600' }).database;
    if (database.dialect === 'sqlite') watch = watchSqlite(database.file);
    else watch = postgres = await watchPostgres(database.url);
    open = await openQueue(database, createLog('silent'));
    if (postgres) await withoutAutovacuum(open.db, 'deliveries');
    await open.queue.start([['deliver-webhook', plainWorker(() => {})]]);
  });
  afterEach(async () => {
    await open?.close();
    watch?.end();
    await rm(folder, { recursive: true, force: true });
  });

  /** @param from the number before the first @param due when they are due */
  function fill(from: number, amount: number, due: (to: Dialect) => string): Promise<void> {
    return inBulk(open.db, async (trx) => {
      const to = dialectOf(trx);
      await insertBulk(trx, 'deliveries', amount, {
        id: to.id('delivery', `i + ${from}`, SPREAD),
        event_id: to.id('event', `i + ${from}`, SPREAD),
        webhook_id: to.id('webhook', '1'),
        status: `'pending'`,
        attempts: '0',
        due_at: due(to),
        created_at: to.minutesAgo('0'),
      });
    });
  }

  /**
   * @returns the most pages read by each statement of an empty pass, and by the queue's empty fetch after it
   */
  async function look(): Promise<Map<string, number>> {
    const { db } = open;
    const seen = statements().length;
    for (let time = 0; time < TIMES; time++)
      await watch.during(LOOK, async () => {
        // The promoter sends nothing else when this finds nothing.
        expect(await tablesWithDueWork(db, new Date())).to.be.empty;
      });
    const since = () => statements().filter(({ by, text }, index) => index >= seen && (by === LOOK || isFetch(text)));
    if (postgres) await until('the queue was asked', () => since().some(({ text }) => isFetch(text)));
    const most = new Map<string, number>();
    for (const { text, pages } of since()) most.set(text, Math.max(most.get(text) ?? 0, pages));
    return most;
  }

  it('cost nothing while a million are due another day: for the promoter’s pass and the queue’s fetch, without statistics', async () => {
    const none = await look();
    await fill(0, LATER, (to) => to.minutesAgo('-1440 - i / 1000'));
    const many = await look();
    expect([...many.keys()]).to.have.members([...none.keys()]);
    for (const [text, pages] of many) expect(pages, text).to.be.at.most((none.get(text) ?? 0) + MORE_PAGES);
    // On Postgres, the plans for an empty table rightly read all of it.
    if (!postgres) expect(await faults(LOOK)).to.deep.equal([]);
  }).timeout(FILLING_MS);

  if (dialect === 'postgres')
    it('are fetched from the queue without reading all of it for each, when the statistics know of one job', async () => {
      const { db, queue } = open;
      for (const table of await queueTables(db)) await db.raw(`alter table ${table} set (autovacuum_enabled = off)`);
      const ids = Array.from({ length: QUEUED }, (_, index) => String(index));
      const send = (sent: string[]) => db.transaction((trx) => queue.send(trx, 'send-invite', sent));
      await send(ids.slice(0, 1));
      await db.raw('vacuum analyze');
      await send(ids);
      const taken = new Set<string>();
      await queue.start([['send-invite', plainWorker((id) => taken.add(id), CLAIMED)]]);
      await eventually('all were fetched', () => taken.size === QUEUED);
      const fetches = statements().filter(({ text }) => isFetch(text));
      const rows = Math.max(...fetches.map((fetch) => fetch.rows));
      expect(rows).to.be.within(CLAIMED, 3 * QUEUED);
    });

  const statements = () => postgres?.statements() ?? [];
  async function faults(by: string): Promise<string[]> {
    expect(watch.sentBy(by)).to.be.above(0);
    return (await watch.faults())
      .filter((fault) => fault.by === by)
      .map(({ text, why, plan }) => `${text}\n${why}\n${plan}`);
  }
});
