import { mkdir } from 'node:fs/promises';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { ConsoleRole } from '../../db/access/console-accounts.ts';
import { barriersOn, COLOUR_RULES, described } from '../../harness/browser/axe.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { useService } from '../../harness/service/service.ts';
import { consoleRoutes } from '../../http/backoffice/routes.ts';
import { addOperator, CONSOLE, consoleUrl } from './operators.ts';
import { type Scene, setScene } from './scene.ts';

databases('either', 'nightly');

/** Widths of phones, a tablet and a desktop. */
const WIDTHS = [320, 390, 768, 1280];
const TARGET = 24;
/** The folder for screenshots of the pages, for review. */
const PICTURES = process.env['CONSOLE_PICTURES'];

const SMALL_TARGETS = `[...document.querySelectorAll('button, select, input:not([type=hidden], [type=radio], [type=checkbox])')]
  .map((element) => ({ name: element.innerText || element.name, box: element.getBoundingClientRect() }))
  .filter(({ box }) => box.height > 0 && box.height < ${TARGET})
  .map(({ name }) => name)`;

/** Words of the heading that are broken across lines. */
const BROKEN_WORDS = `(() => {
  const { firstChild } = document.querySelector('h1');
  return [...firstChild.textContent.matchAll(/[a-z]{2,12}/gi)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    if (firstChild.nodeType !== Node.TEXT_NODE) return false;
    range.setStart(firstChild, index);
    range.setEnd(firstChild, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word);
})()`;

describe('every page of the console', () => {
  const test = useService({
    ...CONSOLE,
    RUN_WORKERS: 'false',
    RETAIN_DOCUMENTS_DAYS: '90',
    RETAIN_INVITATIONS_DAYS: '30',
  });
  const scene: Scene = suiteFixture(() => setScene(test));
  let chromium: TestBrowser;
  let page: Page;
  let problems: string[];

  before(async () => {
    chromium = await launchBrowser();
    ({ page, problems } = await enter({ reducedMotion: 'reduce' }));
    if (PICTURES) await mkdir(PICTURES, { recursive: true });
  });
  after(() => chromium?.stop());

  async function enter(options: BrowserContextOptions, role: ConsoleRole = 'operator') {
    const { link } = await addOperator(test, role);
    const visited = await visit(chromium.browser, link, [test.service.operatorsUrl ?? ''], options);
    await visited.page.getByRole('button', { name: 'Sign in' }).click();
    await visited.page.getByRole('heading', { name: 'Overview' }).waitFor();
    return visited;
  }

  const pages = consoleRoutes.filter((route) => route.method === 'GET' && !('isFile' in route));
  for (const route of pages)
    it(`is accessible in light and dark mode, and fits phones and desktops: ${route.path}`, async () => {
      await page.goto(`${consoleUrl(test)}${addressOf(route, scene)}`);
      await expectFit(route.path);
      expect(problems).to.deep.equal([]);
    });

  for (const path of [
    ...['/nowhere', '/deliveries/none', '/deliveries?status=lost', '/sign-in?asked', '/sign-in/used-up'],
    ...['/deliveries?webhook=none', '/audit?resource=none', '/applications?email=none', '/people?who=none'],
    ...['/webhooks?client_id=none', '/analyses/none', '/privacy/person?who=none'],
  ])
    it(`is accessible and fits when something is refused, missing or empty: ${path}`, async () => {
      await page.goto(`${consoleUrl(test)}${path}`);
      await expectFit(`without ${path}`);
    });

  it('is accessible and fits when signed out, and for a viewer who tries an action', async () => {
    const before = page;
    ({ page } = await visit(chromium.browser, `${consoleUrl(test)}/`, [test.service.operatorsUrl ?? '']));
    await expectFit('signed out');
    ({ page } = await enter({}, 'viewer'));
    await page.evaluate(`(() => {
      const form = document.querySelector('form.account');
      form.action = '/console/webhooks/${scene.paused}/resume';
      form.submit();
    })()`);
    await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
    await expectFit('not allowed');
    page = before;
  });

  it('fits texts of any length and direction', async () => {
    const { db } = test.service.runtime;
    const long = 'Verwaltungsgesellschaft'.repeat(8);
    await db('landlords').where({ id: test.landlords.ours }).update({ name: long });
    await db('api_keys').where({ client_id: test.alice.clientId }).update({ name: long });
    await db('tenants').update({ name: `شركة ${long}` });
    await db('applications').update({ title: long });
    await db('webhooks')
      .where({ id: scene.paused })
      .update({ pause_reason: long, url: `https://${long.slice(0, 60)}.example/${long}` });
    await db('deliveries').where({ status: 'failed' }).update({ last_error: long });
    for (const route of pages) {
      await page.goto(`${consoleUrl(test)}${addressOf(route, scene)}`);
      await expectWidths(route.path);
      await takePictures(`long ${route.path}`, 'light');
    }
  });

  async function expectFit(name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const barriers = await barriersOn(page, colorScheme === 'dark' ? { rules: COLOUR_RULES } : {});
      expect(described(barriers), colorScheme).to.deep.equal([]);
      await takePictures(name, colorScheme);
    }
    await expectWidths(name);
    expect(await page.locator('h1').count()).to.equal(1);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(BROKEN_WORDS), name).to.deep.equal([]);
  }

  async function expectWidths(name: string): Promise<void> {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const surplus = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(surplus, `pixels beyond a width of ${width}: ${name}`).to.be.at.most(0);
      expect(await page.evaluate(SMALL_TARGETS), `too small at a width of ${width}: ${name}`).to.deep.equal([]);
    }
  }

  it('is reachable from the menu by keyboard, without JavaScript', async () => {
    const { page } = await enter({ javaScriptEnabled: false });
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.innerText')).to.equal('Skip to the content');
    const names = await page.locator('nav[aria-label=Sections] a').allInnerTexts();
    for (const name of names) {
      const link = page.locator('nav[aria-label=Sections] a', { hasText: name });
      await link.focus();
      await page.keyboard.press('Enter');
      await page.locator('nav[aria-label=Sections] a[aria-current=page]', { hasText: name }).waitFor();
    }
  });

  async function takePictures(path: string, scheme: string): Promise<void> {
    if (!PICTURES) return;
    const name = path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'overview';
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: `${PICTURES}/${name}-${width}-${scheme}.png`, fullPage: true });
    }
  }
});
