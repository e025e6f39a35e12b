import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { REFERENCE } from '../../site/addresses.ts';
import { desktop, openSite, phone } from './opened-site.ts';

databases('sqlite', 'nightly');

describe('the site without a mouse and without colours', () => {
  const opened = suiteFixture(() => openSite());

  it('can be used by keyboard: past the header, and along it', async () => {
    const { page } = await opened.open(opened.disk, 'first-call.html');
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
    expect(reached.slice(0, 10)).to.deep.equal([
      'Skip to content',
      'Tenant Screening',
      'Guides',
      'Reference',
      'Open points',
      'Changelog',
      'Operating',
      'openapi.yaml',
      'Search/',
      'Dark theme',
    ]);
    expect(reached[10]).to.equal(await page.locator('#menu a').first().innerText());
    await page.context().close();
  });

  it('can be used by keyboard in the reference, too: past its long navigation, with visible focus', async () => {
    const { page } = await opened.open(opened.served, REFERENCE);
    await page.keyboard.press('Tab');
    expect(await focused(page)).to.equal('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate("document.activeElement.matches('#reference main')")).to.equal(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.closest('#reference main') !== null")).to.equal(true);
    expect(page.url()).to.not.include('content');
    await page.getByRole('button', { name: 'Copy example value' }).first().focus();
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).to.equal('solid');
    await page.context().close();
  });

  it('shows the current place without colours', async () => {
    const { page } = await opened.open(opened.disk, `${REFERENCE}#tag/applications/createApplication`, {
      ...desktop,
      forcedColors: 'active',
    });
    for (const mark of ['.top [aria-current]', '#reference a[aria-current]', '#reference [aria-selected="true"]'])
      expect(
        await page.evaluate(`getComputedStyle(document.querySelector('${mark}')).textDecorationLine`),
        mark,
      ).to.equal('underline');
    await page.context().close();
  });

  it('has a menu on phones that opens and closes by keyboard and returns the focus', async () => {
    for (const path of ['first-call.html', REFERENCE]) {
      const { page } = await opened.open(opened.disk, path, phone);
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
      await page.context().close();
    }
  });
});

function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent.trim()');
}
