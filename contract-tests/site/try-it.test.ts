import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { launchBrowser, type TestBrowser, type Visit, visit } from '../../harness/browser/browser.ts';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { buildSite } from '../../site/build.ts';

databases('sqlite', 'nightly');

/** Any static host, with the site in one of its folders. */
class StaticHost {
  readonly server: Server = createServer((req, res) => {
    const file = this.files.get((req.url ?? '').replace('/some/folder/', ''));
    if (file) res.setHeader('Content-Type', file.mediaType).end(file.content);
    else res.writeHead(404).end();
  });
  files: Awaited<ReturnType<typeof buildSite>>['files'] = new Map();

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}

describe('trying requests in the reference', () => {
  const host = new StaticHost();
  let docs: string;
  let test: TestService;
  let closed: TestService;
  let chromium: TestBrowser;
  before(async () => {
    docs = await host.listen();
    [test, closed, chromium] = await Promise.all([
      startTestService({ DOCS_ORIGIN: docs }),
      startTestService(),
      launchBrowser(),
    ]);
  });
  after(async () => {
    await chromium?.stop();
    await test?.stop();
    await closed?.stop();
    host.server.close();
  });

  /** Opens the console of an operation. */
  const openConsole = async (site: string, operation: string, options: BrowserContextOptions = {}): Promise<Visit> => {
    const origins = [site, test.service.url, closed.service.url];
    const opened = await visit(chromium.browser, `${site}reference.html#tag/${operation}`, origins, options);
    await testRequest(opened.page, operation);
    return opened;
  };
  const testRequest = (page: Page, operation: string) =>
    page
      .locator(`[id$="/${operation}"]`)
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
  const sendButton = (page: Page) => page.getByRole('dialog').locator('[data-addressbar-action="send"]:visible');
  const sendWith = async (page: Page, token: string) => {
    await page.getByRole('dialog').getByPlaceholder('Token').fill(token);
    await sendButton(page).click();
  };
  /** Enters the token and sends the contract's example. */
  const tryOut = async (site: string, operation: string, token: string): Promise<Visit> => {
    const opened = await openConsole(site, operation);
    await sendWith(opened.page, token);
    return opened;
  };
  const shows = (page: Page, text: string) => page.getByRole('dialog').getByText(text).first().waitFor();

  it('the service lets its own pages call it, under its own policy', async () => {
    const { page, problems } = await tryOut(
      `${test.service.url}/docs/`,
      'property-management/listWorkspaces',
      `${test.alice.token}`,
    );
    await shows(page, '200 OK');
    await shows(page, 'Workspaces found.');
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('starts with what an operation requires: client id and secret give a token, which the others have without a paste', async () => {
    const { page, problems } = await openConsole(`${test.service.url}/docs/`, 'authentication/generateToken');
    const console = page.getByRole('dialog');
    await console.locator('[data-placeholder="janedoe"]').fill(test.alice.clientId);
    await console.getByPlaceholder('********').fill(test.alice.clientSecret);
    await sendButton(page).click();
    await shows(page, '200 OK');
    await page.keyboard.press('Escape');
    await page.evaluate('location.hash = "tag/property-management/listWorkspaces"');
    await testRequest(page, 'property-management/listWorkspaces');
    await sendButton(page).click();
    await shows(page, 'Workspaces found.');
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('shows our 401 for a wrong secret, not the browser’s own sign-in dialog', async () => {
    const { page } = await openConsole(`${test.service.url}/docs/`, 'authentication/generateToken');
    const console = page.getByRole('dialog');
    await console.locator('[data-placeholder="janedoe"]').fill(test.alice.clientId);
    await console.getByPlaceholder('********').fill('wrong');
    const answer = page.waitForResponse((response) => response.url().endsWith('/authenticate/token'));
    await sendButton(page).click();
    // A request with the browser's credentials is held back by its dialog, which a test cannot see.
    expect(await answer.then((response) => response.request().allHeaders())).to.not.have.property('cookie');
    await shows(page, '401 Unauthorized');
    await shows(page, 'The client_id or client_secret is wrong');
    await page.context().close();
  });

  it('shows curl commands that work when pasted, from the first call on', async () => {
    const { page } = await visit(chromium.browser, `${test.service.url}/docs/reference.html`, [test.service.url]);
    const pasted = async (operation: string, env: Record<string, string>) => {
      await page.goto(`${test.service.url}/docs/reference.html#tag/${operation}`);
      const sample = page.locator(`[id$="${operation}"] pre`).filter({ hasText: 'curl' }).first();
      const run = promisify(execFile)('sh', ['-c', await sample.innerText()], {
        env: { PATH: process.env['PATH'], ...env },
      });
      return JSON.parse((await run).stdout);
    };
    const { clientId, clientSecret } = test.charlie;
    const { data } = await pasted('authentication/generateToken', { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret });
    const TOKEN = data.access_token;
    const found = await pasted('property-management/listWorkspaces', { TOKEN });
    expect(found.message).to.equal('Workspaces found.');
    const created = await pasted('applications/createApplication', { TOKEN });
    const APPLICATION_ID = created.data.application_id;
    const shown = await pasted('applications/getApplication', { TOKEN, APPLICATION_ID });
    expect(shown.data.application_id).to.equal(APPLICATION_ID);
    await page.context().close();
  });

  it('fits a phone: the send button and the result are on the screen', async () => {
    const viewport = { width: 390, height: 844 };
    const { page } = await openConsole(`${test.service.url}/docs/`, 'applications/createApplication', { viewport });
    await sendWith(page, `${test.bob.token}`);
    await shows(page, '200 OK');
    const onScreen = async (target: Locator): Promise<boolean> => {
      const { x = -1, y = -1, width = 0, height = 0 } = (await target.boundingBox()) ?? {};
      return x >= 0 && y >= 0 && x + width <= viewport.width && y + height <= viewport.height;
    };
    const answer = page.getByRole('dialog').getByText('200 OK').first();
    await until('the answer is on the screen', () => onScreen(answer));
    expect(await onScreen(sendButton(page))).to.equal(true);
    const sidebar = await page.getByRole('button', { name: 'Show sidebar' }).boundingBox();
    const address = await page.locator('.scroll-timeline-x').first().boundingBox();
    expect((sidebar?.x ?? 0) + (sidebar?.width ?? 0)).to.be.at.most(address?.x ?? 0);
    await page.context().close();
  });

  it('a copy of the site on another host calls the sandbox that knows its origin', async () => {
    ({ files: host.files } = await buildSite(`${test.service.url}${basePath}`));
    const applications = () => test.service.runtime.db('applications').select('title');
    const before = await applications();
    const { page, problems } = await tryOut(
      `${docs}/some/folder/`,
      'applications/createApplication',
      `${test.alice.token}`,
    );
    await shows(page, '200 OK');
    await shows(page, 'Application created.');
    expect(problems).to.deep.equal([]);
    expect(await applications()).to.have.length(before.length + 1);
    await page.context().close();
  });

  it('shows refusals to another origin, too, so that a reader sees what is wrong', async () => {
    const { page } = await tryOut(`${docs}/some/folder/`, 'property-management/listWorkspaces', 'expired');
    await shows(page, '401 Unauthorized');
    await shows(page, 'The access token is invalid');
    await page.context().close();
  });

  it('a service that does not know the origin cannot be read by it', async () => {
    ({ files: host.files } = await buildSite(`${closed.service.url}${basePath}`));
    const { page, problems } = await tryOut(
      `${docs}/some/folder/`,
      'applications/createApplication',
      `${closed.alice.token}`,
    );
    await eventually('the browser kept the answer', () => problems.join().includes('blocked by CORS policy'));
    expect(await closed.service.runtime.db('applications').select('title')).to.deep.equal([]);
    await page.context().close();
  });
});
