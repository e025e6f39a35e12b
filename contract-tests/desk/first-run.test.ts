import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { spawnProgram } from '../../harness/process/process.ts';
import { eventually, hearLines } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { raisedPayslip } from '../documents/raised-payslip.ts';

databases('sqlite', 'nightly');

const LIMIT_SECONDS = 300;
const GUEST = 'noah.meyer@mail.example';

describe('from the start to a finished screening, in a browser alone', () => {
  const folder = suiteFixture(temporaryFolder);
  let chromium: TestBrowser;
  before(async () => {
    chromium = await launchBrowser();
  });
  after(() => chromium?.stop());

  it(`takes less than ${LIMIT_SECONDS / 60} minutes: sandbox, sign-in, application, answer, identity, documents, result`, async function () {
    this.timeout(LIMIT_SECONDS * 1_000);
    const startedAt = performance.now();
    const seconds: Record<string, string> = {};
    const reached = (step: string) => {
      seconds[step] = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    };
    const service = spawnProgram('../../bin/api.ts', { DATA_DIR: folder.path, PORT: '0' });
    const printed: string[] = [];
    hearLines(service.stdout, (line) => printed.push(line));
    try {
      const said = (pattern: RegExp) =>
        eventually(`it printed ${pattern}`, () => pattern.exec(printed.join('\n'))?.[1]);
      const link = await said(/(http\S+\/desk\/sign-in\/\S+)/);
      const [username, password] = [await said(/Client id\s+(\S+)/), await said(/Client secret\s+(\S+)/)];
      reached('started');
      const { origin } = new URL(link);
      const { page: desk, problems } = await visit(chromium.browser, link, [origin]);
      await desk.locator('main form button').click();
      await desk.getByRole('link', { name: 'New application' }).click();
      await desk.getByLabel('Title').fill('Flat on Calle Mayor 12');
      await desk.getByLabel('Lead').fill('marta.ruiz@mail.example');
      await desk.getByLabel('Person 2 (optional)').fill(GUEST);
      await desk.getByRole('button', { name: 'Create and invite' }).click();
      await desk.getByRole('status').getByText('The application was created').waitFor();
      const application = new URL(desk.url()).pathname;
      reached('application created');

      const credentials = { httpCredentials: { username, password } };
      const { page: person } = await visit(chromium.browser, `${origin}/mailbox`, [origin], credentials);
      const mail = person.getByRole('link', { name: GUEST });
      await again(person, 'the mail arrived', () => mail.isVisible());
      await mail.click();
      await person.getByRole('link', { name: `${origin}/invitation/` }).click();
      await person.getByRole('button', { name: 'Accept' }).click();
      await person.getByLabel('Full name').fill('Noah Meyer');
      await person.getByRole('button', { name: 'Confirm' }).click();
      await person.getByRole('heading', { name: 'Your application' }).waitFor();
      const home = person.url();
      reached('invitation accepted');

      await startCheck(desk, origin + application, 'Identity verification (KYC)');
      await person.reload();
      await person.getByRole('link', { name: 'Continue' }).click();
      await person.getByRole('button', { name: 'I agree, continue' }).click();
      await person.getByRole('button', { name: 'Continue' }).click();
      await person.getByLabel('Passport').check();
      for (const name of ['Continue', 'Take the photo', 'Take the selfie', 'Submit for checking'])
        await person.getByRole('button', { name }).click();
      await person.getByRole('heading', { name: 'You are verified' }).waitFor();
      reached('identity verified');

      await person.goto(home);
      await person.getByRole('link', { name: 'Add your documents' }).click();
      await person.getByLabel('What is it?').selectOption({ label: 'Payslip' });
      const buffer = Buffer.from(raisedPayslip('Noah Meyer'));
      await person
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'payslip.pdf', mimeType: 'application/pdf', buffer });
      await person.getByRole('button', { name: 'Add' }).click();
      await person.getByText('1 document handed in').waitFor();
      reached('document handed in');

      await startCheck(desk, origin + application, 'Document analysis');
      await desk.getByRole('link', { name: 'Noah Meyer' }).first().click();
      const result = desk.getByRole('link', { name: 'what it found' }).first();
      await again(desk, 'the analysis ended', () => result.isVisible());
      await result.click();
      await desk.getByText('payslip.pdf').first().waitFor();
      await desk.getByText('tampered', { exact: true }).first().waitFor();
      reached('result read');
      expect(problems).to.deep.equal([]);
    } finally {
      console.log(seconds);
      const exited = new Promise((resolve) => service.once('exit', resolve));
      service.kill();
      await exited;
    }
  });
});

async function startCheck(desk: Page, application: string, check: string): Promise<void> {
  await desk.goto(application);
  const card = desk.locator('.cards > li', { hasText: GUEST });
  await card.getByText('What you can do').click();
  await card.getByLabel('Check').selectOption({ label: check });
  await card.getByRole('button', { name: 'Start the check' }).click();
  await desk.getByRole('status').waitFor();
}

/** Loads a page again until it shows something. */
function again(page: Page, what: string, isShown: () => Promise<boolean>): Promise<boolean> {
  return until(what, async () => {
    await page.reload();
    return isShown();
  });
}
