import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { StripeStandIn } from '../../harness/service/stripe.ts';
import { shown } from '../pages/kyc-journey.ts';
import { openStage, type Stage } from '../pages/stage.ts';
import { blockUnder, readGuide } from './guide.ts';

databases('sqlite');

const GUIDE = 'kyc-iframe.md';

/** The iframe attributes in the guide for a page with strict policies. */
const tokens = /sandbox="([^"]+)"/.exec(blockUnder(GUIDE, 'The sandbox attribute', 'html'))?.[1]?.split(' ') ?? [];
const without = (token: string) => `sandbox="${tokens.filter((other) => other !== token).join(' ')}"`;

describe('the permissions checklist in the KYC iframe guide', () => {
  let sandbox: Stage;
  let live: Stage;
  after(async () => {
    await live?.stop();
    await sandbox?.stop();
  });
  const stripe = suiteFixture(() => StripeStandIn.start());
  before(async () => {
    [sandbox, live] = await Promise.all([openStage(), openStage(stripe.env)]);
  });
  beforeEach(() => stripe.sessions.clear());

  let people = 0;
  const embed = async (attributes: string, tag = '') =>
    sandbox.embed(await sandbox.kyc(`person-${++people}${tag}@mail.example`), attributes);
  /** Presses Continue before a real provider's page, which opens in a tab unless the frame forbids it. */
  const handOver = async (attributes: string) => {
    const { page, frame, problems } = await live.embed(await live.kyc(`person-${++people}@mail.example`), attributes);
    const button = frame.getByRole('link', { name: 'Continue' });
    return { page, button, problems };
  };

  it('explains each token that it requires', () => {
    const explained = [...readGuide(GUIDE).matchAll(/^\| `(allow-[a-z-]+)` \|/gm)].map(([, token]) => token);
    expect(explained).to.deep.equal(tokens);
  });

  it('receives no message without allow-scripts', async () => {
    const { page, frame } = await embed(without('allow-scripts'));
    await frame.getByRole('link', { name: 'Leave' }).click();
    await shown(frame, 'You have left the verification');
    await page.evaluate("postMessage('that is all', '*')");
    await page.getByText('that is all').waitFor();
    expect(await page.locator('li').allTextContents()).to.have.length(1);
    await page.context().close();
  });

  it('cannot send a step without allow-forms', async () => {
    const { page, frame, problems } = await embed(without('allow-forms'));
    await frame.getByRole('button', { name: 'Continue' }).click();
    await eventually('the form was blocked', () =>
      problems.some((problem) => problem.includes('Blocked form submission')),
    );
    await shown(frame, 'What is your name?');
    await page.context().close();
  });

  it('receives messages from the origin null without allow-same-origin', async () => {
    const { page, frame } = await embed(without('allow-same-origin'));
    await frame.getByRole('link', { name: 'Leave' }).click();
    await page.getByText('null string KYC_USER_EXIT').waitFor();
    await page.context().close();
  });

  it('opens no provider page without allow-popups', async () => {
    const { page, button, problems } = await handOver(without('allow-popups'));
    await button.click();
    await eventually('the tab was blocked', () => problems.some((problem) => problem.includes('Blocked opening')));
    expect(page.context().pages()).to.have.length(1);
    await page.context().close();
  });

  for (const { attributes, dialogs } of [
    { attributes: without('allow-popups-to-escape-sandbox'), dialogs: 0 },
    { attributes: `sandbox="${tokens.join(' ')}"`, dialogs: 1 },
  ])
    it(`opens the provider’s page ${dialogs ? 'without restrictions' : 'with the frame’s restrictions'}: ${attributes}`, async () => {
      const { page, button } = await handOver(attributes);
      const opened = page.context().waitForEvent('page');
      await button.click();
      const provider = await opened;
      await provider.waitForURL(`${stripe.url}/start/*`);
      const seen: string[] = [];
      provider.on('dialog', (dialog) => {
        seen.push(dialog.message());
        return dialog.dismiss();
      });
      await provider.evaluate("alert('May we use your camera?')");
      expect(seen).to.have.length(dialogs);
      await page.context().close();
    });

  for (const attributes of ['referrerpolicy="no-referrer"', `allow="camera 'none'"`, 'credentialless'])
    it(`receives the outcome with ${attributes}`, async () => {
      const { page, frame, told } = await embed(attributes, '+kyc-verified');
      await shown(frame, 'You are verified');
      expect(await told()).to.deep.equal([`${sandbox.test.service.url} string KYC_COMPLETED`]);
      await page.context().close();
    });
});
