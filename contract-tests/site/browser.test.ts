import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { barriersOn } from '../../harness/browser/axe.ts';
import type { Visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { eventAddress, operationAddress, REFERENCE } from '../../site/addresses.ts';
import { sources } from '../../site/catalogue.ts';
import { readSiteContract } from '../../site/contract.ts';
import { desktop, drawn, openSite, phone } from './opened-site.ts';

databases('sqlite', 'nightly');

const pages = ['index.html', 'error-list.html', '404.html', REFERENCE, ...sources.map(({ path }) => path)];

/** One page of each kind is also checked in dark mode and on a phone. */
const seenTwice = ['index.html', 'webhooks.html', 'open-points.html', REFERENCE];

/** Accepted axe findings in Scalar's own markup, with reasons. */
const SCALARS_OWN = [
  // Buttons that expand a schema or a long example have only an icon.
  'button-name',
  // A response can be expanded, and its description contains links.
  'nested-interactive',
  // On phones a tag's list of operations scrolls; each of them is in the side navigation, too.
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
    it(`${path} loads nothing from other hosts, fits a phone and a desktop, from disk and from the service, cuts no table, and has no serious accessibility fault`, async () => {
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
      if (path !== REFERENCE) await expectWholeTables(fromDisk.page);
      expect(await seriousBarriers(fromDisk.page, path), 'in the light').to.deep.equal([]);
      // Drops the problems that axe causes when it reads the style sheets again.
      fromDisk.problems.splice(0);
      if (!seenTwice.includes(path)) return;
      const { page } = await opened.open(opened.disk, path, { ...phone, colorScheme: 'dark' });
      expect(await seriousBarriers(page, path), 'in the dark').to.deep.equal([]);
      await page.context().close();
    });

  it('remembers the chosen theme, also in the reference', async () => {
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

  it('copies code verbatim', async () => {
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

  it('downloads the contract, byte for byte', async () => {
    const { page } = await opened.open(opened.served, 'index.html');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.top-links').getByText('openapi.yaml').click(),
    ]);
    expect(download.suggestedFilename()).to.equal('openapi.yaml');
    expect(await readFile(await download.path())).to.deep.equal(await readFile('openapi.yaml'));
    await page.context().close();
  });

  it('can be read and navigated without JavaScript', async () => {
    const { page } = await opened.open(opened.disk, 'first-call.html', { ...phone, javaScriptEnabled: false });
    expect(await page.locator('h1').isVisible()).to.equal(true);
    expect(await page.locator('.menu-button').isVisible()).to.equal(false);
    await page.locator('#menu a', { hasText: 'Verifying webhooks' }).click();
    expect(page.url()).to.equal(`${opened.disk}webhooks.html`);
    await page.context().close();
  });

  it('resolves a link to any operation or event to its place in the reference, which fits a phone', async () => {
    const contract = readSiteContract();
    const places = [
      ...contract.operations.map((operation) => ({ link: operationAddress(operation), heading: operation.summary })),
      ...contract.events.map(({ name }) => ({ link: eventAddress(name), heading: name })),
    ];
    const { page } = await opened.open(opened.disk, 'index.html', { viewport: { width: 320, height: 844 } });
    // Rendering the reference takes seconds: it is loaded for the first and the last link, and then follows the links between them.
    for (const { link, heading } of [...places.slice(0, 1), ...places.slice(-1), ...places.slice(1, -1)]) {
      if ([places[0]?.link, places.at(-1)?.link].includes(link)) {
        await page.goto(`${opened.disk}index.html`);
        await page.locator(`.operations a[href="${link}"]`).click();
        await drawn(page);
      } else await page.evaluate(`location.hash = ${JSON.stringify(new URL(link, opened.disk).hash)}`);
      await until(`${heading} was in sight`, () => page.evaluate<boolean>(inSight(heading)));
      expect(await surplusWidth(page), heading).to.be.at.most(0);
    }
    await page.context().close();
  });
});

/** A desktop shows whole tables, and any screen whole rows of three or more cells. */
async function expectWholeTables(page: Page): Promise<void> {
  for (const [width, tables] of [
    ...[1440, 1232].map((width) => [width, '.table'] as const),
    ...[1231, 961, 769, 768, 390, 320].map((width) => [width, '.table:has(th:nth-child(3))'] as const),
  ]) {
    await page.setViewportSize({ width, height: 844 });
    const surplus = await page.evaluate<number>(
      `Math.max(0, ...[...document.querySelectorAll('${tables}')].map((table) => table.scrollWidth - table.clientWidth))`,
    );
    expect(surplus, `pixels of a table beyond a width of ${width}`).to.equal(0);
  }
  await page.setViewportSize(desktop.viewport);
}

async function seriousBarriers(page: Page, path: string): Promise<string[]> {
  return (await barriersOn(page))
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
