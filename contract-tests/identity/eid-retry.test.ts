import { expect } from 'chai';
import { chooseAtEid } from '../../harness/browser/eid-page.ts';
import { readable, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

describe('a cancelled or failed national eID flow', () => {
  const test = useService();
  const receiver = suiteFixture(() => Receiver.start());
  before(() => test.alice.ok('createWebhook', { body: { url: receiver.url } }));

  const back = (email: string) => `https://letting.example/back?flow=${encodeURIComponent(email)}`;
  const start = async (email: string) => {
    const { id } = await test.tenant(email);
    const { data } = await test.alice.ok('createApplication', {
      body: { title: 'House by the sea', tenants: [{ email, is_lead: true }] },
    });
    const body = { redirect_url: back(email) };
    const { verification_link } = (await test.alice.ok('initiateEid', { params: { tenantId: id }, body })).data;
    return { id, applicationId: data.application_id, link: verification_link };
  };
  /** Ends a flow without success, and opens its link again. */
  const endOf = async (link: string, choice: 'Cancel' | 'Let it fail', browser: WebBrowser) => {
    await chooseAtEid(link, choice, browser).catch(() => undefined);
    return (await browser.follow(link.replace(/[?].*/, ''))).text;
  };
  const retryOn = (text: string) => {
    const [, address] = /<a [^>]*href="([^"]*)"[^>]*>Try again<\/a>/.exec(text) ?? [];
    return address === undefined ? undefined : readable(address);
  };
  const flow = (id: string) => test.service.runtime.db('eid_flows').where({ tenant_id: id });

  for (const choice of ['Cancel', 'Let it fail'] as const)
    it(`names the landlord and can be retried after "${choice}"; only a success leads to its redirect_url`, async () => {
      const email = `${choice.split(' ', 1)}@mail.example`.toLowerCase();
      const { id, link } = await start(email);
      const browser = new WebBrowser();
      for (let times = 0; times < 2; times++) {
        const text = await endOf(times === 0 ? link : `${link}?retry`, choice, browser);
        expect(text).to.include('Casa Clara');
        expect(retryOn(text)).to.equal(`${link}?retry`);
      }
      expect(await chooseAtEid(`${link}?retry`, 'Confirm my identity', browser)).to.equal(back(email));
      await receiver.next('EID_SUCCESS');
      expect(await flow(id)).to.have.length(1);
      await eventually('it succeeded', () => flow(id).where({ status: 'succeeded' }).first());
      expect(retryOn((await browser.follow(`${link}?retry`)).text), 'after the success').to.equal(undefined);
    });

  it('cannot be retried once it has expired', async () => {
    const { id, link } = await start('late@mail.example');
    const browser = new WebBrowser();
    await endOf(link, 'Cancel', browser);
    await flow(id).update({ expires_at: new Date(0).toISOString() });
    expect(retryOn((await browser.follow(link)).text)).to.equal(undefined);
    await browser.follow(`${link}?retry`);
    expect(await flow(id).first('status')).to.include({ status: 'cancelled' });
  });

  it('cannot be retried by a person who left the application', async () => {
    const { id, applicationId, link } = await start('left@mail.example');
    const browser = new WebBrowser();
    await endOf(link, 'Cancel', browser);
    await test.service.runtime
      .db('participants')
      .where({ application_id: applicationId })
      .update({ consent_status: 'rejected' });
    expect((await browser.follow(`${link}?retry`)).status).to.equal(404);
    expect(await flow(id).first('status')).to.include({ status: 'cancelled' });
  });
});
