import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { query } from '../../harness/database/postgres-server.ts';
import { figure, Slowest, times } from '../../harness/mocha/figures.ts';
import { PATIENCE } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { useOwnPostgres } from '../../harness/service/fault-world.ts';

databases('postgres');

const CALLS = times(10, 100);

describe('a read-only Postgres', () => {
  const { postgres, world } = useOwnPostgres({}, PATIENCE);
  const setReadOnly = async (value: 'on' | 'off') => {
    await query(postgres.url, `alter system set default_transaction_read_only = ${value}`);
    await query(postgres.url, 'select pg_reload_conf()');
  };

  it('still serves reads, and writes once it accepts them again', async () => {
    await world.calls(CALLS);
    await setReadOnly('on');
    await until('a write was refused', async () => (await world.create()) === 500);
    expect(await world.calls(CALLS)).to.deep.equal({ reads: [200], creates: [500] });
    await setReadOnly('off');
    const serving = new Slowest();
    await serving.time(() => world.serves());
    await world.expectNothingLost();
    figure(`0 of ${CALLS} reads failed; wrote again after ${serving.seconds}`);
  });
});
