import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { buildSite } from '../../site/build.ts';
import { launchBrowser, type TestBrowser, visit } from '../harness/browser.ts';
import { basePath } from '../harness/contract.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

/** Anybody's static host, with the site in a folder of it. */
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

describe('trying requests out in the reference', () => {
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
    await chromium?.close();
    await test?.stop();
    await closed?.stop();
    host.server.close();
  });

  /** Opens the console of an operation, enters the token and sends the contract's example. */
  const tryOut = async (
    site: string,
    operation: string,
    token: string,
  ): Promise<{ page: Page; problems: string[] }> => {
    const origins = [site, test.service.url, closed.service.url];
    const { page, problems } = await visit(chromium.browser, `${site}reference.html#tag/${operation}`, origins);
    await page
      .locator(`[id$="/${operation}"]`)
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    const console = page.getByRole('dialog');
    await console.getByPlaceholder('Token').fill(token);
    await console.getByRole('button', { name: /^Send/ }).first().click();
    return { page, problems };
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

  it('a copy of the site on another host calls the sandbox that knows its origin', async () => {
    ({ files: host.files } = await buildSite(`${test.service.url}${basePath}`));
    const { page, problems } = await tryOut(
      `${docs}/some/folder/`,
      'applications/createApplication',
      `${test.alice.token}`,
    );
    await shows(page, '200 OK');
    await shows(page, 'Application created.');
    expect(problems).to.deep.equal([]);
    expect(await test.service.runtime.db('applications').select('title')).to.have.length(1);
    await page.context().close();
  });

  it('shows refusals of another origin too, so that a reader sees what is wrong', async () => {
    const { page } = await tryOut(`${docs}/some/folder/`, 'property-management/listWorkspaces', 'expired');
    await shows(page, '401 Unauthorized');
    await shows(page, 'The access token is invalid');
    await page.context().close();
  });

  it('a service that does not know the origin is not read by it', async () => {
    ({ files: host.files } = await buildSite(`${closed.service.url}${basePath}`));
    const { page, problems } = await tryOut(
      `${docs}/some/folder/`,
      'applications/createApplication',
      `${closed.alice.token}`,
    );
    await until('the browser kept the answer', () => problems.join().includes('blocked by CORS policy'));
    expect(await closed.service.runtime.db('applications').select('title')).to.deep.equal([]);
    await page.context().close();
  });
});
