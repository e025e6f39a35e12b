import { expect } from 'chai';
import { launchBrowser, type TestBrowser, visit } from '../harness/browser.ts';
import { basePath } from '../harness/contract.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { blockUnder } from './guide.ts';
import { Reader } from './reader.ts';

const GUIDE = 'kyc-iframe.md';

describe('the page of the guide to KYC in an iframe', () => {
  let chromium: TestBrowser;
  let reader: Reader;
  before(async function () {
    this.timeout(120_000);
    chromium = await launchBrowser();
    reader = await Reader.create();
    await reader.save('kyc.html', blockUnder(GUIDE, 'The page', 'html'));
    await reader.save('kyc-server.mjs', blockUnder(GUIDE, 'The server', 'js'));
  });
  after(async () => {
    await reader?.leave();
    await chromium?.close();
  });

  /** Opens the page of the guide for a new tenant with this address. */
  const open = async ({ service, alice, tenant }: TestService, email: string) => {
    const { id } = await tenant(email);
    await alice.ok('createApplication', { body: { title: email, tenants: [{ email, is_lead: true }] } });
    const { port } = await reader.serve(['kyc-server.mjs'], {
      BASE_URL: service.url + basePath,
      CLIENT_ID: alice.clientId,
      CLIENT_SECRET: alice.clientSecret,
      TENANT_ID: id,
    });
    const own = `http://localhost:${port}`;
    const { page, problems } = await visit(chromium.browser, own, [own, service.url]);
    const shown = async (text: string) => {
      await page.getByText(text, { exact: true }).waitFor();
      expect(problems).to.deep.equal([]);
    };
    return { page, shown };
  };

  it('hears KYC_COMPLETED, and starts nothing when it is loaded again', async () => {
    const test = await startTestService();
    try {
      const { page, shown } = await open(test, 'good@mail.example');
      await shown('Thank you. We are confirming the result.');
      expect(await page.getByRole('button').isVisible()).to.equal(false);
      const address = await page.locator('iframe').getAttribute('src');
      await page.reload();
      await shown('Thank you. We are confirming the result.');
      expect(await page.locator('iframe').getAttribute('src')).to.equal(address);
    } finally {
      await test.stop();
    }
  });

  it('hears KYC_ERROR, and starts again', async () => {
    const test = await startTestService();
    try {
      const { page, shown } = await open(test, 'bad+kyc-rejected@mail.example');
      await shown('We could not verify you.');
      const address = () => page.locator('iframe').getAttribute('src');
      const first = await address();
      await page.getByRole('button', { name: 'Try again' }).click();
      await until('another verification was shown', async () => (await address()) !== first);
      await shown('We could not verify you.');
    } finally {
      await test.stop();
    }
  });

  it('hears KYC_USER_EXIT, and no message of anybody but the iframe', async () => {
    const test = await startTestService({ SANDBOX_DELAY_MS: '600000' });
    try {
      const { page, shown } = await open(test, 'leaves@mail.example');
      await page.evaluate("postMessage('KYC_COMPLETED', '*')");
      await page.frameLocator('iframe').getByRole('button', { name: 'Leave' }).click();
      await shown('You have left the verification.');
    } finally {
      await test.stop();
    }
  });
});
