import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { shown } from './kyc-journey.ts';
import { openStage } from './stage.ts';

databases('either');

const HOUR_MS = 3_600_000;

describe('the national eID in a browser', () => {
  const stage = suiteFixture(() => openStage());

  const back = () => `${stage.ours}/back?case=8121&note=a%26b`;
  const start = async ({ tenant, alice }: TestService, email: string, name = 'Marta Ruiz') => {
    const { id } = await tenant(email, { name });
    await alice.ok('createApplication', { body: { title: email, tenants: [{ email, is_lead: true }] } });
    const body = { redirect_url: back() };
    const { data } = await alice.ok('initiateEid', { params: { tenantId: id }, body });
    return { id, link: data.verification_link };
  };

  for (const { choice, documents, over } of [
    { choice: 'Confirm my identity', documents: 1, over: 'Your identity is confirmed' },
    { choice: 'Cancel', documents: 0, over: 'The sign-in was cancelled' },
    { choice: 'Let it fail', documents: 0, over: 'Your identity could not be confirmed' },
  ])
    it(`brings a person who chooses "${choice}" ${documents ? 'back to the redirect_url, once' : `to a page that says "${over}"`}, with ${documents} documents`, async () => {
      const { id, link } = await start(stage.test, `${choice.split(' ', 1)}@mail.example`.toLowerCase());
      const { page, problems } = await stage.open(link);
      await shown(page, 'Before you start');
      await page.getByRole('button', { name: 'I agree' }).click();
      await shown(page, 'Confirm your identity');
      await page.getByRole('link', { name: choice }).click();
      if (documents) await page.waitForURL(back());
      else await shown(page, over);
      const { db } = stage.test.service.runtime;
      await eventually('the flow ended', () =>
        db('eid_flows').where({ tenant_id: id }).whereNotNull('finished_at').first(),
      );
      expect(await db('documents').where({ tenant_id: id })).to.have.length(documents);
      expect(problems).to.deep.equal([]);
      await page.goto(link);
      await shown(page, over);
      expect(page.url(), 'opened again').to.equal(link);
      await page.context().close();
    });

  // The headless Chromium of npm has no setting that blocks cookies: each is removed before the request that would carry it.
  it('names blocked cookies before the person leaves for the provider, and continues once they are allowed', async () => {
    const { link } = await start(stage.test, 'blocks-cookies@mail.example');
    const { page } = await stage.open('about:blank');
    const session = await page.context().newCDPSession(page);
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
    session.on('Fetch.requestPaused', async ({ requestId }) => {
      await page.context().clearCookies();
      await session.send('Fetch.continueRequest', { requestId });
    });
    await page.goto(link);
    await page.getByRole('button', { name: 'I agree' }).click();
    await shown(page, 'Your browser blocks cookies');
    await session.send('Fetch.disable');
    await page.getByRole('link', { name: 'Try again' }).click();
    await shown(page, 'Confirm your identity');
    await page.context().close();
  });

  for (const [tag, over] of [
    ['verified', undefined],
    ['cancelled', 'The sign-in was cancelled'],
    ['failed', 'Your identity could not be confirmed'],
  ] as const)
    it(`brings an address with +eid-${tag} ${over ? 'to the end' : 'back'} without a click`, async () => {
      const { link } = await start(stage.test, `any+eid-${tag}@mail.example`);
      const { page, problems } = await stage.open(link);
      if (over) await shown(page, over);
      else await page.waitForURL(back());
      expect(problems).to.deep.equal([]);
      await page.context().close();
    });

  it('cannot be framed', async () => {
    const { link } = await start(stage.test, 'framed@mail.example');
    const framed = await stage.embed(link);
    await eventually('the frame was refused', () =>
      framed.problems.some((problem) => problem.includes('frame-ancestors')),
    );
    expect(await framed.frame.getByRole('heading').count()).to.equal(0);
  });

  it('shows a person in another browser how to continue', async () => {
    const { link } = await start(stage.test, 'other@mail.example');
    const { page } = await stage.open(link);
    await page.getByRole('button', { name: 'I agree' }).click();
    const address = new URL((await page.getByRole('link', { name: 'Confirm' }).getAttribute('href')) ?? '', page.url());
    const other = await stage.open(address.href);
    await shown(other.page, 'This sign-in was started in another browser');
    expect(await other.page.locator('.asker').innerText()).to.include('Casa Clara');
    await page.getByRole('link', { name: 'Confirm' }).click();
    await page.waitForURL(back());
  });

  it('shows people a page when their link is unknown', async () => {
    const { link } = await start(stage.test, 'nowhere@mail.example');
    const { page } = await stage.open(`${link}x`);
    await shown(page, 'This link leads nowhere');
  });

  it('waits on a page that refreshes automatically, even without JavaScript', async () => {
    const slow = await startTestService({ SANDBOX_DELAY_MS: String(HOUR_MS) });
    try {
      const { link } = await start(slow, 'waits+eid-verified@mail.example');
      const { page } = await stage.open(link, { javaScriptEnabled: false });
      await shown(page, 'Confirming your identity');
      slow.setNow(new Date(Date.now() + HOUR_MS));
      await page.waitForURL(back());
    } finally {
      await slow.stop();
    }
  });
});
