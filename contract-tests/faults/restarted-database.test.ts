import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { figure, Slowest, times } from '../../harness/mocha/figures.ts';
import { useOwnPostgres } from '../../harness/service/fault-world.ts';

databases('postgres', 'nightly');

const RESTARTS = times(1, 5);
const CALLS = 10;
const MINUTE_MS = 60_000;

describe('a restart of Postgres', () => {
  const { postgres, world } = useOwnPostgres();

  for (const [way, signal] of [
    ['fast', 'SIGINT'],
    ['immediate', 'SIGQUIT'],
  ] as const)
    it(`loses nothing acknowledged, and API and workers serve again: ${way}`, async () => {
      const slowest = new Slowest();
      for (let restart = 0; restart < RESTARTS; restart++) {
        const load = Array.from({ length: CALLS }, async () => {
          const statuses = [];
          while (statuses.length < CALLS) statuses.push(await world.create());
          return statuses;
        });
        await postgres.end(signal);
        await world.calls(CALLS);
        await postgres.start();
        await slowest.time(() => world.serves());
        expect((await Promise.all(load)).flat(), 'each call had an answer').to.not.include(0);
      }
      await world.expectNothingLost();
      figure(
        `${RESTARTS} restarts: 0 of ${world.acknowledged} acknowledged writes lost; served at most ${slowest.seconds} after the server`,
      );
    }).timeout((RESTARTS + 3) * MINUTE_MS);
});
