import { expect } from 'chai';
import { retryDelay } from '../../core/rules/retry-delay.ts';
import { readWebhooks } from '../../core/settings/webhook-settings.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

describe('the retry schedule of deliveries', () => {
  const { retryDelaysMs } = readWebhooks({}, []);
  const delay = (failures: number, random: number) =>
    retryDelay({ delaysMs: retryDelaysMs }, { failures }, () => random);

  it('waits about 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and then gives up', () => {
    const minutes = Array.from({ length: 8 }, (_, index) => (delay(index + 1, 0.5) ?? Number.NaN) / 60_000);
    expect(minutes).to.deep.equal([5 / 60, 5, 30, 120, 300, 600, 600, Number.NaN]);
  });

  it('spreads each wait by 20 % in either direction', () => {
    expect(delay(2, 0)).to.equal(240_000);
    expect(delay(2, 1)).to.equal(360_000);
  });
});
