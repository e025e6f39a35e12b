import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { isoAfter } from '../../core/time.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { claimInTurn, leaseToQueue } from '../../db/work/in-turn.ts';
import { tablesWithDueWork, type WorkTable, workTables } from '../../db/work/work.ts';
import { dialectOf, inBulk, orderedSpread, withoutAutovacuum } from '../../harness/database/bulk-rows.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases, isNightly } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import type { Watch } from '../../harness/plans/watch.ts';
import { type WatchPostgres, watchPostgres } from '../../harness/plans/watch-postgres.ts';
import { watchSqlite } from '../../harness/plans/watch-sqlite.ts';
import { addWork, workIds } from '../../harness/plans/work-backlog.ts';

databases('both');

const FILLING_MS = 240_000;
/** Due rows of one API key, and as many that are due another day. The other key has one row, which became due last. */
const DELIVERIES = isNightly ? 300_000 : 30_000;
const backlogOf = (table: WorkTable) => (table === 'deliveries' ? DELIVERIES : DELIVERIES / 15);
const SPREAD = orderedSpread(2 * DELIVERIES + 1);
const LIMIT = 500;
const MINUTE_MS = 60_000;
/** The pages that a searching statement reads per partition: two steps from key to key and the end, each down an index of 300,000 rows. */
const MAX_PAGES = 12;
const SEARCHES = /with recursive|string_agg|min\(due_at\)/i;

describe('due work', () => {
  let db: Database;
  let watch: Watch;
  let postgres: WatchPostgres | undefined;
  const folder = suiteFixture(temporaryFolder);

  before(async () => {
    const DATABASE_URL = await preparedDatabase(folder.path);
    const { database } = readConfig({ DATA_DIR: folder.path, DATABASE_URL, DATABASE_QUERY_SECONDS: '600' });
    if (database.dialect === 'sqlite') watch = watchSqlite(database.file);
    else watch = postgres = await watchPostgres(database.url);
    db = await connect(database);
    for (const table of postgres ? workTables : []) await withoutAutovacuum(db, table);
  });
  after(async () => {
    if (db) await disconnect(db);
    watch?.end();
  });

  async function fill(table: WorkTable): Promise<void> {
    const { minutesAgo } = dialectOf(db);
    const amount = backlogOf(table);
    await inBulk(db, async (trx) => {
      const add = (from: number, count: number, key: string, due_at: string) =>
        addWork(trx, table, {
          ...{ from, amount: count, spread: SPREAD },
          columns: { api_key_id: `'${key}'`, status: `'pending'`, due_at },
        });
      await add(0, amount, 'loud', minutesAgo('10 + i / 1000'));
      await add(amount, amount, 'loud', minutesAgo('-1440 - i / 1000'));
      await add(2 * amount, 1, 'quiet', minutesAgo('0'));
    });
  }

  async function partitionsOf(table: WorkTable): Promise<number> {
    if (!postgres) return 1;
    const { rows } = await db.raw<{ rows: { count: number }[] }>(
      'select count(*)::int as count from pg_inherits where inhparent = to_regclass(?)',
      [table],
    );
    return Math.max(1, rows[0]?.count ?? 0);
  }

  /** The most pages that a searching statement reads, and what the work returns. */
  async function searched<Result>(by: string, work: () => Promise<Result>): Promise<{ done: Result; pages: number }> {
    const seen = postgres?.statements().length ?? 0;
    const done = await watch.during(by, work);
    const statements = (postgres?.statements() ?? []).slice(seen).filter(({ text }) => SEARCHES.test(text));
    return { done, pages: Math.max(0, ...statements.map(({ pages }) => pages)) };
  }

  for (const table of workTables)
    it(`of ${table}: another API key’s row is found at once behind ${backlogOf(table)} rows of one key, without statistics`, async () => {
      await fill(table);
      const [quiet = ''] = workIds(table, [2 * backlogOf(table) + 1], SPREAD);
      const now = new Date();
      expect([...(await tablesWithDueWork(db, now))]).to.include(table);
      const lease = { dueBefore: now.toISOString(), lease: 'worker', until: isoAfter(now, MINUTE_MS) };
      const claim = await searched(`${table}: claim`, () =>
        claimInTurn(db, table, { after: '', busy: [], limit: 2 }, lease),
      );
      expect(claim.done.claimed.map(({ party }) => party)).to.have.members(['loud', 'quiet']);
      await db(table).where({ id: quiet }).update({ due_at: lease.dueBefore, leased_by: null });
      const leased = await searched(`${table}: promote`, () =>
        db.transaction((trx) => leaseToQueue(trx, table, { now, until: lease.until, limit: LIMIT })),
      );
      expect(leased.done.rows.map(({ id }) => id)).to.include(quiet);
      expect(leased.done.rows.length).to.be.within(LIMIT / 2, LIMIT);
      const most = MAX_PAGES * (await partitionsOf(table));
      if (postgres) expect(claim.pages, 'pages of a claim').to.be.within(1, most);
      // Half of the rows are read for the loud key itself.
      if (postgres) expect(leased.pages, 'pages of a pass').to.be.within(1, most + LIMIT / 2);
      const faults = (await watch.faults()).filter(({ by }) => by.startsWith(`${table}: `));
      if (!postgres) expect(faults.map(({ text, why, plan }) => `${text}\n${why}\n${plan}`)).to.deep.equal([]);
    }).timeout(FILLING_MS);
});
