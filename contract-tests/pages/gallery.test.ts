import type { AxeBuilder } from '@axe-core/playwright';
import { expect } from 'chai';
import { axe, launchBrowser, type TestBrowser, type Visit, visit } from '../../harness/browser/browser.ts';
import type { RunningServer } from '../../harness/process/running-server.ts';
import { openGallery, pages } from './gallery.ts';

/** Widths of phones, a frame and a desktop. */
const WIDTHS = [320, 360, 640, 1280];

/** The minimum size of a touch target, in pixels. */
const TARGET = 44;

const SMALL_TARGETS = `[...document.querySelectorAll('a, button, select, input:not([type=hidden], [type=radio]), .choice')]
  .map((element) => ({ name: element.innerText || element.id, box: element.getBoundingClientRect() }))
  .filter(({ box }) => box.height > 0 && box.height < ${TARGET})
  .map(({ name }) => name)`;

describe('every hosted page', () => {
  let chromium: TestBrowser;
  let gallery: RunningServer;
  let opened: Visit;
  before(async function () {
    this.timeout(120_000);
    [chromium, gallery] = await Promise.all([launchBrowser(), openGallery()]);
    opened = await visit(chromium.browser, `${gallery.url}/verify/gallery/name`, [gallery.url], {
      reducedMotion: 'reduce',
    });
  });
  after(async () => {
    await chromium?.stop();
    await gallery?.stop();
  });

  for (const name of Object.keys(pages))
    it(`has no barrier in light and in dark, fits phones, frames and desks, and keeps still: ${name}`, async () => {
      const { page, problems } = opened;
      await page.goto(`${gallery.url}/verify/gallery/${name}`);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await violations(axe(page)), 'light').to.deep.equal([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await violations(axe(page).withRules(['color-contrast', 'link-in-text-block'])), 'dark').to.deep.equal([]);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 560 });
        const surplus = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(surplus, `pixels beyond a width of ${width}`).to.be.at.most(0);
        expect(await page.evaluate(SMALL_TARGETS), `too small at a width of ${width}`).to.deep.equal([]);
      }
      expect(await page.locator('h1').count()).to.equal(1);
      expect(await page.locator('html').getAttribute('lang')).to.equal('en');
      expect(await page.evaluate('document.getAnimations().length')).to.equal(0);
      expect(problems).to.deep.equal([]);
    });
});

async function violations(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
