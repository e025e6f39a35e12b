import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { setLandlordBrand } from '../../db/access/landlord-brands.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { barriersOn, described } from '../../harness/browser/axe.ts';
import { launchBrowser, type TestBrowser } from '../../harness/browser/browser.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually } from '../../harness/process/signals.ts';
import type { Client } from '../../harness/service/client.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';

databases('either');

/** A title that contains markup and is too long for a phone. */
const TITLE = `<img src=x onerror=alert(1)> http://evil.example/invitation/x ${'Wolfeschlegel'.repeat(8)}`;
const GUEST = 'noah.meyer@mail.example';

describe('the sandbox mailbox', () => {
  let test: TestService;
  let chromium: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let id: string;
  before(async () => {
    [test, chromium] = await Promise.all([startTestService(), launchBrowser()]);
    const tenants = ['marta.ruiz@mail.example', GUEST].map((email, index) => ({ email, is_lead: index === 0 }));
    await test.alice.ok('createApplication', { body: { title: TITLE, tenants } });
    const { db } = test.service.runtime;
    id = await eventually('it was sent', async () => (await db('invites').where({ status: 'sent' }).first('id'))?.id);
    const { clientId: username, clientSecret: password } = test.alice;
    context = await chromium.browser.newContext({ httpCredentials: { username, password }, javaScriptEnabled: false });
    page = await context.newPage();
  });
  after(async () => {
    await chromium?.stop();
    await test?.stop();
  });

  const get = (
    path: string,
    { clientId, clientSecret }: Pick<Client, 'clientId' | 'clientSecret'>,
    accept = 'text/html',
  ) =>
    fetch(`${test.service.url}${path}`, {
      headers: { accept, authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    });

  it('shows a key its applications’ mails, and no other key', async () => {
    const mine = await (await get('/mailbox', test.alice)).text();
    expect(readable(mine)).to.include(GUEST).and.include('Casa Clara').and.not.include('Wolfeschlegel');
    const shown = await (await get(`/mailbox/${id}`, test.alice)).text();
    expect(readable(shown)).to.include('<img src=x');
    expect(shown).to.not.include('<img src=x');
    for (const other of [test.bob, test.charlie]) {
      expect(await (await get('/mailbox', other)).text()).to.not.include(GUEST);
      for (const part of ['', '/html']) {
        const [foreign, absent] = await Promise.all(
          [id, crypto.randomUUID()].map(async (mail) => {
            const answer = await get(`/mailbox/${mail}${part}`, other);
            return [answer.status, (await answer.text()).replaceAll(mail, '')];
          }),
        );
        expect(foreign?.[0]).to.equal(404);
        expect(foreign).to.deep.equal(absent);
      }
    }
    expect((await get(`/mailbox/${id}`, test.alice)).status).to.equal(200);
  });

  it('asks readers without a key to sign in, and is read-only', async () => {
    for (const path of ['/mailbox', `/mailbox/${id}`, `/mailbox/${id}/html`]) {
      const wrong = await get(path, { clientId: test.alice.clientId, clientSecret: test.bob.clientSecret });
      expect(wrong.status).to.equal(401);
      expect(wrong.headers.get('www-authenticate')).to.match(/^Basic /);
      expect(await wrong.text())
        .to.include('<h1')
        .and.not.include(GUEST);
      const none = await fetch(`${test.service.url}${path}`, { headers: { accept: 'application/json' } });
      expect(await none.text()).to.match(/^\{"status":"error"/);
      const post = await fetch(`${test.service.url}${path}`, { method: 'POST' });
      expect(post.status).to.equal(405);
    }
  });

  it('neutralizes active content in a mail', async () => {
    const answer = await get(`/mailbox/${id}/html`, test.alice);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy)
      .to.match(/^sandbox /)
      .and.include("default-src 'none'")
      .and.include("frame-ancestors 'self'");
    expect(policy).to.not.match(/allow-scripts|allow-same-origin|allow-forms|allow-top-navigation/);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    const shown = await get(`/mailbox/${id}`, test.alice);
    expect(shown.headers.get('content-security-policy')).to.include("frame-ancestors 'none'");
  });

  it('is accessible: the list, a mail, and the mail in its frame, on phones and desktops, light and dark', async () => {
    const scripted = await chromium.browser.newContext({
      httpCredentials: { username: test.alice.clientId, password: test.alice.clientSecret },
    });
    const looked = await scripted.newPage();
    // The frame of a mail runs no scripts, so axe gets a separate copy.
    await looked.route('**/html', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    const mail = await (await get(`/mailbox/${id}/html`, test.alice)).text();
    for (const path of ['/mailbox', `/mailbox/${id}`, undefined]) {
      await looked.goto(path === undefined ? 'about:blank' : test.service.url + path);
      if (path === undefined) await looked.setContent(mail);
      for (const colorScheme of ['light', 'dark'] as const) {
        await looked.emulateMedia({ colorScheme });
        expect(described(await barriersOn(looked)), path).to.deep.equal([]);
      }
      for (const width of [320, 1280]) {
        await looked.setViewportSize({ width, height: 640 });
        const surplus = await looked.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(surplus, `${path} at ${width}`).to.be.at.most(0);
      }
    }
    await scripted.close();
  });

  it('shows the landlord’s colour and logo, which are embedded in the mail, legibly for any colour', async () => {
    const { db } = test.service.runtime;
    const content = await sharp({ create: { width: 480, height: 96, channels: 3, background: '#c2185b' } })
      .png()
      .toBuffer();
    await inTransaction(db, (trx) =>
      setLandlordBrand(trx, test.landlords.ours, { colour: '#ffff00', logo: { content, width: 480, height: 96 } }),
    );
    const tenants = ['lead', 'branded'].map((name, index) => ({ email: `${name}@mail.example`, is_lead: index === 0 }));
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'House', tenants } })).data;
    const mine = () =>
      db('invites')
        .join('participants', 'participants.id', 'invites.participant_id')
        .where({ application_id, status: 'sent' })
        .first('invites.id');
    const { id: branded } = await eventually('it was sent', mine);
    const mail = await (await get(`/mailbox/${branded}/html`, test.alice)).text();
    expect(mail).to.match(/<img src="data:image\/png;base64,[^"]+" alt="Casa Clara" width="240" height="48"/);
    expect(mail)
      .to.include('background:#ffff00')
      .and.not.match(/cid:|src="http/);
    await page.goto(`${test.service.url}/mailbox/${branded}`);
    await page.frameLocator('iframe').getByRole('img', { name: 'Casa Clara' }).waitFor();
    const looked = await (await chromium.browser.newContext()).newPage();
    await looked.setContent(mail);
    expect(await looked.evaluate("document.querySelector('img').naturalWidth")).to.equal(480);
    for (const colorScheme of ['light', 'dark'] as const) {
      await looked.emulateMedia({ colorScheme });
      expect(described(await barriersOn(looked))).to.deep.equal([]);
    }
    await looked.context().close();
    await inTransaction(db, (trx) => setLandlordBrand(trx, test.landlords.ours, { colour: null, logo: null }));
  });

  it('leads to the invitation from the frame and from the text, without JavaScript', async () => {
    await page.goto(`${test.service.url}/mailbox`);
    await page.getByRole('link', { name: GUEST }).click();
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      page.frameLocator('iframe').getByRole('link', { name: 'Open the invitation' }).click(),
    ]);
    await opened.getByRole('button', { name: 'Accept' }).waitFor();
    const links = page.locator('.mail-text a');
    // The title contains an address, too; it is not an invitation.
    expect(await links.count()).to.equal(1);
    expect(await links.getAttribute('href')).to.equal(opened.url());
  });

  it('does not exist where mails are sent', async () => {
    const smtp = { MAIL_PROVIDER: 'smtp', MAIL_FROM: 'a@b.example', SMTP_URL: 'smtp://127.0.0.1:9' };
    const other = await startTestService({ ...smtp, RUN_WORKERS: 'false' });
    try {
      const answer = await fetch(`${other.service.url}/mailbox`);
      expect(answer.status).to.equal(404);
    } finally {
      await other.stop();
    }
  });
});
