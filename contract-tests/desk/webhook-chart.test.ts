import { expect } from 'chai';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { countDeliveries, MAX_A_DAY } from '../../db/webhooks/daily-deliveries.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addApplicant, addDelivery, addHook } from '../../harness/service/deliveries.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

describe('the chart of a webhook’s deliveries', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const hook = suiteFixture(() => addHook(test.alice));
  const other = suiteFixture(() => addHook(test.alice));
  const developer = suiteFixture(() =>
    MemberBrowser.signIn(test, 'developer', { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] }),
  );
  let tenant = '';
  const dayBefore = (days: number) =>
    new Date(test.service.runtime.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);
  const page = async (id: string) => {
    const { status, text } = await developer.open(`/webhooks/${id}`);
    expect(status).to.equal(200);
    return readable(text);
  };

  before(async () => {
    tenant = await addApplicant(test, test.alice, 'ines.mora@mail.example');
    const tries = [{ status_code: 200 }];
    const add = (webhook_id: string, days: number, time: string, row: object) =>
      addDelivery(test, tenant, { webhook_id, tries, created_at: `${dayBefore(days)}T${time}Z`, ...row });
    for (const time of ['00:00:00.000', '12:00:00.000', '23:59:59.999']) await add(hook.id, 2, time, {});
    await add(hook.id, 2, '13:00:00.000', { status: 'failed' });
    await add(hook.id, 2, '14:00:00.000', { status: 'pending' });
    await add(hook.id, 2, '15:00:00.000', { status: 'pending', tries: [] });
    await add(hook.id, 1, '00:00:00.000', {});
    await add(hook.id, 20, '00:00:00.000', { status: 'failed' });
    await add(other.id, 2, '12:00:00.000', { status: 'failed' });
  });

  it('shows each day’s attempted deliveries, and how many of them failed or wait for a retry', async () => {
    const text = await page(hook.id);
    expect(text).to.include('Deliveries per day');
    expect(text).to.include(`${dayBefore(2)}: 5, of which 2 failed`);
    expect(text)
      .to.include(`${dayBefore(1)}: 1`)
      .and.not.include(`${dayBefore(1)}: 1, of which`);
    expect(text)
      .to.include(`${dayBefore(3)}: 0`)
      .and.not.include(dayBefore(20));
    expect(await page(other.id)).to.include(`${dayBefore(2)}: 1, of which 1 failed`);
  });

  it('reads a limited number of deliveries of each day, the newest', async () => {
    const day = dayBefore(5);
    await addDelivery(test, tenant, { webhook_id: other.id, status: 'failed', created_at: `${day}T01:00:00.000Z` });
    for (let number = 0; number < MAX_A_DAY; number++)
      await addDelivery(test, tenant, { webhook_id: other.id, created_at: `${day}T02:00:00.000Z` });
    expect(await page(other.id))
      .to.include(`${day}: ${MAX_A_DAY}`)
      .and.not.include(`${day}: ${MAX_A_DAY},`);
  });

  it('is missing while nothing was delivered', async () => {
    const { id } = (await test.alice.ok('createWebhook', { body: { url: 'https://letting.example/hooks' } })).data;
    expect(await page(id)).to.not.include('Deliveries per day');
  });

  it('counts nothing outside the scope', async () => {
    const days = [dayBefore(2)];
    const none = { of: 'one landlord', landlordId: test.landlords.ours, keyIds: ['none'] } as const;
    expect(await countDeliveries(db(), none, hook.id, days)).to.deep.equal([]);
    const [all] = await countDeliveries(db(), ALL_LANDLORDS, hook.id, days);
    expect(all).to.deep.equal({ day: days[0], delivered: 3, failed: 2 });
  });
});
