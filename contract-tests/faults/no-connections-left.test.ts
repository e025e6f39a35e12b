import { expect } from 'chai';
import pg from 'pg';
import { databases } from '../../harness/database/dialect.ts';
import { query } from '../../harness/database/postgres-server.ts';
import { figure, Slowest, times } from '../../harness/mocha/figures.ts';
import { useOwnPostgres } from '../../harness/service/fault-world.ts';

databases('postgres');

const CALLS = times(20, 200);
const MAX_CONNECTIONS = 60;

describe('a Postgres without free connections', () => {
  const { postgres, world } = useOwnPostgres({ flags: [`max_connections=${MAX_CONNECTIONS}`] });
  const taken: pg.Client[] = [];
  after(() => Promise.all(taken.map((client) => client.end())));

  it('leaves no request unanswered, and API and workers serve again once there are some', async () => {
    await world.calls(CALLS);
    // Terminates the service's connections and takes their slots first.
    await query(
      postgres.url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tenant-screening%'",
    );
    const take = async () => {
      const client = new pg.Client(`${postgres.url}/postgres`);
      client.on('error', () => {});
      await client.connect();
      taken.push(client);
    };
    const all = await Promise.allSettled(Array.from({ length: MAX_CONNECTIONS + 1 }, take));
    expect(
      all.some(({ status }) => status === 'rejected'),
      'all are taken',
    ).to.equal(true);
    const { reads, creates } = await world.calls(CALLS);
    expect([...reads, ...creates], 'each call had an answer').to.not.include(0);
    await Promise.all(taken.splice(0).map((client) => client.end()));
    const serving = new Slowest();
    await serving.time(() => world.serves());
    await world.expectNothingLost();
    figure(
      `${2 * CALLS} calls answered (${[...new Set([...reads, ...creates])].join(', ')}); served after ${serving.seconds}`,
    );
  });
});
