import { expect } from 'chai';
import { launchBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addTestMember } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { addOperator, CONSOLE } from '../console/operators.ts';

databases('either');

describe('a page that is left open', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const chromium = suiteFixture(() => launchBrowser());

  for (const [office, minutes] of [
    ['desk', 120],
    ['console', 30],
  ] as const)
    it(`of the ${office} leaves the screen when its session has ended without use, and not before`, async () => {
      const ofOurs = { landlordId: test.landlords.ours };
      const { link } = await (office === 'desk' ? addTestMember(test, 'admin', ofOurs) : addOperator(test, 'operator'));
      const { origin } = new URL(link);
      const { page } = await visit(chromium.browser, link, [origin]);
      await page.clock.install();
      await Promise.all([page.waitForURL(`${origin}/${office}/`), page.locator('main form button').first().click()]);
      await page.goto(`${origin}/${office}/applications`);
      await page.clock.fastForward((minutes - 1) * 60_000);
      expect(new URL(page.url()).pathname).to.equal(`/${office}/applications`);
      await Promise.all([page.waitForURL(`${origin}/${office}/sign-in`), page.clock.fastForward(60_000)]);
      expect(await page.content()).to.not.include('href="applications');
      await page.context().close();
    });
});
