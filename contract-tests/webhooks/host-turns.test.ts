import { mock } from 'node:test';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { type HostTurn, HostTurns } from '../../jobs/webhooks/host-turns.ts';
import type { Ending } from '../../queue/lanes.ts';

databases('none');

const SECOND_MS = 1_000;
const HOOK = 'https://letting.example/hook';

describe('the deliveries of an API key to one host', () => {
  let hosts: HostTurns;
  let begun: HostTurn[];
  let refused: number;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    hosts = new HostTurns();
    begun = [];
    refused = 0;
  });
  afterEach(() => mock.timers.reset());

  const settled = () => new Promise(setImmediate);
  const add = async (count: number, key = 'key', url = HOOK) => {
    for (let index = 0; index < count; index++)
      void hosts.begin(key, `${url}/${index}`).then((turn) => (turn ? begun.push(turn) : refused++));
    await settled();
  };
  const end = async (count: number, ending: Ending) => {
    for (const turn of begun.splice(0, count)) turn.end(ending);
    await settled();
  };

  it('are one at a time until the host accepts one; each success doubles the limit, up to 64', async () => {
    await add(100);
    const atOnce: number[] = [];
    for (let round = 0; round < 3; round++) {
      atOnce.push(begun.length);
      await end(begun.length, 'success');
    }
    expect(atOnce).to.deep.equal([1, 2, 8]);
    for (let round = 0; round < 5; round++) await end(begun.length, 'success');
    await add(164);
    expect(begun).to.have.length(64);
  });

  it('are one at a time again after failures', async () => {
    await add(1);
    for (let round = 0; round < 8; round++) {
      await end(1, 'success');
      await add(1);
    }
    await add(63);
    await end(64, 'failure');
    await add(10);
    expect(begun).to.have.length(1);
  });

  it('are one more each second while it hangs, and never more than 64', async () => {
    await add(100);
    for (let second = 1; second <= 3; second++) {
      mock.timers.tick(SECOND_MS);
      await settled();
      expect(begun).to.have.length(1 + second);
    }
    for (let second = 0; second < 100; second++) {
      mock.timers.tick(SECOND_MS);
      await settled();
    }
    expect(begun).to.have.length(64);
  });

  it('wait in a bounded number, and others are postponed', async () => {
    await add(1_000);
    expect([begun.length, refused]).to.deep.equal([1, 899]);
  });

  it('do not limit another host or another API key', async () => {
    await add(10);
    await add(1, 'key', 'https://other.example/hook');
    await add(1, 'other key');
    expect(begun).to.have.length(3);
    expect(begun.map(({ waited }) => waited)).to.deep.equal([false, false, false]);
  });
});
