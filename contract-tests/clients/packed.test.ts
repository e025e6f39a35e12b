import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import express from 'express';
import { launchBrowser, visit } from '../../harness/browser/browser.ts';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { useService } from '../../harness/service/service.ts';

databases('sqlite', 'nightly');

const run = promisify(execFile);
const PACKAGES = ['client', 'webhooks', 'kyc-frame'];

/** A page that embeds the verification named in its fragment, and lists what it hears. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>Letting</title><div id="here"></div><ol></ol>
<script type="module">
import { showKyc } from './node_modules/@tenant-screening/kyc-frame/kyc-frame.js';
const kyc = showKyc({
  verificationUrl: decodeURIComponent(location.hash.slice(1)),
  container: document.querySelector('#here'),
  title: 'Identity verification',
  language: 'es',
  onMessage: (message) => document.querySelector('ol').append(message),
});
globalThis.removeKyc = () => kyc.remove();
</script>`;

/** Without types of their own, these would compile without an error, and the directive would be one. */
const WRONG = {
  client: '\n// @ts-expect-error\nexport const wrong: number = data.title;\n',
  webhooks: "\n// @ts-expect-error\nexport const wrong: number = verifyWebhook('', {}, '').id;\n",
};

describe('the packages as an integrator installs them', () => {
  const test = useService();
  const folder = suiteFixture(temporaryFolder);
  const env = () => ({
    ...process.env,
    BASE_URL: `${test.service.url}${basePath}`,
    CLIENT_ID: test.alice.clientId,
    CLIENT_SECRET: test.alice.clientSecret,
    VECTORS: resolve('docs/guides/webhook-test-vectors.json'),
    WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  });

  before(async function () {
    this.timeout(300_000);
    const workspaces = PACKAGES.flatMap((name) => ['--workspace', `packages/${name}`]);
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder.path, ...workspaces]);
    const packed: { filename: string; files: { path: string }[] }[] = Object.values(JSON.parse(stdout));
    for (const { filename, files } of packed)
      expect(
        files.map(({ path }) => path),
        filename,
      ).to.include.members(['README.md', 'package.json']);
    await writeFile(join(folder.path, 'package.json'), '{ "type": "module", "private": true }');
    const tarballs = packed.map(({ filename }) => `./${filename}`);
    await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], { cwd: folder.path });
  });

  for (const [name, language] of [
    ['client', 'ts'],
    ['webhooks', 'ts'],
  ] as const)
    it(`compile strictly, as the README of ${name} shows them`, async () => {
      const [, code = ''] = /```ts\n(.*?)```/s.exec(await readFile(`packages/${name}/README.md`, 'utf8')) ?? [];
      await writeFile(join(folder.path, `${name}.${language}`), code + WRONG[name]);
      const modules = join(folder.path, 'node_modules');
      await mkdir(join(modules, '@types'), { recursive: true });
      for (const needed of ['node', 'express', 'express-serve-static-core', 'body-parser', 'qs', 'range-parser'])
        await cp(join('node_modules/@types', needed), join(modules, '@types', needed), { recursive: true });
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck'];
      await run(resolve('node_modules/.bin/tsc'), [...options, '--types', 'node', `${name}.ts`], { cwd: folder.path });
    });

  it('walk through the README of the client', async () => {
    const { stdout } = await run(process.execPath, ['client.ts'], { cwd: folder.path, env: env() });
    expect(stdout).to.include("email: 'amina.diallo@mail.example'").and.include('lead');
  });

  it('show a verification in an iframe, grow with it, and pass on only its own messages', async () => {
    const app = express()
      .get('/', (_req, res) => void res.type('html').send(PAGE))
      .use(express.static(folder.path));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const chromium = await launchBrowser();
    try {
      const own = `http://localhost:${(server.address() as AddressInfo).port}/`;
      const email = 'lea+kyc-verified@mail.example';
      const { id: tenantId } = await test.tenant(email, { of: test.alice });
      const { data } = await test.alice.ok('initiateKyc', { params: { tenantId } });
      const address = `${own}#${encodeURIComponent(String(data.verification_url))}`;
      const { page, problems } = await visit(chromium.browser, address, [own, test.service.url]);
      await page.evaluate("window.postMessage('KYC_ERROR', '*')");
      await page.frameLocator('iframe').locator('html[lang="es"]').waitFor();
      await page.locator('ol', { hasText: /^(KYC_COMPLETED)+$/ }).waitFor();
      await until('the frame had the height of its page', async () => {
        const height = await page.evaluate<string>("document.querySelector('iframe').style.height");
        return Number.parseInt(height, 10) > 150;
      });
      await page.evaluate('removeKyc()');
      expect(await page.locator('iframe').count()).to.equal(0);
      expect(problems).to.deep.equal([]);
    } finally {
      await chromium.stop();
      server.close();
    }
  });

  it('include a wheel for Python, which calls the service, from threads too, and verifies every vector', async () => {
    const python = join(folder.path, 'venv/bin/python');
    const version = run('python3', ['-c', 'import sys; assert sys.version_info >= (3, 11)']);
    expect(await version.then(() => 'found', String), 'install Python 3.11 or newer').to.equal('found');
    await run('python3', ['-m', 'venv', join(folder.path, 'venv')]);
    await cp('packages/python', join(folder.path, 'python'), { recursive: true });
    const wheels = join(folder.path, 'wheels');
    await run(python, ['-m', 'pip', 'wheel', '--quiet', '--wheel-dir', wheels, join(folder.path, 'python')]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--no-index', '--find-links', wheels, 'tenant-screening']);
    expect(existsSync(join(folder.path, 'venv/lib'))).to.equal(true);
    const { stdout } = await run(python, [resolve('packages/python/tests/story.py')], { cwd: folder.path, env: env() });
    await test.alice.ok('getApplication', { params: { applicationId: stdout.trim() } });
  }).timeout(300_000);
});
