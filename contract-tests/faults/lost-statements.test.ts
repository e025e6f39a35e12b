import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
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
  const TOO_LATE = 'Query read timeout';
  const QUERY_MS = 1000;
  const ANSWERS = [[{ found: 1 }], [], [{ found: 1 }]];
  let database: string;
  let proxy: SilentProxy;
  let db: Database;

  beforeEach(async () => {
    database = await freshDatabase(place.path);
    proxy = await SilentProxy.start(database);
    db = await connect(
      readConfig({ DATABASE_URL: proxy.url, DATABASE_QUERY_SECONDS: String(QUERY_MS / 1000) }).database,
    );
    // Both are prepared on one connection.
    await Promise.all([one(db, 1), count(db, 1)]);
  });
  afterEach(async () => {
    await disconnect(db);
    await proxy.stop();
  });

  const outcome = (read: Promise<unknown>) => read.catch((error: Error) => error.message);

  it('does not take the next read’s answer for its own, not even one without rows', async () => {
    proxy.fallSilent();
    const lost = outcome(count(db, 1));
    await eventually('the statement was lost', () => proxy.lost > 0);
    proxy.speakAgain();
    expect(await one(db, 0)).to.deep.equal([]);
    expect(await lost).to.equal(TOO_LATE);
  });

  it('does not take the answer of another read of its batch, nor do the reads behind it', async () => {
    proxy.loseStatement();
    const reads = [one(db, 1), one(db, 0), count(db, 0), count(db, 1)];
    expect(await Promise.all(reads.map(outcome))).to.deep.equal(reads.map(() => TOO_LATE));
    expect(await one(db, 1), 'over another connection').to.deep.equal([{ found: 1 }]);
  });

  it('is sent again over another connection when its own ends', async () => {
    proxy.fallSilent();
    const reads = [one(db, 1), one(db, 0), count(db, 1)];
    await eventually('the statements were lost', () => proxy.lost > 0);
    proxy.speakAgain();
    proxy.leadTo(database);
    expect(await Promise.all(reads.map(outcome))).to.deep.equal(ANSWERS);
  });

  it('is sent again over another connection when its own forgot what was prepared on it', async () => {
    await db.raw('deallocate all');
    const reads = [one(db, 1), one(db, 0), count(db, 1)];
    expect(await Promise.all(reads.map(outcome))).to.deep.equal(ANSWERS);
  });

  it('ends in time when the database never answers', async () => {
    proxy.fallSilent();
    const startedAt = performance.now();
    const reads = [one(db, 1), count(db, 1)];
    expect(await Promise.all(reads.map(outcome))).to.deep.equal(reads.map(() => TOO_LATE));
    expect(performance.now() - startedAt).to.be.within(QUERY_MS * 0.9, QUERY_MS * 2);
  });
});
