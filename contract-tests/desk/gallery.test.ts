import { mkdir } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { barriersOn, COLOUR_RULES, described } from '../../harness/browser/axe.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { addTestMember } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { deskRoutes } from '../../http/backoffice/routes.ts';
import { type Scene, setScene } from '../console/scene.ts';

databases('either', 'nightly');

/** Widths of phones, a tablet and a desktop. */
const WIDTHS = [320, 390, 768, 1280];
/** The folder for screenshots of the pages, for review. */
const PICTURES = process.env['DESK_PICTURES'];
const LANGUAGES = { en: 'Overview', de: 'Übersicht' } as const;

/** German has the longest words. */
for (const [language, overview] of Object.entries(LANGUAGES))
  describe(`every page of the desk (${language})`, () => {
    const test = useService({ RUN_WORKERS: 'false' });
    const scene: Scene = suiteFixture(() => setScene(test));
    let chromium: TestBrowser;
    let page: Page;
    let problems: string[];
    let memberId = '';

    before(async () => {
      chromium = await launchBrowser();
      const { link, id } = await addTestMember(test, 'admin', { landlordId: test.landlords.ours, name: 'Ana Ruiz' });
      memberId = id;
      const options = { reducedMotion: 'reduce', locale: language } as const;
      ({ page, problems } = await visit(chromium.browser, link, [test.service.url], options));
      await page.locator('main form button').click();
      await page.getByRole('heading', { name: overview }).waitFor();
      if (PICTURES) await mkdir(PICTURES, { recursive: true });
    });
    after(() => chromium?.stop());

    const pages = deskRoutes.filter((route) => route.method === 'GET' && !('isFile' in route)).map(({ path }) => path);
    const others = ['/nowhere', '/deliveries/none', '/deliveries?status=lost', '/sign-in?asked', '/sign-in/used-up'];
    for (const path of [...pages, ...others, '/applications?email=none', '/deliveries?webhook=none'])
      it(`is accessible in light and dark mode, and fits phones and desktops: ${path}`, async () => {
        const examples = { ...scene.examples, '/members/': memberId };
        const place = path.includes('/:') ? addressOf({ path }, { examples }) : path;
        await page.goto(`${test.service.url}/desk${place}`);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const barriers = await barriersOn(page, colorScheme === 'dark' ? { rules: COLOUR_RULES } : {});
          expect(described(barriers), colorScheme).to.deep.equal([]);
          if (PICTURES) await takePictures(`${language}${path}`, colorScheme);
        }
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          const surplus = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          expect(surplus, `pixels beyond a width of ${width}`).to.be.at.most(0);
        }
        expect(await page.locator('h1').count()).to.equal(1);
        if (pages.includes(path)) expect(problems).to.deep.equal([]);
        problems.length = 0;
      });

    async function takePictures(path: string, scheme: string): Promise<void> {
      const name = path.replace(/\W+/g, '-').replace(/^-|-$/g, '');
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.screenshot({ path: `${PICTURES}/${name}-${width}-${scheme}.png`, fullPage: true });
      }
    }
  });
