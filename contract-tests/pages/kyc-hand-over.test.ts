import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { StripeStandIn } from '../../harness/service/stripe.ts';
import { shown } from './kyc-journey.ts';
import { openStage } from './stage.ts';

databases('either');

/** The permissions of a page that restricts its frames. */
const frames = {
  'without limits': '',
  'with the attribute `sandbox`':
    'sandbox="allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox"',
};

describe('the KYC page before a real provider’s page', () => {
  const stripe = suiteFixture(() => StripeStandIn.start());
  const stage = suiteFixture(() => openStage(stripe.env));
  beforeEach(() => stripe.sessions.clear());

  for (const [kind, attributes] of Object.entries(frames))
    it(`opens it in a new tab, waits, and sends its parent page the outcome, in a frame ${kind}`, async () => {
      const { page, frame, told } = await stage.embed(
        await stage.kyc(`tab${attributes.length}@mail.example`),
        attributes,
      );
      const opened = page.context().waitForEvent('page');
      await frame.getByRole('link', { name: 'Continue in a new tab' }).click();
      const provider = await opened;
      await provider.waitForURL(`${stripe.url}/start/*`);
      stripe.session.status = 'verified';
      await provider.goto(stripe.session.return_url ?? '');
      await shown(provider, 'You are verified');
      await provider.getByText('You can close this window now.').waitFor();
      await shown(frame, 'You are verified');
      expect(await told()).to.deep.equal([`${stage.test.service.url} string KYC_COMPLETED`]);
      await page.context().close();
    });

  it('is replaced by it outside a frame, and waits when nothing is left to submit', async () => {
    const address = await stage.kyc('window@mail.example');
    const { page } = await stage.open(address);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${stripe.url}/start/*`);
    stripe.session.status = 'processing';
    await page.goto(`${address}/continue`);
    await shown(page, 'Checking your details');
    expect(new URL(page.url()).pathname).to.equal(`${new URL(address).pathname}/returned`);
    expect(page.context().pages()).to.have.length(1);
    stripe.session.status = 'canceled';
    // Another window: this one reloads itself when the outcome arrives, which would interrupt a reload.
    const again = await stage.open(page.url());
    await until('the provider is asked again', async () => {
      // Reloads itself, too, when the outcome has arrived meanwhile.
      await again.page.goto(`${address}/returned`).catch(() => {});
      return (await again.page.getByText('Something went wrong').count()) > 0;
    });
    for (const view of [again.page, page]) await shown(view, 'Something went wrong');
    for (const view of [again.page, page]) await view.context().close();
  });

  it('offers a retry while the provider does not answer, and shows no simulated step', async () => {
    const address = await stage.kyc('down@mail.example');
    const { page } = await stage.open(address);
    stripe.simulatedFailure = () => 'reset';
    await page.getByRole('link', { name: 'Continue' }).click();
    await shown(page, 'The check cannot be reached just now');
    stripe.simulatedFailure = () => undefined;
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.waitForURL(`${stripe.url}/start/*`);
    for (const place of ['name', 'document', 'capture', 'outcome']) {
      await page.goto(`${address}/${place}`);
      await shown(page, 'This link leads nowhere');
    }
    expect(await page.getByText('Sandbox').count()).to.equal(0);
    await page.context().close();
  });
});
