import { expect } from 'chai';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { useService } from '../../harness/service/service.ts';
import { addOperator, CONSOLE } from './operators.ts';
import { type Scene, setScene } from './scene.ts';

databases('either');

describe('an operator on call, in a browser', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const scene: Scene = suiteFixture(() => setScene(test));
  let chromium: TestBrowser;
  before(async () => {
    chromium = await launchBrowser();
  });
  after(() => chromium?.stop());

  it('finds a tampered payslip and records a decision within five pages from the overview, without JavaScript', async () => {
    expect(scene.examples['/analyses/']).to.be.a('string');
    const { link } = await addOperator(test, 'operator');
    const origin = test.service.operatorsUrl ?? '';
    const { page, problems } = await visit(chromium.browser, link, [origin], { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.redirectedFrom() === null) loads++;
    });
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'People' }).click();
    await page.getByRole('link', { name: 'marta.ruiz@mail.example' }).click();
    await page.getByRole('link', { name: 'what it found' }).click();
    await page.getByText('There are strong signs that the document was changed.').first().waitFor();
    const finding = page.locator('.finding.strong').first();
    for (const value of ['2.280,40', '3.280,40']) await finding.getByText(value, { exact: true }).waitFor();
    await page.getByRole('img', { name: /^Page 1, payslip-2024-05.pdf, with marks for 1/ }).waitFor();
    await finding.getByText('Decide', { exact: true }).click();
    await finding.getByLabel('Decision').selectOption('confirmed');
    await finding.getByRole('textbox', { name: 'Reason' }).fill('The employer sent the original.');
    await finding.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('status').getByText('The decision is recorded.').waitFor();
    await page.locator('.finding.strong .decisions').getByText('The employer sent the original.').waitFor();
    expect(loads).to.be.at.most(5);
    expect(problems).to.deep.equal([]);
  });
});
