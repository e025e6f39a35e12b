import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { axe, type Visit } from '../../harness/browser/browser.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { eventAddress, operationAddress, REFERENCE } from '../../site/addresses.ts';
import { sources } from '../../site/catalogue.ts';
import { readSiteContract } from '../../site/contract.ts';
import { desktop, drawn, openSite, phone } from './opened-site.ts';

const pages = ['index.html', 'error-list.html', '404.html', REFERENCE, ...sources.map(({ path }) => path)];

/** One page of each kind is also checked in dark mode and on a phone. */
const seenTwice = ['index.html', 'webhooks.html', 'open-points.html', REFERENCE];

/** Accepted axe findings in Scalar's own markup, with reasons. */
const SCALARS_OWN = [
  // Buttons that expand a schema or a long example have only an icon.
  'button-name',
  // A response can be opened, and holds links in its description.
  'nested-interactive',
  // On phones the list of a tag's operations scrolls; each of them is in the side navigation too.
  'scrollable-region-focusable',
];

describe('the site in a browser', () => {
  /** All pages share two windows, because a new window costs more than a page load. */
  let fromDisk: Visit;
  let fromService: Visit;
  const opened = suiteFixture(() => openSite());
  before(async () => {
    const look = { ...desktop, colorScheme: 'light' as const };
    fromDisk = await opened.open(opened.disk, 'index.html', look);
    fromService = await opened.open(opened.served, 'index.html', look);
  });

  for (const path of pages)
    it(`${path} asks nothing of any other place, fits a phone and a desk, from disk and from the service, and has no serious barrier for anybody`, async () => {
      for (const { page, problems, base } of [
        { ...fromService, base: opened.served },
        { ...fromDisk, base: opened.disk },
      ]) {
        await opened.show(page, base, path);
        for (const width of [1440, 390, 320]) {
          await page.setViewportSize({ width, height: 844 });
          expect(await surplusWidth(page), `pixels beyond a width of ${width}`).to.be.at.most(0);
        }
        expect(problems.splice(0), base).to.deep.equal([]);
        await page.setViewportSize(desktop.viewport);
      }
      expect(await seriousBarriers(fromDisk.page, path), 'in the light').to.deep.equal([]);
      // Drops the problems that axe causes when it reads the style sheets again.
      fromDisk.problems.splice(0);
      if (!seenTwice.includes(path)) return;
      const { page } = await opened.open(opened.disk, path, { ...phone, colorScheme: 'dark' });
      expect(await seriousBarriers(page, path), 'in the dark').to.deep.equal([]);
      await page.context().close();
    });

  it('shows whole rows of the open points at any width', async () => {
    const { page } = await opened.open(opened.disk, 'open-points.html');
    for (const width of [1440, 1232, 1231, 961, 960, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      const surplus = await page.evaluate<number>(
        "Math.max(...[...document.querySelectorAll('.table')].map((table) => table.scrollWidth - table.clientWidth))",
      );
      expect(surplus, `pixels beyond a width of ${width}`).to.equal(0);
    }
    await page.context().close();
  });

  it('remembers the theme that was chosen, and the reference follows it', async () => {
    const { page } = await opened.open(opened.served, 'index.html', { ...desktop, colorScheme: 'light' });
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.locator('.theme').click();
    const dark = await ground();
    expect(dark).to.not.equal(light);
    await page.goto(`${opened.served}${REFERENCE}`);
    await drawn(page);
    expect(await ground()).to.equal(dark);
    expect(await page.locator('body').getAttribute('class')).to.include('dark-mode');
    await page.locator('.theme').click();
    expect(await ground()).to.equal(light);
    expect(await page.locator('body').getAttribute('class'))
      .to.include('light-mode')
      .and.not.include('dark-mode');
    await page.context().close();
  });

  it('copies code as it is', async () => {
    const { page } = await opened.open(opened.served, 'first-call.html', {
      ...desktop,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const block = page.locator('.code').nth(2);
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(await block.locator('code').textContent());
    await page.context().close();
  });

  it('reads and leads on without JavaScript', async () => {
    const { page } = await opened.open(opened.disk, 'first-call.html', { ...phone, javaScriptEnabled: false });
    expect(await page.locator('h1').isVisible()).to.equal(true);
    expect(await page.locator('.menu-button').isVisible()).to.equal(false);
    await page.locator('#menu a', { hasText: 'Verifying webhooks' }).click();
    expect(page.url()).to.equal(`${opened.disk}webhooks.html`);
    await page.context().close();
  });

  it('takes a link to any operation or event to its place in the reference, which fits a phone', async function () {
    // The reference is drawn once for each link.
    this.timeout(180_000);
    const contract = readSiteContract();
    const places = [
      ...contract.operations.map((operation) => ({ link: operationAddress(operation), heading: operation.summary })),
      ...contract.events.map(({ name }) => ({ link: eventAddress(name), heading: name })),
    ];
    const { page } = await opened.open(opened.disk, 'index.html', { viewport: { width: 320, height: 844 } });
    for (const { link, heading } of places) {
      await page.goto(`${opened.disk}index.html`);
      await page.locator(`.operations a[href="${link}"]`).click();
      await drawn(page);
      await page.waitForFunction(inSight(heading));
      expect(await surplusWidth(page), heading).to.be.at.most(0);
    }
    await page.context().close();
  });
});

async function seriousBarriers(page: Page, path: string): Promise<string[]> {
  const { violations } = await axe(page).analyze();
  return violations
    .filter(({ impact, id }) => impact === 'critical' || impact === 'serious' || id === 'heading-order')
    .filter(({ id }) => path !== REFERENCE || ![...SCALARS_OWN, 'heading-order'].includes(id))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** A heading with this text is at the top of the screen. */
function inSight(text: string): string {
  return `[...document.querySelectorAll('#reference :is(h2, h3)')].some((heading) => {
    const { top } = heading.getBoundingClientRect();
    return heading.textContent.includes(${JSON.stringify(text)}) && top > 0 && top < innerHeight / 3;
  })`;
}

/** How many pixels a page is wider than the screen. */
function surplusWidth(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
