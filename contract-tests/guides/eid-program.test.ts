import { expect } from 'chai';
import { launchBrowser, visit } from '../../harness/browser/browser.ts';
import { chooseAtEid } from '../../harness/browser/eid-page.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { useService } from '../../harness/service/service.ts';
import { exampleFile } from './guide.ts';
import { Reader } from './reader.ts';

databases('sqlite');

const program = exampleFile('examples/eid-server.mjs');
const REFUSAL = 'This link was used, or is not yours.';

describe('the program in the national eID guide', () => {
  const test = useService();
  const events = suiteFixture(() => Receiver.start());
  const reader = suiteFixture(() => Reader.create());
  before(async () => {
    await test.alice.ok('createWebhook', { body: { url: events.url } });
  });

  const serve = async (email: string) => {
    await test.alice.ok('createApplication', { body: { title: email, tenants: [{ email, is_lead: true }] } });
    const { id } = await test.tenant(email);
    const env = { BASE_URL: test.service.url + basePath, TOKEN: test.alice.token ?? '', TENANT_ID: id };
    const running = await reader.serve([program], env);
    const succeeded = () => running.printed().includes(`${id} succeeded`);
    return { succeeded, start: `http://127.0.0.1:${running.port}/start` };
  };
  const setOut = async (browser: WebBrowser, start: string) => {
    const { status, location } = await browser.open(start);
    expect(status).to.equal(303);
    return location ?? '';
  };

  it('reports who succeeded, after a cancelled first attempt', async () => {
    const { succeeded, start } = await serve('second-try@mail.example');
    const chromium = await launchBrowser();
    try {
      const { page } = await visit(chromium.browser, start, [new URL(start).origin, test.service.url]);
      await page.getByRole('button', { name: 'I agree' }).click();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('heading', { name: 'The sign-in was cancelled' }).waitFor();
      expect(succeeded()).to.equal(false);
      await page.getByRole('link', { name: 'Try again' }).click();
      await page.getByRole('link', { name: 'Confirm my identity' }).click();
      await page.getByText('Thank you.').waitFor();
    } finally {
      await chromium.stop();
    }
    await eventually('the program named the tenant', succeeded);
    expect((await events.next('EID_SUCCESS'))[0]?.body).to.equal('{"event":"EID_SUCCESS","data":null}');
  });

  it('accepts a nonce once, from the browser that started, and none that it did not make', async () => {
    const { succeeded, start } = await serve('nonce@mail.example');
    const [browser, stranger] = [new WebBrowser(), new WebBrowser()];
    await setOut(stranger, start);
    const back = await chooseAtEid(await setOut(browser, start), 'Confirm my identity', browser);
    expect((await stranger.open(back)).text, 'in another browser').to.equal(REFUSAL);
    expect((await browser.open(`${back}x`)).text, 'made up').to.equal(REFUSAL);
    expect(succeeded()).to.equal(false);
    expect((await browser.open(back)).text).to.equal('Thank you.');
    expect((await browser.open(back)).text, 'again').to.equal(REFUSAL);
    await eventually('the program named the tenant', succeeded);
  });
});
