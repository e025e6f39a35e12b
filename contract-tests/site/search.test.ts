import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { barriersOn, described } from '../../harness/browser/axe.ts';

import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { REFERENCE } from '../../site/addresses.ts';
import { readArticles } from '../../site/articles.ts';
import { buildSite } from '../../site/build.ts';
import { readSiteContract } from '../../site/contract.ts';
import { linkFaults } from '../../site/links.ts';
import { searchRecords } from '../../site/search/search.ts';
import { desktop, openSite, phone } from './opened-site.ts';

databases('sqlite', 'nightly');

/** A query, and the start of the first result's address. */
const QUESTIONS: [string, string][] = [
  ['verify signature by hand', 'webhooks-by-hand.html'],
  ['tenants: exactly one tenant must have is_lead true', 'error-list.html#createapplication'],
  ['list workspaces', `${REFERENCE}#tag/property-management/listWorkspaces`],
  ['create-webhook', `${REFERENCE}#tag/webhooks/createWebhook`],
  ['FORENSIC_ANALYSIS_DATA', `${REFERENCE}#tag/events/webhook/FORENSIC_ANALYSIS_DATA`],
  ['lead-removal-status', 'open-points.html#lead-removal-status'],
  ['dredd', 'contract-tests.html'],
  // Questions that integrators of such APIs ask in public.
  ['polling', 'polling.html'],
  ['webhook retry schedule', 'webhooks.html'],
  ['rate limit', 'open-points.html#rate-limits'],
  ['maximum size payload', 'limits.html'],
  ['rotate secret', 'webhooks.html'],
  ['raw body express', 'limits.html'],
  ['deduplicate', 'webhooks.html'],
  ['iframe camera', 'kyc-iframe.html'],
  ['postman', 'clients.html'],
  ['going live', 'going-live.html'],
  ['schemathesis', 'contract-tests.html'],
  ['singature libary', 'webhooks.html'],
];

describe('the site search', () => {
  const opened = suiteFixture(() => openSite());

  it('covers guides, operations, events, errors and open points, and each result leads to its place', async () => {
    const contract = readSiteContract();
    const records = searchRecords(await readArticles(contract), contract);
    expect(new Set(records.map(({ area }) => area))).to.have.keys([
      ...['Start', 'Verify', 'Webhooks', 'Operate'],
      ...['Open points', 'Changelog', 'Reference', 'Events', 'Errors'],
    ]);
    const links = records.map(({ address }) => `<a href="${address}"></a>`).join('');
    const { files } = await buildSite();
    files.set('results.html', { mediaType: 'text/html', content: Buffer.from(links) });
    expect(linkFaults(files, contract, [])).to.deep.equal([]);
  });

  it('loads less than 300 kB, and nothing until it is opened', async () => {
    const { files } = await buildSite();
    const bytes = ['minisearch.js', 'search-records.js'].map(
      (name) => files.get(`assets/${name}`)?.content.length ?? 0,
    );
    expect(Math.min(...bytes)).to.be.above(50_000);
    expect(bytes.reduce((sum, size) => sum + size)).to.be.below(300_000);
    const { page, problems } = await opened.open(opened.served, 'webhooks.html');
    expect(await page.locator('script[src$="search-records.js"]').count()).to.equal(0);
    await ask(page, 'signature');
    expect(await page.locator('script[src$="search-records.js"]').count()).to.equal(1);
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  for (const place of ['disk', 'served'] as const)
    it(`answers from ${place === 'disk' ? 'a folder, offline,' : 'the service'} with guides, errors and reference in one list`, async () => {
      const { page, problems } = await opened.open(opened[place], 'index.html');
      await page.keyboard.press('/');
      for (const [words, address] of QUESTIONS) {
        await ask(page, words);
        const found = await page.locator('[role="option"]').first().getAttribute('href');
        expect(found?.startsWith(opened[place] + address), `${words}: ${found}`).to.equal(true);
      }
      expect(problems).to.deep.equal([]);
      await page.context().close();
    });

  it('works by keyboard: a slash opens it, arrows choose, Enter goes there, Escape closes it and returns the focus', async () => {
    const { page } = await opened.open(opened.disk, 'webhooks.html');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await page.locator('.search-button').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('GET/');
    expect(await page.getByRole('combobox').inputValue(), 'in the box, a slash is a slash').to.equal('GET/');
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).to.equal(false);
    expect(await page.evaluate('document.activeElement.className')).to.equal('search-button');
    await ask(page, 'errors');
    const chosen = () => page.evaluate<string>(ACTIVE);
    const first = await chosen();
    await page.keyboard.press('ArrowDown');
    const second = await chosen();
    expect(second).to.not.equal(first);
    await page.keyboard.press('ArrowUp');
    expect(await chosen()).to.equal(first);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(second);
    await page.context().close();
  });

  it('navigates within the reference, whose own search it replaces', async () => {
    const { page } = await opened.open(opened.disk, REFERENCE);
    await ask(page, 'run a forensic analysis');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#tag\/tenants\/runForensic$/);
    expect(await page.getByRole('dialog', { name: 'Search' }).isVisible()).to.equal(false);
    expect(
      await page
        .locator('#reference')
        .getByRole('button', { name: /search/i })
        .count(),
    ).to.equal(0);
    await page.context().close();
  });

  it('fills a phone’s screen, where a tap opens it and follows a result', async () => {
    const { page } = await opened.open(opened.served, 'index.html', { ...phone, hasTouch: true });
    await page.locator('.search-button').tap();
    await ask(page, 'list workspaces');
    expect(await page.locator('dialog.search').boundingBox()).to.deep.equal({ x: 0, y: 0, ...phone.viewport });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    await page.locator('[role="option"]').first().tap();
    await page.waitForURL(/listWorkspaces$/);
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`passes axe, ${colorScheme}, with results and without`, async () => {
      const { page } = await opened.open(opened.disk, 'errors.html', { ...desktop, colorScheme });
      for (const words of ['token', 'qqqqqqqq']) {
        await ask(page, words);
        expect(described(await barriersOn(page, { within: 'dialog' })), words).to.deep.equal([]);
      }
      expect(await page.locator('dialog [role="status"]').innerText()).to.match(/^Nothing found for “qqqqqqqq”/);
      await page.context().close();
    });
});

/** The address of the result that Enter would follow. */
const ACTIVE = `document.getElementById(document.querySelector('.search input').getAttribute('aria-activedescendant')).href`;

/** Types into the search, opening it where it is closed, and waits for its answer. */
async function ask(page: Page, words: string): Promise<void> {
  if (!(await page.locator('dialog.search').isVisible())) await page.keyboard.press('/');
  await page.getByRole('combobox').fill(words);
  // Not waitForFunction: its second look needs `eval`, which the pages' policy forbids.
  await page.locator('.search [role="status"]', { hasText: /./ }).waitFor({ state: 'attached' });
}
