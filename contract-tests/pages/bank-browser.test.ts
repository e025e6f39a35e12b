import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { barriersOn, described } from '../../harness/browser/axe.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { useService } from '../../harness/service/service.ts';

databases('both', 'nightly');

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } } as const;
/** The folder for screenshots of each step, for review. */
const PICTURES = process.env['BANK_PICTURES'];

describe('a person connects their bank in a browser', () => {
  let chromium: TestBrowser;
  const test = useService();
  before(async () => {
    chromium = await launchBrowser();
    if (PICTURES) await mkdir(PICTURES, { recursive: true });
  });
  after(() => chromium?.stop());

  for (const [size, viewport] of Object.entries(SIZES)) {
    const begin = async () => {
      const person = await BankPerson.of(test, `${size}-${Date.now()}@mail.example`);
      const { url } = test.service;
      const { page, problems } = await visit(chromium.browser, `${url}${person.link}`, [url], { viewport });
      return { person, page, problems };
    };

    it(`on a ${size}: from the home to what was handed in, and withdraws it`, async function () {
      this.timeout(300_000);
      const { person, page, problems } = await begin();
      await check(page, `${size}-1-home`);
      await page.getByRole('link', { name: /^Connect your bank/ }).click();
      await check(page, `${size}-2-agreement`);
      await page.getByLabel('Your bank', { exact: true }).selectOption('Banco de Ejemplo');
      await page.getByRole('button', { name: 'I agree, continue to my bank' }).click();
      await page.getByLabel(/what the bank holds/).selectOption('two-accounts');
      await check(page, `${size}-3-at-the-bank`);
      await page.getByRole('button', { name: 'Allow reading' }).click();
      await page.getByRole('heading', { name: 'Which accounts?' }).waitFor();
      await check(page, `${size}-4-accounts`);
      expect(await page.getByRole('checkbox', { checked: true }).count(), 'accounts that no one chose').to.equal(0);
      await page.getByLabel('Current account').check();
      await page.getByRole('button', { name: 'Read these accounts' }).click();
      await page.getByRole('button', { name: 'Hand in', exact: true }).waitFor();
      await page.getByText(/^\d+ movements$/).click();
      await check(page, `${size}-5-fetched`);
      expect(await person.documents()).to.deep.equal([]);
      await page.getByRole('button', { name: 'Hand in', exact: true }).click();
      await page.getByRole('button', { name: 'Withdraw and delete' }).waitFor();
      await check(page, `${size}-6-handed-in`);
      expect(await person.documents()).to.have.length(1);
      expect(await page.getByLabel('Your bank', { exact: true }).isVisible(), 'the form for another bank').to.equal(
        false,
      );
      await page.locator('.actions a').click();
      await check(page, `${size}-7-home-again`);
      await page.goto(`${test.service.url}${person.page}`);
      await page.getByRole('button', { name: 'Withdraw and delete' }).click();
      await page.locator('[role=status]').waitFor();
      await check(page, `${size}-8-withdrawn`);
      expect(await person.documents()).to.deep.equal([]);
      expect(problems).to.deep.equal([]);
    });
  }

  async function check(page: Page, name: string): Promise<void> {
    await page.locator('#heading').waitFor();
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
    expect(described(await barriersOn(page)), name).to.deep.equal([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, `${name} is wider than the window`).to.be.at.most(0);
  }
});
