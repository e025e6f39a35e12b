import { expect } from 'chai';
import { recordPayment } from '../../db/applications/payments.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { addTestMember } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

describe('an application at the desk, drawn by a browser', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  let chromium: TestBrowser;
  before(async () => {
    chromium = await launchBrowser();
  });
  after(() => chromium?.stop());

  it('has the ends of a payment beside each other, on a desktop and on a phone', async () => {
    const email = 'marta.ruiz@mail.example';
    const body = { title: 'Loft', tenants: [{ email, is_lead: true }] };
    const { application_id: applicationId } = (await test.alice.ok('createApplication', { body })).data;
    await inTransaction(test.service.runtime.db, (trx) =>
      recordPayment(trx, { applicationId, email, amount: 1450.5, isProtected: false }, new Date()),
    );
    const { link } = await addTestMember(test, 'admin', { landlordId: test.landlords.ours });
    const { page } = await visit(chromium.browser, link, [test.service.url]);
    await page.locator('main form button').click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${test.service.url}/desk/applications/${applicationId}`);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const [paid, cancelled] = await Promise.all(
        ['It was paid', 'Cancel it'].map((name) => page.getByRole('button', { name }).boundingBox()),
      );
      expect(paid?.y, String(width)).to.equal(cancelled?.y);
    }
  });
});
