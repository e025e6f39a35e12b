import { expect } from 'chai';
import { readable, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { invitationPath } from '../../harness/service/links.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const [TEO, INES] = ['teo@mail.example', 'ines@mail.example'];

describe('the way back from a check', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const agent = suiteFixture(() =>
    MemberBrowser.signIn(test, 'agent', { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] }),
  );
  let applicationId = '';
  let home = '';
  let tenantId = '';
  let kyc = '';

  before(async () => {
    const tenants = ['lead@mail.example', TEO, INES].map((email, index) => ({ email, is_lead: index === 0 }));
    applicationId = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data
      .application_id;
    home = await invitationPath(test, applicationId, TEO);
    for (const email of [TEO, INES]) {
      const { id } = await test.tenant(email);
      if (email === TEO) tenantId = id;
    }
    const person = new WebBrowser();
    for (const form of [{ answer: 'accept' }, { name: 'Teo Gil' }])
      await person.open(`${test.service.url}${home}`, form);
  });

  const start = async (check: 'kyc' | 'eid') => {
    await agent.follow(await agent.act(`/applications/${applicationId}/check`, { email: TEO, check }));
  };
  /** Opens Teo's home. @returns the browser, and the address of the check to which it leads */
  async function fromHome(kind: 'kyc' | 'eid') {
    const browser = new WebBrowser();
    const page = await browser.open(`${test.service.url}${home}`);
    const [, path = ''] =
      new RegExp(`href="[^"]*(/?verify/${kind}/[\\w.-]+)`).exec(page.text) ?? expect.fail('the home leads to no check');
    return { browser, address: new URL(path.replace(/^\/?/, '/'), test.service.url).href };
  }
  const homeIn = ({ text }: { text: string }) =>
    /<a class="button(?: plain)?" href="([^"]+)">Back to your page<\/a>/.exec(readable(text))?.[1];
  const isHome = (page: { url: string; text: string }) =>
    new URL(homeIn(page) ?? expect.fail(readable(page.text)), page.url).pathname === home;

  it('leads from an identity check that a person left or finished to the page from which they came', async () => {
    await start('kyc');
    const { browser, address } = await fromHome('kyc');
    kyc = address;
    await browser.agree(address);
    expect(isHome(await browser.open(`${address}/left`))).to.equal(true);
    for (const status of ['verified', 'rejected', 'failed', 'expired'] as const) {
      await db()('kyc_verifications').where({ tenant_id: tenantId }).update({ status, due_at: null });
      const page = await browser.open(address);
      expect(isHome(page), status).to.equal(true);
      expect(readable(page.text), status).to.not.include('You can close this window');
    }
  });

  it('is not shown in a browser that came from elsewhere, or from the page of another person', async () => {
    const others = new WebBrowser();
    await others.open(`${test.service.url}${await invitationPath(test, applicationId, INES)}`);
    for (const browser of [new WebBrowser(), others]) {
      const page = await browser.open(kyc);
      expect(homeIn(page)).to.equal(undefined);
      expect(readable(page.text)).to.include('You can close this window');
    }
  });

  it('a national eID that a landlord’s member started ends on our page, which leads back', async () => {
    await start('eid');
    const { browser, address } = await fromHome('eid');
    let page = await browser.agree(address);
    while (page.location) page = await browser.open(new URL(page.location, page.url).href);
    const [, confirm = ''] =
      /<a class="button" href="(callback[^"]+)"/.exec(readable(page.text)) ?? expect.fail(readable(page.text));
    const done = await browser.follow(new URL(confirm, page.url).href);
    expect(done.status).to.equal(200);
    expect(new URL(done.url).origin).to.equal(new URL(test.service.url).origin);
    expect(readable(done.text)).to.include('identity is confirmed').and.not.include('close this page');
    expect(isHome(done)).to.equal(true);
    const flow = await db()('eid_flows').where({ tenant_id: tenantId }).first();
    expect(flow?.status).to.be.oneOf(['downloading', 'succeeded']);
    expect(await db()('audit_entries').where({ action: 'eid.start', actor: agent.id })).to.have.lengthOf(1);
  });
});
