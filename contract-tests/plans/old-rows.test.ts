import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { listDeliveries } from '../../db/webhooks/delivery-lists.ts';
import { readDeliveryLog } from '../../db/webhooks/delivery-log.ts';
import { bulkId, dialectOf, inBulk, insertBulk, withoutAutovacuum } from '../../harness/database/bulk-rows.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { type WatchPostgres, watchPostgres } from '../../harness/plans/watch-postgres.ts';

databases('postgres');

/** The deliveries of each webhook: the first has the older half, the second has the newer half. */
const EACH = 20_000;
const LISTED = 25;
const MAX_ROWS = 400;

/** SQLite has no statistics and uses the index on the webhook. */
describe('deliveries of a webhook that had many once, and none since', () => {
  const folder = suiteFixture(temporaryFolder);
  const [webhookId, landlordId] = [bulkId('webhook', 1), bulkId('landlord', 1)];
  let db: Database;
  let watch: WatchPostgres;

  before(async () => {
    const DATABASE_URL = await preparedDatabase(folder.path);
    const { database } = readConfig({ DATA_DIR: folder.path, DATABASE_URL, DATABASE_QUERY_SECONDS: '600' });
    watch = await watchPostgres(DATABASE_URL);
    db = await connect(database);
    await withoutAutovacuum(db, 'deliveries');
    await fill();
    await db.raw('analyze');
  });
  after(async () => {
    watch?.end();
    if (db) await disconnect(db);
  });

  function fill(): Promise<void> {
    return inBulk(db, async (trx) => {
      const to = dialectOf(trx);
      const created_at = to.minutesAgo(`${2 * EACH} - i`);
      const add = (table: string, amount: number, columns: Record<string, string>) =>
        insertBulk(trx, table, amount, { created_at, ...columns });
      await add('landlords', 1, { id: `'${landlordId}'`, name: `'Casa Clara'` });
      const credentials = { client_id: to.id('other', 'i'), client_secret_hash: `''`, name: `'Website'` };
      await add('api_keys', 1, { id: to.id('key', 'i'), landlord_id: `'${landlordId}'`, ...credentials });
      const target = { api_key_id: to.id('key', '1'), url: `'https://letting.example/hook'`, status: `'active'` };
      await add('webhooks', 2, { id: to.id('webhook', 'i'), ...target });
      await add('events', 2 * EACH, {
        id: to.id('event', 'i'),
        tenant_id: to.id('tenant', '1'),
        event: `'EID_SUCCESS'`,
      });
      await add('deliveries', 2 * EACH, {
        id: to.id('delivery', 'i'),
        event_id: to.id('event', 'i'),
        webhook_id: to.id('webhook', `case when i <= ${EACH} then 1 else 2 end`),
        status: `case when i % 10 = 0 then 'failed' else 'delivered' end`,
        attempts: '1',
      });
    });
  }

  const lists: Record<string, () => Promise<{ webhook_id: string }[]>> = {
    'in the log of the console': async () =>
      (await readDeliveryLog(db, ALL_LANDLORDS, { webhookId }, undefined, LISTED)).rows,
    'in the log, those that failed': async () =>
      (await readDeliveryLog(db, ALL_LANDLORDS, { webhookId, state: 'failed' }, undefined, LISTED)).rows,
    'in the log of their landlord': async () =>
      (await readDeliveryLog(db, ALL_LANDLORDS, { landlordId }, undefined, LISTED)).rows,
    'on the command line': () => listDeliveries(db, ALL_LANDLORDS, { webhookId }, LISTED),
    'on the command line, those that failed': () =>
      listDeliveries(db, ALL_LANDLORDS, { webhookId, state: 'failed' }, LISTED),
  };
  for (const [where, list] of Object.entries(lists))
    it(`are listed by its own index, ${where}`, async () => {
      const seen = watch.statements().length;
      const listed = await watch.during(where, list);
      expect(listed).to.have.length(LISTED);
      const statements = watch.statements().slice(seen);
      expect(statements).to.not.be.empty;
      for (const { rows, text } of statements) expect(rows, text).to.be.at.most(MAX_ROWS);
    });
});
