import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { eventAddress, operationAddress } from '../../site/addresses.ts';
import { buildSite } from '../../site/build.ts';
import { sources } from '../../site/catalogue.ts';
import { readContract } from '../../site/contract.ts';
import { launchBrowser, type TestBrowser, type Visit, visit } from '../harness/browser.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const REFERENCE = 'reference.html';
const pages = ['index.html', 'error-list.html', REFERENCE, ...sources.map(({ path }) => path)];

/** One page of each kind is also looked at in the dark and on a phone. */
const seenTwice = ['index.html', 'webhooks.html', 'open-points.html', REFERENCE];

const phone = { viewport: { width: 390, height: 844 } };
const desktop = { viewport: { width: 1440, height: 900 } };

/** What axe finds in the markup that Scalar writes, and why it stays. */
const SCALARS_OWN = [
  // The buttons that open a schema or a long example have an icon alone.
  'button-name',
  // A response can be opened, and holds links in its description.
  'nested-interactive',
  // On phones the list of a tag's operations scrolls; each of them is in the side navigation too.
  'scrollable-region-focusable',
];

describe('the site in a browser', () => {
  let test: TestService;
  let chromium: TestBrowser;
  let folder: string;
  let disk: string;
  let served: string;
  before(async () => {
    [test, chromium] = await Promise.all([startTestService(), launchBrowser()]);
    folder = await mkdtemp(join(tmpdir(), 'screening-site-'));
    for (const [path, { content }] of (await buildSite()).files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    disk = `${pathToFileURL(folder)}/`;
    served = `${test.service.url}/docs/`;
  });
  after(async () => {
    await chromium?.close();
    await test?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (base: string, path: string, options: BrowserContextOptions = desktop): Promise<Visit> => {
    const opened = await visit(chromium.browser, base + path, [base], options);
    if (path.startsWith(REFERENCE)) await drawn(opened.page);
    return opened;
  };
  const close = (page: Page) => page.context().close();

  for (const path of pages)
    it(`${path} asks nothing of any other place and fits a phone and a desk, from disk and from the service`, async () => {
      for (const base of [disk, served]) {
        const { page, problems } = await open(base, path);
        for (const width of [1440, 390, 320]) {
          await page.setViewportSize({ width, height: 844 });
          expect(await surplusWidth(page), `pixels beyond a width of ${width}`).to.be.at.most(0);
        }
        expect(problems, base).to.deep.equal([]);
        await close(page);
      }
    });

  for (const path of pages)
    it(`${path} has no serious barrier for anybody`, async () => {
      const light = { ...desktop, colorScheme: 'light' as const };
      const dark = { ...phone, colorScheme: 'dark' as const };
      for (const look of seenTwice.includes(path) ? [light, dark] : [light]) {
        const { page } = await open(disk, path, look);
        const { violations } = await new AxeBuilder({ page }).analyze();
        const serious = violations
          .filter(({ impact, id }) => impact === 'critical' || impact === 'serious' || id === 'heading-order')
          .filter(({ id }) => path !== REFERENCE || ![...SCALARS_OWN, 'heading-order'].includes(id))
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
        expect(serious, look.colorScheme).to.deep.equal([]);
        await close(page);
      }
    });

  it('can be used by keyboard: past the header, and along it', async () => {
    const { page } = await open(disk, 'first-call.html');
    await page.keyboard.press('Tab');
    expect(await focused(page)).to.equal('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).to.equal('content');
    await page.reload();
    const reached: string[] = [];
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab');
      reached.push(await focused(page));
    }
    expect(reached.slice(0, 8)).to.deep.equal([
      'Skip to content',
      'Tenant Screening',
      'Guides',
      'Reference',
      'Open points',
      'Changelog',
      'openapi.yaml',
      'Dark theme',
    ]);
    expect(reached[8]).to.equal(await page.locator('#menu a').first().innerText());
    await close(page);
  });

  it('has a menu on phones that opens and closes by keyboard and gives the focus back', async () => {
    for (const path of ['first-call.html', REFERENCE]) {
      const { page } = await open(disk, path, phone);
      const button = page.locator('.menu-button');
      const menu = page.locator('#menu');
      expect(await menu.isVisible()).to.equal(false);
      await button.focus();
      await page.keyboard.press('Enter');
      expect([await button.getAttribute('aria-expanded'), await menu.isVisible()]).to.deep.equal(['true', true]);
      await page.keyboard.press('Tab');
      expect(await focused(page)).to.equal(await menu.locator('a').first().innerText());
      await page.keyboard.press('Escape');
      expect([await button.getAttribute('aria-expanded'), await menu.isVisible()]).to.deep.equal(['false', false]);
      expect(await focused(page)).to.equal('Menu');
      await close(page);
    }
  });

  it('remembers the theme that was chosen, and the reference follows it', async () => {
    const { page } = await open(served, 'index.html', { ...desktop, colorScheme: 'light' });
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.locator('.theme').click();
    const dark = await ground();
    expect(dark).to.not.equal(light);
    await page.goto(`${served}${REFERENCE}`);
    await drawn(page);
    expect(await ground()).to.equal(dark);
    expect(await page.locator('body').getAttribute('class')).to.include('dark-mode');
    await page.locator('.theme').click();
    expect(await ground()).to.equal(light);
    expect(await page.locator('body').getAttribute('class'))
      .to.include('light-mode')
      .and.not.include('dark-mode');
    await close(page);
  });

  it('copies code as it is', async () => {
    const { page } = await open(served, 'first-call.html', {
      ...desktop,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const block = page.locator('.code').nth(2);
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(await block.locator('code').textContent());
    await close(page);
  });

  it('reads and leads on without JavaScript', async () => {
    const { page } = await open(disk, 'first-call.html', { ...phone, javaScriptEnabled: false });
    expect(await page.locator('h1').isVisible()).to.equal(true);
    expect(await page.locator('.menu-button').isVisible()).to.equal(false);
    await page.locator('#menu a', { hasText: 'Verifying webhooks' }).click();
    expect(page.url()).to.equal(`${disk}webhooks.html`);
    await close(page);
  });

  it('takes a link to any operation or event to its place in the reference, which fits a phone', async () => {
    const contract = await readContract();
    const places = [
      ...contract.operations.map((operation) => ({ link: operationAddress(operation), heading: operation.summary })),
      ...contract.events.map(({ name }) => ({ link: eventAddress(name), heading: name })),
    ];
    const { page } = await open(disk, 'index.html', { viewport: { width: 320, height: 844 } });
    for (const { link, heading } of places) {
      await page.goto(`${disk}index.html`);
      await page.locator(`.operations a[href="${link}"]`).click();
      await drawn(page);
      await page.waitForFunction(inSight(heading));
      expect(await surplusWidth(page), heading).to.be.at.most(0);
    }
    await close(page);
  });
});

/** A heading with this text is on the screen. */
function inSight(text: string): string {
  return `[...document.querySelectorAll('#reference :is(h2, h3)')].some((heading) => {
    const { top } = heading.getBoundingClientRect();
    return heading.textContent.includes(${JSON.stringify(text)}) && top > 0 && top < innerHeight;
  })`;
}

/** How many pixels a page is wider than the screen. */
function surplusWidth(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** Waits until Scalar has drawn the contract. */
async function drawn(page: Page): Promise<void> {
  await page.locator('#reference h1').waitFor();
  await page.locator('#reference [id$="/generateToken"]').first().waitFor();
}

function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent.trim()');
}
