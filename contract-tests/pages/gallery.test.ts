import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { languages } from '../../core/texts/languages.ts';
import { textsOf } from '../../core/texts/texts.ts';
import { barriersOn, COLOUR_RULES, described } from '../../harness/browser/axe.ts';
import { launchBrowser, type TestBrowser, type Visit, visit } from '../../harness/browser/browser.ts';
import { databases, isNightly } from '../../harness/database/dialect.ts';
import type { RunningServer } from '../../harness/process/running-server.ts';
import { openGallery, pagesIn } from './gallery.ts';
import { pseudoLanguage } from './pseudo-language.ts';

databases('none', 'nightly');

/** Widths of phones, a frame and a desktop. */
const WIDTHS = [320, 390, 640, 1280];

/** German has the longest words. At night, every page is opened in every language, width and colour scheme, for a quarter of an hour. */
const narrowLanguages = isNightly ? languages.filter((one) => one !== 'en') : (['de'] as const);

/** The minimum size of a touch target, in pixels. */
const TARGET = 44;

const SMALL_TARGETS = `[...document.querySelectorAll('a, button, select, summary, input:not([type=hidden], [type=radio], [type=checkbox]), .choice')]
  .map((element) => ({ name: element.innerText || element.id, box: element.getBoundingClientRect() }))
  .filter(({ box }) => box.height > 0 && box.height < ${TARGET})
  .map(({ name }) => name)`;

/** Where the page is wider than the window, or a text wider than its container; in right-to-left pages, content overflows on the left. */
const OVERFLOWING = `(() => {
  const { scrollWidth } = document.documentElement;
  const outside = [...document.querySelectorAll('body *')].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && !element.closest('.sr, svg') && (left < -0.5 || right > innerWidth + 0.5);
  });
  return [...(scrollWidth > innerWidth ? ['the page by ' + (scrollWidth - innerWidth)] : []), ...outside.map(({ outerHTML }) => outerHTML.slice(0, 120))];
})()`;

/** Visible texts, and strings that screen readers read out, that no catalogue contains. Third-party text and names are marked. */
const UNTRANSLATED = `(() => {
  const isMarked = (element) => element.closest('bdi, [translate=no], script, style') !== null;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) if (!isMarked(walker.currentNode.parentElement)) found.push(walker.currentNode.data);
  const named = ['aria-label', 'alt', 'title', 'placeholder', 'data-patience'];
  const script = ['sending', 'checking', 'waiting', 'added', 'failed', 'large', 'no-type', 'no-file'];
  for (const name of [...named, ...script.map((one) => 'data-' + one)])
    for (const element of document.querySelectorAll('[' + name + ']'))
      if (!isMarked(element) && !element.classList.contains('logo')) found.push(element.getAttribute(name));
  return [document.title, ...found].filter((text) => /[A-Za-z]/.test(text));
})()`;

const pseudo = pseudoLanguage();
const names = Object.keys(pagesIn(pseudo));

describe('every hosted page', () => {
  let chromium: TestBrowser;
  let gallery: RunningServer;
  let opened: Visit;
  before(async () => {
    const galleries = [...languages.map(textsOf), pseudo];
    [chromium, gallery] = await Promise.all([launchBrowser(), openGallery(galleries)]);
    opened = await visit(chromium.browser, `${gallery.url}/verify/gallery/en/name`, [gallery.url], {
      reducedMotion: 'reduce',
    });
  });
  after(async () => {
    await chromium?.stop();
    await gallery?.stop();
  });

  const open = async (language: string, name: string, width = 320) => {
    await opened.page.setViewportSize({ width, height: 560 });
    await opened.page.goto(`${gallery.url}/verify/gallery/${language}/${name}`);
    // Collapsible parts belong to the page.
    await opened.page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
    return opened.page;
  };

  const expectNarrow = async (page: Page, name: string, root: readonly string[]) => {
    expect(await page.evaluate(OVERFLOWING), name).to.deep.equal([]);
    const found = await page.evaluate('[document.documentElement.lang, document.documentElement.dir]');
    expect(found, name).to.deep.equal(root);
  };

  for (const name of names)
    it(`is accessible in light and in dark, fits phones, frames and desktops, and does not shift: ${name}`, async () => {
      const page = await open('en', name);
      await page.emulateMedia({ colorScheme: 'light' });
      await expectNarrow(page, name, ['en', 'ltr']);
      expect(described(await barriersOn(page)), 'light').to.deep.equal([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(described(await barriersOn(page, { rules: COLOUR_RULES })), 'dark').to.deep.equal([]);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 560 });
        expect(await page.evaluate(OVERFLOWING), `beyond a width of ${width}`).to.deep.equal([]);
        expect(await page.evaluate(SMALL_TARGETS), `too small at a width of ${width}`).to.deep.equal([]);
      }
      expect(await page.locator('h1').count()).to.equal(1);
      expect(await page.evaluate('document.getAnimations().length')).to.equal(0);
      expect(opened.problems).to.deep.equal([]);
    });

  for (const { language, direction } of narrowLanguages.map(textsOf))
    it(`declares ${language}, from ${direction}, and fits the narrowest phone`, async () => {
      for (const name of names) await expectNarrow(await open(language, name), name, [language, direction]);
    });

  it('takes every text from the catalogues, including scripts and attributes, and fits when read from the right', async () => {
    for (const name of names) {
      const page = await open(pseudo.language, name);
      await expectNarrow(page, name, [pseudo.language, pseudo.direction]);
      expect(await page.evaluate(UNTRANSLATED), name).to.deep.equal([]);
    }
  });

  if (isNightly)
    for (const { language } of [...languages.map(textsOf), pseudo])
      for (const colours of ['light', 'dark', 'forced'] as const)
        it(`fits every width, and is accessible, in ${language} in ${colours} colours`, async function () {
          this.timeout(600_000);
          const forcedColors = colours === 'forced' ? 'active' : 'none';
          await opened.page.emulateMedia({ colorScheme: colours === 'dark' ? 'dark' : 'light', forcedColors });
          for (const name of names)
            for (const width of WIDTHS) {
              const page = await open(language, name, width);
              expect(await page.evaluate(OVERFLOWING), `${name} at ${width}`).to.deep.equal([]);
              expect(await page.evaluate(SMALL_TARGETS), `${name} at ${width}`).to.deep.equal([]);
              if (width === 320 && colours !== 'forced')
                expect(described(await barriersOn(page)), name).to.deep.equal([]);
            }
          await opened.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
        });
});
