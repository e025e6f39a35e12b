import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { startTestService } from '../../harness/service/service.ts';
import { finish, reachReview, shown } from './kyc-journey.ts';
import { openStage, startKyc } from './stage.ts';

databases('either', 'nightly');

/** The permissions that a page with a strict policy must grant its frame. */
const SANDBOXED = 'sandbox="allow-scripts allow-forms allow-same-origin"';

describe('the KYC page framed by another site', () => {
  const stage = suiteFixture(() => openStage());

  const message = (event: string) => [`${stage.test.service.url} string ${event}`];

  for (const { outcome, reason, heading, event } of [
    { outcome: 'Verified', reason: undefined, heading: 'You are verified', event: 'KYC_COMPLETED' },
    { outcome: 'Rejected', reason: 'other_name', heading: 'We could not verify you', event: 'KYC_ERROR' },
    { outcome: 'Technical error', reason: undefined, heading: 'Something went wrong', event: 'KYC_ERROR' },
  ])
    it(`sends its parent page ${event} once, as a bare string, when a person ends it as ${outcome}`, async () => {
      const { page, frame, told, problems } = await stage.embed(await stage.kyc(`${outcome[0]}@mail.example`));
      await reachReview(frame);
      await finish(frame, outcome, reason);
      await shown(frame, heading);
      if (reason) await frame.getByText('The name on the document is another one.').waitFor();
      expect(await told()).to.deep.equal(message(event));
      expect(await frame.getByText('You can close this window now.').isVisible()).to.equal(false);
      expect(problems).to.deep.equal([]);
      await page.context().close();
    });

  for (const { tag, heading, event } of [
    { tag: 'verified', heading: 'You are verified', event: 'KYC_COMPLETED' },
    { tag: 'rejected', heading: 'We could not verify you', event: 'KYC_ERROR' },
    { tag: 'error', heading: 'Something went wrong', event: 'KYC_ERROR' },
    { tag: 'left', heading: 'You have left the verification', event: 'KYC_USER_EXIT' },
  ])
    it(`sends ${event} without a click for an address with +kyc-${tag}`, async () => {
      const { page, frame, told, problems } = await stage.embed(await stage.kyc(`any+kyc-${tag}@mail.example`));
      await shown(frame, heading);
      expect(await told()).to.deep.equal(message(event));
      expect(problems).to.deep.equal([]);
      await page.context().close();
    });

  it('sends KYC_USER_EXIT when a person leaves, and resumes where they were', async () => {
    const { page, frame, told } = await stage.embed(await stage.kyc('leaves@mail.example'));
    await reachReview(frame);
    await frame.getByRole('link', { name: 'Leave' }).click();
    await shown(frame, 'You have left the verification');
    expect(await told()).to.deep.equal(message('KYC_USER_EXIT'));
    await frame.getByRole('link', { name: 'Continue' }).click();
    await shown(frame, 'Check your details');
    await page.context().close();
  });

  it('resumes where it was when its parent page is reloaded, and takes no focus from it', async () => {
    const { page, frame } = await stage.embed(await stage.kyc('again@mail.example'));
    await frame.getByRole('button', { name: 'Continue' }).click();
    await shown(frame, 'Which document do you have?');
    await page.reload();
    await shown(frame, 'Which document do you have?');
    expect(await page.evaluate('document.activeElement.localName')).to.equal('body');
    await page.context().close();
  });

  it('sends its outcome again when it is opened again, and allows no changes', async () => {
    const address = await stage.kyc('twice@mail.example');
    const { page, frame } = await stage.embed(address);
    await reachReview(frame);
    await finish(frame, 'Technical error');
    await shown(frame, 'Something went wrong');
    for (const place of ['', '/name', '/outcome', '/left']) {
      const again = await stage.embed(address + place);
      await shown(again.frame, 'Something went wrong');
      expect(await again.told()).to.deep.equal(message('KYC_ERROR'));
      await again.page.context().close();
    }
    await page.context().close();
  });

  it('reports its height to its parent page, step by step, so that no scrolling is needed', async () => {
    const { page, frame, told, problems } = await stage.embed(`${await stage.kyc('tall@mail.example')}?height=1`);
    // As an integrator who follows the guide does.
    await page.evaluate(`{
      const frame = document.querySelector('iframe');
      const follow = () => (frame.style.height = frame.dataset.height + 'px');
      follow();
      new MutationObserver(follow).observe(frame, { attributeFilter: ['data-height'] });
    }`);
    const fits = async (heading: string, isRight: (height: number) => boolean) => {
      await shown(frame, heading);
      const sizes = ['scrollHeight', 'offsetHeight'].map((name) => `document.documentElement.${name}`);
      let height = 0;
      await until(`${heading} fits its frame`, async () => {
        const measured = await page.frames().at(-1)?.evaluate<number[]>(`[innerHeight, ${sizes}]`);
        height = measured?.[0] ?? 0;
        return new Set(measured).size === 1 && isRight(height);
      });
      return height;
    };
    const first = await fits('What is your name?', () => true);
    await reachReview(frame);
    const review = await fits('Check your details', (height) => height > first);
    await page.evaluate("document.querySelector('iframe').style.width = '320px'");
    await fits('Check your details', (height) => height !== review);
    await frame.getByRole('link', { name: 'Leave' }).click();
    await fits('You have left the verification', (height) => height < review);
    expect(await told()).to.deep.equal(message('KYC_USER_EXIT'));
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('works in a frame with the attribute `sandbox` and three permissions', async () => {
    const { page, frame, told, problems } = await stage.embed(await stage.kyc('boxed@mail.example'), SANDBOXED);
    await reachReview(frame);
    await finish(frame, 'Verified');
    await shown(frame, 'You are verified');
    expect(await told()).to.deep.equal(message('KYC_COMPLETED'));
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('works in a cross-origin isolated page', async () => {
    const address = await stage.kyc('isolated@mail.example');
    const { page, frame, told, problems } = await stage.embed(address, '', `${stage.ours}/isolated`);
    expect(await page.evaluate('crossOriginIsolated')).to.equal(true);
    await reachReview(frame);
    await finish(frame, 'Verified');
    await shown(frame, 'You are verified');
    expect(await told()).to.deep.equal(message('KYC_COMPLETED'));
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('can be framed only by FRAME_ANCESTORS, and sends nothing to others', async () => {
    const test = await startTestService({ FRAME_ANCESTORS: stage.ours });
    try {
      const address = await startKyc(test, 'framed+kyc-verified@mail.example');
      const named = await stage.embed(address);
      await shown(named.frame, 'You are verified');
      const foreign = await stage.embed(address, '', stage.foreign);
      await eventually('the frame was refused', () =>
        foreign.problems.some((problem) => problem.includes('frame-ancestors')),
      );
      expect(await foreign.frame.getByRole('heading').count()).to.equal(0);
      expect(await foreign.page.locator('li').count()).to.equal(0);
      expect(await foreign.page.locator('[data-height]').count()).to.equal(0);
      // The service would wait for connections that the browser opened and never used.
      for (const { page } of [named, foreign]) await page.context().close();
    } finally {
      await test.stop();
    }
  });

  it('sends KYC_ERROR when its time has expired; an unknown link sends nothing', async () => {
    const test = await startTestService();
    try {
      const address = await startKyc(test, 'late@mail.example');
      test.setNow(new Date(Date.now() + 48 * 3_600_000));
      const late = await stage.embed(address);
      await shown(late.frame, 'This link has expired');
      expect(await late.told()).to.deep.equal([`${test.service.url} string KYC_ERROR`]);
      const unknown = await stage.embed(`${address}x`);
      await shown(unknown.frame, 'This link leads nowhere');
      expect(await unknown.told(0)).to.deep.equal([]);
    } finally {
      await test.stop();
    }
  });

  it('posts nothing when opened outside a frame, and says that the window can be closed', async () => {
    const { page, problems } = await stage.open(await stage.kyc('alone+kyc-verified@mail.example'));
    // A waiting page reloads itself when the outcome arrives, which would interrupt the reload below.
    await shown(page, 'You are verified');
    await page.addInitScript(
      "addEventListener('message', ({ data }) => document.documentElement.append(String(data)))",
    );
    await page.reload();
    await shown(page, 'You are verified');
    await page.getByText('You can close this window now.').waitFor();
    await page.evaluate("postMessage('that is all', '*')");
    await page.getByText('that is all').waitFor();
    expect(await page.getByText('KYC_').count()).to.equal(0);
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });
});
