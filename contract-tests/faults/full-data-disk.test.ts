import { expect } from 'chai';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { query } from '../../harness/database/postgres-server.ts';
import { figure, Slowest, times, unavailable } from '../../harness/mocha/figures.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { canLimitFiles, limitFiles } from '../../harness/process/file-size.ts';
import { isThorough } from '../../harness/process/patience.ts';
import { PATIENCE } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { FaultWorld, useOwnPostgres } from '../../harness/service/fault-world.ts';

databases('both');

const CALLS = times(10, 100);
const PAGE_BYTES = 4096;
const SEGMENT_BYTES = 1 << 20;
/** More rows than fit into one segment, in a table that new applications extend. */
const OLD_APPLICATIONS = `insert into applications (id, api_key_id, title, active_email_key, created_at, updated_at)
  select gen_random_uuid(), (select min(id) from api_keys), repeat('x', 200), i::text, '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'
  from generate_series(1, 6000) i`;

if (canLimitFiles || isThorough)
  describe('a full data disk', () => {
    const { world, fill, empty } = dialect === 'postgres' ? onPostgres() : onSqlite();

    it('still allows reads, and writes once there is space', async () => {
      if (!canLimitFiles) unavailable('prlimit, of util-linux, is not installed');
      await world.calls(CALLS);
      const limited = await fill();
      try {
        // Some rows fit into existing pages.
        const failed = await until('writes were refused, and reads were not', async () => {
          const { reads, creates } = await world.calls(CALLS);
          expect(reads).to.deep.equal([200]);
          const others = creates.filter((status) => status !== 200);
          return others.length > 0 && others;
        });
        expect(failed).to.deep.equal([500]);
      } finally {
        await empty(limited);
      }
      const serving = new Slowest();
      await serving.time(() => world.serves());
      await world.expectNothingLost();
      figure(
        `0 of ${CALLS} reads failed, 0 of ${world.acknowledged} acknowledged writes lost; wrote again after ${serving.seconds}`,
      );
    });
  });

function onSqlite() {
  const world = suiteFixture(() => FaultWorld.start(PATIENCE));
  return {
    world,
    fill: async () => {
      limitFiles([world.service.pid], PAGE_BYTES);
      return [world.service.pid];
    },
    empty: async (limited: number[]) => limitFiles(limited),
  };
}

/** The write-ahead log keeps its space, as on a disk that fills up: its files are preallocated. */
function onPostgres() {
  const { postgres, world } = useOwnPostgres({ initdbFlags: ['--wal-segsize=1'] }, PATIENCE);
  return {
    world,
    fill: async () => {
      await query(postgres.url, OLD_APPLICATIONS);
      const limited = await postgres.servingPids();
      limitFiles(limited, SEGMENT_BYTES);
      return limited;
    },
    empty: async () => limitFiles(await postgres.servingPids()),
  };
}
