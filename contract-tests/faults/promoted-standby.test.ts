import { databases } from '../../harness/database/dialect.ts';
import { query, startPostgres, startStandby } from '../../harness/database/postgres-server.ts';
import { figure, Slowest, times } from '../../harness/mocha/figures.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { SilentProxy } from '../../harness/peers/silent-proxy.ts';
import { until } from '../../harness/process/until.ts';
import { FaultWorld } from '../../harness/service/fault-world.ts';

databases('postgres', 'nightly');

const CALLS = times(20, 200);

describe('a standby promoted to primary', () => {
  // Autovacuum makes and removes files while they are copied.
  const primary = suiteFixture(() => startPostgres({ flags: ['wal_keep_size=64MB', 'autovacuum=off'] }));
  const standby = suiteFixture(() => startStandby(primary));
  const proxy = suiteFixture(() => SilentProxy.start(`${primary.url}/postgres`));
  const world = suiteFixture(() => FaultWorld.start({ DATABASE_URL: proxy.url }));

  it('has everything that was acknowledged, and API and workers serve', async () => {
    await query(primary.url, "alter system set synchronous_standby_names = '*'");
    await query(primary.url, 'select pg_reload_conf()');
    await until('the standby was synchronous', async () => {
      const [row] = await query(primary.url, 'select sync_state from pg_stat_replication');
      return row?.['sync_state'] === 'sync';
    });
    await world.calls(CALLS);
    const load = world.calls(CALLS);
    await primary.end('SIGQUIT');
    await load;
    const serving = new Slowest();
    await serving.time(async () => {
      await query(standby.url, 'select pg_promote()');
      proxy.leadTo(standby.url);
      await world.serves();
    });
    await world.expectNothingLost();
    figure(`0 of ${world.acknowledged} acknowledged writes lost; served ${serving.seconds} after the promotion began`);
  });
});
