import { createServer } from 'node:http';
import { expect } from 'chai';
import { launchBrowser, visit } from '../../harness/browser/browser.ts';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { listen, type RunningServer } from '../../harness/process/running-server.ts';
import { send } from '../../harness/service/client.ts';
import { startMock } from '../../scripts/mock/mock-server.ts';

databases('none');

const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };

/** An integrator's page: shows a verification in a frame and records its messages. */
const around = (
  url: string,
) => `<!doctype html><link rel="icon" href="data:,"><iframe src="${url}"></iframe><ol></ol><script>
  addEventListener('message', ({ origin, data }) => {
    if (typeof data === 'string') document.querySelector('ol').append(Object.assign(document.createElement('li'), { textContent: origin + ' ' + data }));
  });
</script>`;

describe('the mock’s pages', () => {
  let own: RunningServer;
  const chromium = suiteFixture(() => launchBrowser());
  const mock = suiteFixture(() => startMock(0));
  before(async () => {
    const page = createServer((req, res) => {
      const framed = new URL(req.url ?? '/', own.url).searchParams.get('url');
      res.setHeader('Content-Type', 'text/html').end(around(framed ?? 'about:blank'));
    });
    own = await listen(page, 0);
  });
  after(async () => {
    await own?.stop();
  });

  it('send the surrounding page each outcome of KYC as a bare string', async () => {
    const answer = await send(mock.url, 'GET', `${basePath}/tenants/initiate-kyc/any`, headers);
    const { verification_url } = JSON.parse(answer.text).data;
    const address = `${own.url}/?${new URLSearchParams({ url: verification_url })}`;
    const { page, problems } = await visit(chromium.browser, address, [own.url, mock.url]);
    const frame = page.frameLocator('iframe');
    for (const [choice, event] of [
      ['It works', 'KYC_COMPLETED'],
      ['It fails', 'KYC_ERROR'],
      ['Leave', 'KYC_USER_EXIT'],
    ] as const) {
      await frame.getByRole('link', { name: choice }).click();
      await page.getByText(event).waitFor();
      await frame.getByRole('link', { name: 'Choose again' }).click();
    }
    const told = ['KYC_COMPLETED', 'KYC_ERROR', 'KYC_USER_EXIT'].map((event) => `${mock.url} ${event}`);
    expect(await page.locator('li').allTextContents()).to.deep.equal(told);
    expect(problems).to.deep.equal([]);
  });

  it('redirect a person from the eID flow back to the redirect_url', async () => {
    const body = JSON.stringify({ redirect_url: `${own.url}/back?case=8121&note=a%26b` });
    const answer = await send(mock.url, 'POST', `${basePath}/tenants/initiate-eid/any`, headers, body);
    const { verification_link } = JSON.parse(answer.text).data;
    const { page, problems } = await visit(chromium.browser, verification_link, [own.url, mock.url]);
    await page.getByRole('link', { name: 'Go back' }).click();
    await page.waitForURL(`${own.url}/back?case=8121&note=a%26b`);
    expect(problems).to.deep.equal([]);
  });
});
