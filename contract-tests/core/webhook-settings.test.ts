import { expect } from 'chai';
import { readWebhooks } from '../../core/settings/webhook-settings.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

describe('the webhook settings', () => {
  const read = (env: Record<string, string>) => {
    const faults: string[] = [];
    return { ...readWebhooks(env, faults), faults };
  };

  it('have the documented defaults', () => {
    const day = 86_400_000;
    const expected = { pauseAfterMs: 5 * day, payloadDays: 30, recordDays: 90, faults: [] };
    expect(read({})).to.deep.include(expected);
    expect(read({}).retryDelaysMs).to.deep.equal([5, 300, 1800, 7200, 18_000, 36_000, 36_000].map((s) => s * 1000));
  });

  it('accept waits in seconds, minutes, hours and days', () => {
    expect(read({ WEBHOOK_RETRIES: '1s, 2m,3h , 4d' }).retryDelaysMs).to.deep.equal([
      1000, 120_000, 10_800_000, 345_600_000,
    ]);
  });

  for (const waits of ['5', '5s,', 's', '0s', '-1s', '8d', '1.5h', '1s;2s', Array(21).fill('1s').join()])
    it(`refuse the waits ${waits.slice(0, 20)}`, () => {
      expect(read({ WEBHOOK_RETRIES: waits }).faults).to.have.length(1);
      expect(read({ WEBHOOK_RETRIES: waits }).faults[0]).to.match(/^WEBHOOK_RETRIES is ".+"; use up to 20 waits/);
    });

  for (const name of ['WEBHOOK_PAUSE_DAYS', 'WEBHOOK_PAYLOAD_DAYS', 'WEBHOOK_RECORD_DAYS'])
    for (const days of ['0', '-1', '1.5', 'x', '3651'])
      it(`refuse ${days} for ${name}`, () => {
        expect(read({ [name]: days }).faults[0]).to.equal(
          `${name} is "${days}"; use a whole number of days from 1 to 3650.`,
        );
      });

  it('refuse to keep bodies for longer than their delivery records', () => {
    const { faults } = read({ WEBHOOK_PAYLOAD_DAYS: '91' });
    expect(faults).to.deep.equal([
      'WEBHOOK_RECORD_DAYS is less than WEBHOOK_PAYLOAD_DAYS; a record goes with its payload.',
    ]);
  });
});
