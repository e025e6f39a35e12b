import { expect } from 'chai';
import { firstIdAt, ID_PREFIX } from '../../core/ids.ts';
import { partitionedTables } from '../../core/rules/partitions.ts';
import { readConfig } from '../../core/settings/config.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { listPartitions, spansOf } from '../../db/connection/partitions/partitions.ts';
import { tendPartitions } from '../../db/connection/partitions/tend-partitions.ts';
import { leaseToQueue } from '../../db/work/in-turn.ts';
import { tablesWithDueWork } from '../../db/work/work.ts';
import { inBulk, insertBulk, withoutAutovacuum } from '../../harness/database/bulk-rows.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { type WatchPostgres, watchPostgres } from '../../harness/plans/watch-postgres.ts';
import { stepsOf } from '../../harness/plans/work-backlog.ts';

databases('postgres');

const MONTHS = 12;
/** Finished rows in each partition, included in the statistics, and waiting rows in one of them, which are not. */
const [OVER, OPEN] = [2_000, 30_000];
const CLAIMED = 200;
/** A third more than was measured. */
const MAX_PAGES = { look: 60, walk: 102, lease: 2_000, step: 4_000 };

/** SQLite has no partitions. */
describe(`deliveries in ${MONTHS} partitions`, () => {
  const folder = suiteFixture(temporaryFolder);
  let db: Database;
  let watch: WatchPostgres;
  const begin = new Date();

  before(async () => {
    const DATABASE_URL = await preparedDatabase(folder.path);
    const { database } = readConfig({ DATA_DIR: folder.path, DATABASE_URL, DATABASE_QUERY_SECONDS: '600' });
    watch = await watchPostgres(DATABASE_URL);
    db = await connect(database);
    await makeMonths();
    for (const { table } of partitionedTables) await withoutAutovacuum(db, table);
    for (let month = 0; month < MONTHS; month++)
      await fill(month, 0, OVER, { status: `'delivered'`, finished_at: `'${begin.toISOString()}'` });
    await db.raw('analyze');
  });
  after(async () => {
    watch?.end();
    if (db) await disconnect(db);
  });

  /** The partitions' clock runs ahead, so that only a few are created at once. */
  async function makeMonths(): Promise<void> {
    const days = { payloads: 3_650, records: 3_650 };
    for (let week = 0; week <= 5 * MONTHS; week++)
      await tendPartitions(db, days, new Date(begin.getTime() + week * 7 * DAY_MS));
    const [deliveries] = partitionedTables;
    if (deliveries) expect(spansOf(await listPartitions(db, deliveries))).to.have.length.at.least(MONTHS);
  }

  function monthsOn(months: number): Date {
    return new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + months, 10));
  }

  const idOf = (kind: 'event' | 'delivery', month: number, number: number) =>
    `${firstIdAt(ID_PREFIX[kind], monthsOn(month))}${number.toString(16).padStart(8, '0')}`;

  async function fill(month: number, from: number, amount: number, columns: Record<string, string>): Promise<void> {
    const id = (kind: 'event' | 'delivery') =>
      `'${firstIdAt(ID_PREFIX[kind], monthsOn(month))}' || lpad(to_hex(i + ${from}), 8, '0')`;
    const created_at = `'${monthsOn(month).toISOString()}'`;
    await inBulk(db, async (trx) => {
      const event = { id: id('event'), tenant_id: `'a tenant'`, event: `'EID_SUCCESS'`, created_at };
      await insertBulk(trx, 'events', amount, event);
      await insertBulk(trx, 'event_bodies', amount, { id: id('event'), body: `'sealed'` });
      await insertBulk(trx, 'deliveries', amount, {
        ...{ id: id('delivery'), event_id: id('event'), webhook_id: `'a webhook'`, attempts: '0', created_at },
        ...columns,
      });
    });
  }

  async function makeDue(): Promise<void> {
    await db('deliveries')
      .where({ status: 'pending' })
      .update({ due_at: isoAfter(begin, -DAY_MS) });
  }

  it('cost an empty pass of the promoter a few pages per partition, and no more when many wait', async () => {
    const look = async (by: string) => {
      const seen = watch.statements().length;
      const now = new Date();
      await watch.during(by, async () => {
        await tablesWithDueWork(db, now);
        await db.transaction((trx) => leaseToQueue(trx, 'deliveries', { now, until: isoAfter(now, 1), limit: 500 }));
      });
      return watch.statements().slice(seen);
    };
    for (const { text, pages } of await look('an empty look')) {
      expect(pages, text).to.be.at.most(MAX_PAGES.look);
    }
    await fill(3, OVER, OPEN, { status: `'pending'`, due_at: `'${isoAfter(begin, DAY_MS)}'` });
    for (const { text, pages } of await look('a look past those that wait')) {
      expect(pages, text).to.be.at.most(/coalesce\(api_key_id/.test(text) ? MAX_PAGES.walk : MAX_PAGES.look);
    }
    await watch.during('what is arranged here', () => makeDue());
    for (const { text, found } of await look('a look at those that are due')) {
      expect(found, text).to.be.at.most(MAX_PAGES.lease);
    }
  });

  it('are claimed, loaded and recorded by their partition’s primary key', async () => {
    const ids = Array.from({ length: CLAIMED }, (_, index) => idOf('delivery', 3, OVER + 1 + index * 97));
    for (const [name, step] of stepsOf(db, 'deliveries')) {
      const seen = watch.statements().length;
      const done = await watch.during(name, () => step(ids));
      if (name === 'claim') expect(done).to.have.length(CLAIMED);
      for (const { found, text } of watch.statements().slice(seen)) {
        expect(found, `${name}: ${text}`).to.be.at.most(MAX_PAGES.step);
      }
    }
    const faults = (await watch.faults()).filter(
      ({ by, why }) => by !== 'what is arranged here' && /\b(deliveries|events|event_bodies)$/.test(why),
    );
    expect(faults.map(({ by, why, plan }) => `${by} ${why}\n${plan}`).join('\n')).to.equal('');
  });
});
