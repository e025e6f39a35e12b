import { expect } from 'chai';
import { barriersOn, described } from '../../harness/browser/axe.ts';
import { launchBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { useService } from '../../harness/service/service.ts';
import { readSiteContract } from '../../site/contract.ts';

databases('sqlite', 'nightly');

describe('the page of the sandbox', () => {
  const test = useService();
  const chromium = suiteFixture(() => launchBrowser());
  const receiver = suiteFixture(() => Receiver.start());

  const open = async (width: number) => {
    const address = `${test.service.url}/docs/sandbox.html`;
    const opened = await visit(chromium.browser, address, [test.service.url], { viewport: { width, height: 900 } });
    const { page } = opened;
    await page.getByLabel('Client id').fill(test.alice.clientId);
    await page.getByLabel('Client secret').fill(test.alice.clientSecret);
    return opened;
  };

  it('registers a webhook, and causes each event of the contract with one press', async () => {
    const { page, problems } = await open(1280);
    await page.getByLabel('Webhook URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Check, and register' }).click();
    await page.getByText('/webhooks/create-webhook: 200').waitFor();
    for (const { name } of readSiteContract().events) {
      await page.locator('tr', { hasText: name }).first().getByRole('button', { name: 'Try' }).click();
      expect(await receiver.next(name), name).to.have.length.above(0);
    }
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('has a button for every tag, shows what each call answered, and fits a phone', async () => {
    const { page, problems } = await open(400);
    const tags = [
      ...[
        '+kyc-verified',
        '+kyc-rejected',
        '+kyc-error',
        '+kyc-left',
        '+eid-verified',
        '+eid-cancelled',
        '+eid-failed',
      ],
      ...['+forensic-failed', '+registered', '+onboarded', '+outdated', '+accepted', '+declined'],
      ...['+payment-protected', '+payment-unprotected'],
    ];
    const shows: Record<string, RegExp> = {
      '+accepted': /consent accepted, /,
      '+declined': /consent rejected, /,
      '+outdated': /onboarding OUTDATED, /,
    };
    for (const tag of tags) {
      const button = page.getByRole('button', { name: `Try ${tag}`, exact: true }).last();
      await button.click();
      const steps = page.locator('.sandbox-steps', { hasText: tag }).last();
      await steps.getByText(shows[tag] ?? 'mail.example').waitFor();
    }
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    expect(described(await barriersOn(page, { within: 'main' }))).to.deep.equal([]);
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('shows our refusal of wrong credentials, and asks for missing ones', async () => {
    const { page } = await open(1280);
    await page.getByLabel('Client secret').fill('wrong');
    await page.getByRole('button', { name: 'Try +kyc-left' }).click();
    await page.getByText('/authenticate/token: 401 The client_id or client_secret is wrong').first().waitFor();
    await page.getByLabel('Client secret').fill('');
    await page.getByRole('button', { name: 'Try +kyc-left' }).click();
    expect(await page.evaluate('document.activeElement.name')).to.equal('client_secret');
    await page.context().close();
  });
});
