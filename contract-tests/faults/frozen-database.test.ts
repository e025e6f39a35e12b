import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { expectWithin, figure, Slowest, times } from '../../harness/mocha/figures.ts';
import { useOwnPostgres } from '../../harness/service/fault-world.ts';

databases('postgres');

const CALLS = times(20, 100);
const ANSWER_SECONDS = 8;

describe('a Postgres whose processes are frozen', () => {
  const { postgres, world } = useOwnPostgres();

  it('leaves no request unanswered, and API and workers serve again once it continues', async () => {
    const [usual, waiting, serving] = [new Slowest(), new Slowest(), new Slowest()];
    await usual.time(() => world.calls(CALLS));
    await postgres.freeze();
    const { reads, creates } = await waiting.time(() => world.calls(CALLS));
    expect([...reads, ...creates], 'each call had an answer').to.not.include(0);
    postgres.thaw();
    await serving.time(() => world.serves());
    await world.expectNothingLost();
    figure(`requests ended within ${waiting.seconds}; served ${serving.seconds} after the server went on`);
    expectWithin(ANSWER_SECONDS * 1000, waiting, usual);
  });

  it('does not keep the service from stopping', async () => {
    await postgres.freeze();
    const calls = world.calls(CALLS);
    const ending = new Slowest();
    expect(await ending.time(() => world.service.stop())).to.be.oneOf([0, 1]);
    await calls;
    postgres.thaw();
    figure(`ended after ${ending.seconds}; STOP_SECONDS is 28`);
  });
});
