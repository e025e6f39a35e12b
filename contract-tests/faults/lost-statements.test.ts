import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import { prepared } from '../../db/connection/prepared.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { SilentProxy } from '../../harness/peers/silent-proxy.ts';
import { eventually } from '../../harness/process/signals.ts';

databases('postgres');

const one = prepared<{ found: number }>('select 1 as found where 1 = cast(? as integer)');
const count = prepared<{ found: number }>(
  'select count(*) as found from (values (1)) as row (n) where n = cast(? as integer)',
);

describe('a read whose statement is lost on the way to Postgres', () => {
  const place = suiteFixture(temporaryFolder);

  it('does not take the next read’s answer for its own, not even one without rows', async () => {
    const proxy = await SilentProxy.start(await freshDatabase(place.path));
    const db = await connect(readConfig({ DATABASE_URL: proxy.url, DATABASE_QUERY_SECONDS: '20' }).database);
    try {
      await Promise.all([one(db, 1), count(db, 1)]);
      proxy.fallSilent();
      const lost = count(db, 1);
      await eventually('the statement was lost', () => proxy.lost > 0);
      proxy.speakAgain();
      const next = one(db, 0);
      expect(await next).to.deep.equal([]);
      expect((await lost).map(({ found }) => found)).to.deep.equal([1]);
    } finally {
      await disconnect(db);
      await proxy.stop();
    }
  });
});
