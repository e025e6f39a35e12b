import { mock } from 'node:test';
import { expect } from 'chai';
import { partyOfKey } from '../../core/party.ts';
import { databases } from '../../harness/database/dialect.ts';
import { hostLanes } from '../../jobs/webhooks/deliver-webhook.ts';
import type { Ending } from '../../queue/lane-policy.ts';
import { Lanes } from '../../queue/lanes.ts';

databases('none');

const SECOND_MS = 1_000;

describe('the deliveries of an API key to one host', () => {
  let hosts: Lanes<string>;
  let begun: ((ending: Ending) => void)[];
  let refused: number;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    hosts = new Lanes(
      hostLanes,
      () => new Promise<Ending>((resolve) => begun.push(resolve)),
      () => refused++,
    );
    begun = [];
    refused = 0;
  });
  afterEach(() => mock.timers.reset());

  const settled = () => new Promise(setImmediate);
  const add = (count: number, key = 'key', host = 'letting.example') => {
    for (let index = 0; index < count; index++) hosts.add({ party: partyOfKey(key), lane: host }, `${index}`);
  };
  const end = async (count: number, ending: Ending) => {
    for (const finish of begun.splice(0, count)) finish(ending);
    await settled();
  };

  it('are one at a time until the host accepts one; each success doubles the limit, up to 64', async () => {
    add(100);
    const atOnce: number[] = [];
    for (let round = 0; round < 3; round++) {
      atOnce.push(begun.length);
      await end(begun.length, 'success');
    }
    expect(atOnce).to.deep.equal([1, 2, 8]);
    for (let round = 0; round < 5; round++) await end(begun.length, 'success');
    add(164);
    expect(begun).to.have.length(64);
  });

  it('are one at a time again after failures', async () => {
    add(1);
    for (let round = 0; round < 8; round++) {
      await end(1, 'success');
      add(1);
    }
    add(63);
    await end(64, 'failure');
    add(10);
    expect(begun).to.have.length(1);
  });

  it('are one more each second while it hangs, and never more than 64', () => {
    add(100);
    for (let second = 1; second <= 3; second++) {
      mock.timers.tick(SECOND_MS);
      expect(begun).to.have.length(1 + second);
    }
    for (let second = 0; second < 100; second++) mock.timers.tick(SECOND_MS);
    expect(begun).to.have.length(64);
  });

  it('wait in a bounded number, and others are postponed', () => {
    add(1_000);
    expect([begun.length, refused]).to.deep.equal([1, 899]);
  });

  it('do not limit another host or another API key', () => {
    add(10);
    add(1, 'key', 'other.example');
    add(1, 'other key');
    expect(begun).to.have.length(3);
  });
});
