import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { useService } from '../../harness/service/service.ts';
import { addOperator, CONSOLE, consoleUrl } from './operators.ts';
import { type Scene, setScene } from './scene.ts';

databases('either');

/** Each story begins on the overview. Measures the number of pages and clicks, not the speed of this machine. */
describe('an operator on call, in a browser without JavaScript', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const scene: Scene = suiteFixture(() => setScene(test));
  let chromium: TestBrowser;
  let page: Page;
  let loads = 0;
  let presses = 0;

  before(async () => {
    chromium = await launchBrowser();
    const { link } = await addOperator(test, 'operator');
    ({ page } = await visit(chromium.browser, link, [test.service.operatorsUrl ?? ''], { javaScriptEnabled: false }));
    await page.getByRole('button', { name: 'Sign in' }).click();
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.redirectedFrom() === null) loads += 1;
    });
  });
  after(() => chromium?.stop());
  beforeEach(async () => {
    await page.goto(`${consoleUrl(test)}/`);
    [loads, presses] = [0, 0];
  });

  const db = () => test.service.runtime.db;
  async function press(role: 'link' | 'button', name: string | RegExp): Promise<void> {
    presses += 1;
    await page.getByRole(role, { name }).first().click();
  }

  it('finds a failing webhook, resumes it and sends a failed delivery again: seven pages, each load counted', async () => {
    await press('link', 'See the paused webhooks');
    await press('link', /letting\.example/);
    await press('button', 'Resume');
    await page.getByText('The webhook was resumed').waitFor();
    await page.goto(`${consoleUrl(test)}/`);
    await press('link', 'See the failed deliveries');
    await page.locator('tbody a').first().click();
    await press('button', /again/);
    await page.getByText('The delivery is sent again.').waitFor();
    expect({ loads, presses }).to.deep.equal({ loads: 7, presses: 5 });
    expect(await db()('webhooks').where({ id: scene.paused }).first()).to.include({ paused_at: null });
    const id = scene.examples['/deliveries/'] ?? '';
    expect(await db()('deliveries').where({ id }).first()).to.include({ status: 'pending' });
  });

  it('notes what a declined person says on the phone: three pages', async () => {
    await press('link', 'Applications');
    await press('link', /Calle de Alcalá/);
    const person = page.locator('.cards > li', { hasText: 'jonas.weber@mail.example' });
    await person.getByText('What you can do').click();
    await person.getByLabel('Answer given by phone').selectOption('rejected');
    await person.getByRole('button', { name: 'Record the answer' }).click();
    await page.getByText('Recorded: the participant declines.').waitFor();
    expect({ loads, presses }).to.deep.equal({ loads: 3, presses: 2 });
    expect(await db()('participants').where({ email: 'jonas.weber@mail.example' }).first()).to.include({
      consent_status: 'rejected',
    });
  });

  it('answers a request for erasure: four pages, with the erasure shown before it is confirmed', async () => {
    await press('link', 'See the requests');
    await press('link', 'jonas.weber@mail.example');
    await press('button', 'See what would be erased');
    await page.getByText('Nothing was changed yet.').waitFor();
    await page.getByLabel('Type yes to continue').fill('yes');
    await press('button', 'Erase');
    await page.getByRole('heading', { name: 'The person was erased' }).waitFor();
    expect({ loads, presses }).to.deep.equal({ loads: 4, presses: 4 });
    expect(await db()('erasure_requests').first()).to.include({ outcome: 'erased' });
    await page.goto(`${consoleUrl(test)}/`);
    expect(await page.getByText('No request for erasure is open.').count()).to.equal(1);
  });
});
