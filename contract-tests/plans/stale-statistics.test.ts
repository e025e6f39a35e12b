import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { type WorkTable, workTables } from '../../db/work/work.ts';
import { dialectOf, inBulk, insertBulk, orderedSpread, withoutAutovacuum } from '../../harness/database/bulk-rows.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import type { Watch } from '../../harness/plans/watch.ts';
import { type WatchPostgres, watchPostgres } from '../../harness/plans/watch-postgres.ts';
import { watchSqlite } from '../../harness/plans/watch-sqlite.ts';
import { addWork, stepsOf, workIds } from '../../harness/plans/work-backlog.ts';

databases('both', 'nightly');

/** Finished rows, included in the statistics, and open rows, which are not: every second one is due, the others a day later. */
const [OVER, OPEN] = [20_000, 60_000];
const SPREAD = orderedSpread(OVER + OPEN);
const CLAIMED = 200;
/** Coprime to the number of due rows: rows claimed together are spread over the table. */
const STRIDE = 7_919;
const MAX_PAGES = 2_000;

describe('work uses the primary key, whatever the statistics say', () => {
  let db: Database;
  let watch: Watch;
  let postgres: WatchPostgres | undefined;

  after(async () => {
    if (db) await disconnect(db);
    watch?.end();
  });
  const folder = suiteFixture(temporaryFolder);
  before(async () => {
    const DATABASE_URL = await preparedDatabase(folder.path);
    const { database } = readConfig({ DATA_DIR: folder.path, DATABASE_URL, DATABASE_QUERY_SECONDS: '600' });
    if (database.dialect === 'sqlite') watch = watchSqlite(database.file);
    else watch = postgres = await watchPostgres(database.url);
    db = await connect(database);
    await fill();
  });

  async function fill(): Promise<void> {
    const { minutesAgo } = dialectOf(db);
    const add = (from: number, amount: number, columns: Record<string, string>) =>
      inBulk(db, async (trx) => {
        for (const table of workTables) await addWork(trx, table, { from, amount, spread: SPREAD, columns });
        await insertBulk(trx, 'events', amount, {
          id: dialectOf(trx).id('event', `i + ${from}`, SPREAD),
          tenant_id: dialectOf(trx).id('tenant', '1'),
          event: `'EID_SUCCESS'`,
          created_at: minutesAgo('0'),
        });
      });
    for (const table of postgres ? [...workTables, 'events'] : []) await withoutAutovacuum(db, table);
    await add(0, OVER, { status: `'over'`, finished_at: minutesAgo('0') });
    await db.raw('analyze');
    const due_at = `case when i % 2 = 0 then ${minutesAgo('1 + i / 1000')} else ${minutesAgo('-1440 - i / 1000')} end`;
    await add(OVER, OPEN, { status: `'pending'`, due_at });
  }

  function dueIds(table: WorkTable): string[] {
    const nth = (index: number) => OVER + 2 * (1 + ((index * STRIDE) % (OPEN / 2)));
    return workIds(
      table,
      Array.from({ length: CLAIMED }, (_, index) => nth(index)),
      SPREAD,
    );
  }

  for (const table of workTables)
    it(`every claim, load and outcome of ${table}`, async () => {
      const ids = dueIds(table);
      for (const [name, step] of stepsOf(db, table)) {
        const by = `${table}: ${name}`;
        const seen = postgres?.statements().length ?? 0;
        const done = await watch.during(by, () => step(ids));
        expect(watch.sentBy(by), by).to.be.above(0);
        if (name === 'claim' || name === 'extend the leases') expect(done, by).to.have.length(CLAIMED);
        for (const { found, text } of postgres?.statements().slice(seen) ?? []) {
          expect(found, `${by}: ${text}`).to.be.at.most(name === 'claim' ? MAX_PAGES : 2 * MAX_PAGES);
        }
      }
      // The referenced tables are empty here, so reading all of them is right.
      const isOf = new RegExp(`\\b${table}$`);
      const faults = (await watch.faults()).filter(({ by, why }) => by.startsWith(`${table}: `) && isOf.test(why));
      expect(faults.map(({ by, why, plan }) => `${by} ${why}\n${plan}`).join('\n')).to.equal('');
    });
});
