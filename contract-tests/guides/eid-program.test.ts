import { expect } from 'chai';
import { signatureHeaders } from '../../core/rules/signatures.ts';
import { launchBrowser, visit } from '../../harness/browser/browser.ts';
import { chooseAtEid } from '../../harness/browser/eid-page.ts';
import { type Page, WebBrowser } from '../../harness/browser/web-browser.ts';
import { basePath } from '../../harness/contract/contract.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { until } from '../../harness/process/until.ts';
import { useService } from '../../harness/service/service.ts';
import { blocksOf, blockUnder } from './guide.ts';
import { Reader, type Running } from './reader.ts';

const GUIDE = 'eid.md';
const SUCCESS = '{"event":"EID_SUCCESS","data":null}';

/** The guide's program and its webhook registration. */
const program = blockUnder(GUIDE, 'A whole program', 'js');
const [start = '', register = ''] = blocksOf(GUIDE)
  .filter(({ language, heading }) => language === 'sh' && heading === 'Try it in the sandbox')
  .map(({ text }) => text);
const WEBHOOK_SECRET = /WEBHOOK_SECRET=(\S+)/.exec(start)?.[1] ?? '';

describe('the program of the guide to the national eID', () => {
  const test = useService();
  const events = suiteFixture(() => Receiver.start());
  const reader = suiteFixture(() => Reader.create());
  before(async () => {
    await test.alice.ok('createWebhook', { body: { url: events.url } });
    await reader.save('verify.mjs', blockUnder('webhooks-by-hand.md', 'In Node', 'js'));
    await reader.save('eid-server.mjs', program);
  });

  const applicant = async (email: string, documents = 0) => {
    await test.alice.ok('createApplication', { body: { title: email, tenants: [{ email, is_lead: true }] } });
    return (await test.tenant(email, { documents })).id;
  };
  /** The program for a new tenant, with its webhook registered as the guide says. */
  const serve = async (email: string, { minutes = '15', documents = 0 } = {}) => {
    const { service, alice } = test;
    const env = { BASE_URL: service.url + basePath, CLIENT_ID: alice.clientId, CLIENT_SECRET: alice.clientSecret };
    const TENANT_ID = await applicant(email, documents);
    const running = await reader.serve(['eid-server.mjs'], {
      ...env,
      TENANT_ID,
      WEBHOOK_SECRET,
      GIVE_UP_MINUTES: minutes,
    });
    const url = `http://127.0.0.1:${running.port}`;
    const TOKEN = alice.token ?? '';
    await reader.paste([register.replace('127.0.0.1:4002', `127.0.0.1:${running.port}`)], { ...env, TOKEN });
    return { running, url };
  };
  const titleOf = ({ text }: Page) => /<h1>(.*)<\/h1>/.exec(text)?.[1];
  const setOut = async (browser: WebBrowser, url: string) => {
    await browser.open(url);
    const { status, location } = await browser.open(`${url}/start`, {});
    expect(status).to.equal(303);
    return location ?? '';
  };
  const comeBack = async (browser: WebBrowser, back: string) => titleOf(await browser.follow(back));
  const shows = (browser: WebBrowser, url: string, title: string) =>
    until(`the page says "${title}"`, async () => titleOf(await browser.follow(`${url}/eid/result`)) === title);
  /** The number of events that the program has processed. */
  const lookedInto = ({ printed }: Running) => printed().match(/looked at/g)?.length ?? 0;

  it('takes a person there and back, checks, and says that it is done', async function () {
    this.timeout(120_000);
    const { url } = await serve('there-and-back@mail.example');
    const chromium = await launchBrowser();
    try {
      const { page, problems } = await visit(chromium.browser, url, [url, test.service.url]);
      await page.getByRole('button', { name: 'Go to the national eID' }).click();
      await page.getByRole('link', { name: 'Confirm my identity' }).click();
      await page.getByRole('heading', { name: /^(We are checking|Done)$/ }).waitFor();
      expect(new URL(page.url()).search, 'the nonce is no longer in the address').to.equal('');
      await page.getByRole('heading', { name: 'Done' }).waitFor();
      expect(problems).to.deep.equal([]);
    } finally {
      await chromium.stop();
    }
  });

  it('is done at once when the event comes before the person', async () => {
    const { running, url } = await serve('event-first+eid-verified@mail.example');
    const browser = new WebBrowser();
    const link = await setOut(browser, url);
    await until('the program looked into the event', () => lookedInto(running) > 0);
    const { location } = await browser.follow(link);
    expect(await comeBack(browser, location ?? '')).to.equal('Done');
  });

  it('takes a nonce once, from the session that set out, and none that it did not make', async () => {
    const { url } = await serve('nonce@mail.example');
    const [browser, stranger] = [new WebBrowser(), new WebBrowser()];
    await stranger.open(url);
    const back = await chooseAtEid(await setOut(browser, url), 'Confirm my identity', browser);
    const refusal = 'This link was used, or is not yours';
    expect(await comeBack(new WebBrowser(), back), 'without a session').to.equal(refusal);
    expect(await comeBack(stranger, back), 'in another session').to.equal(refusal);
    expect(await comeBack(browser, `${back}x`), 'made up').to.equal(refusal);
    expect(await comeBack(browser, back)).to.be.oneOf(['We are checking', 'Done']);
    expect(await comeBack(browser, back), 'again').to.equal(refusal);
  });

  it('believes no event about somebody else, no repeated one and no forged one', async () => {
    const { running, url } = await serve('waits@mail.example');
    const browser = new WebBrowser();
    await setOut(browser, url);
    const other = await applicant('somebody-else+eid-verified@mail.example');
    const body = { redirect_url: 'https://letting.example/back' };
    await test.alice.ok('initiateEid', { params: { tenantId: other }, body });
    await until('the program looked into the event', () => lookedInto(running) === 1);
    const post = async (headers: Record<string, string>, text = SUCCESS) =>
      (await fetch(`${url}/hook`, { method: 'POST', headers, body: text })).status;
    const signed = { ...signatureHeaders('msg_own', new Date(), SUCCESS, [WEBHOOK_SECRET]) };
    expect(await post({})).to.equal(400);
    expect(await post({ ...signatureHeaders('msg_forged', new Date(), SUCCESS, ['whsec_b3RoZXI=']) })).to.equal(400);
    expect(await post(signed, `${SUCCESS} `)).to.equal(400);
    for (let times = 0; times < 2; times++) expect(await post(signed)).to.equal(204);
    const last = { ...signatureHeaders('msg_last', new Date(), SUCCESS, [WEBHOOK_SECRET]) };
    expect(await post(last)).to.equal(204);
    await until('the program looked into the last', () => running.printed().includes('msg_last'));
    expect(lookedInto(running)).to.equal(3);
    expect(running.printed()).to.not.match(/, [1-9]\d* done/);
  });

  it('offers another flow after one that failed, from which nobody comes back', async () => {
    const { url } = await serve('second-try@mail.example');
    const browser = new WebBrowser();
    const failed = chooseAtEid(await setOut(browser, url), 'Let it fail', browser);
    expect(await failed.catch(String)).to.include('Nobody was sent back.');
    const { location } = await browser.open(`${url}/start`, {});
    await comeBack(browser, await chooseAtEid(location ?? '', 'Confirm my identity', browser));
    await shows(browser, url, 'Done');
  });

  it('gives up when the documents do not come in time, and is done when they come late', async () => {
    const { url } = await serve('late-documents@mail.example', { minutes: '0.002' });
    const { eid } = test.service.runtime.providers;
    const { documents } = eid;
    eid.documents = () => Promise.reject(new Error('The provider is down.'));
    try {
      const browser = new WebBrowser();
      await comeBack(browser, await chooseAtEid(await setOut(browser, url), 'Confirm my identity', browser));
      await shows(browser, url, 'Not confirmed');
      eid.documents = documents;
      await shows(browser, url, 'Done');
    } finally {
      eid.documents = documents;
    }
  });

  it('finds a success whose event was lost, before it gives up', async () => {
    const { url } = await serve('lost-event@mail.example', { minutes: '0' });
    const silent = await test.service.runtime.db('webhooks').where('url', `${url}/hook`).delete();
    expect(silent).to.equal(1);
    const browser = new WebBrowser();
    await comeBack(browser, await chooseAtEid(await setOut(browser, url), 'Confirm my identity', browser));
    await shows(browser, url, 'Done');
  });

  it('starts no flow for a tenant whose success it could not see', async () => {
    const { url } = await serve('has-documents@mail.example', { documents: 1 });
    const browser = new WebBrowser();
    await browser.open(url);
    const page = await browser.open(`${url}/start`, {});
    expect([page.status, titleOf(page)]).to.deep.equal([409, 'You have documents already']);
  });
});
