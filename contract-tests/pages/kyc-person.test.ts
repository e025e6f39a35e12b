import { expect } from 'chai';
import { visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { startTestService } from '../../harness/service/service.ts';
import { isFocused, isRead, tabTo } from './keyboard.ts';
import { finish, reachReview, shown } from './kyc-journey.ts';
import { addPath } from './path-proxy.ts';
import { openStage, startKyc } from './stage.ts';

databases('either', 'nightly');

const HOUR_MS = 3_600_000;

describe('the KYC page for the person', () => {
  const stage = suiteFixture(() => openStage());

  it('can be completed by keyboard, with the focus where the person is', async () => {
    const { page } = await stage.open(await stage.kyc('keyboard@mail.example'));
    await tabTo(page, 'Full name');
    await page.keyboard.press('Enter');
    await isRead(page, 'Which document do you have?');
    await tabTo(page, /^Passport/);
    await page.keyboard.press('Space');
    await tabTo(page, 'Continue');
    await page.keyboard.press('Enter');
    await isRead(page, 'Take a photo of your passport');
    await tabTo(page, 'Take the photo');
    await page.keyboard.press('Space');
    await isRead(page, 'Take a selfie');
    await tabTo(page, 'Take the selfie');
    await page.keyboard.press('Enter');
    await isRead(page, 'Check your details');
    await tabTo(page, /^Verified/);
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Reason');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Submit for checking');
    await page.keyboard.press('Enter');
    await isRead(page, 'We could not verify you');
    await page.getByText('The photo of the document could not be read.').waitFor();
    await page.context().close();
  });

  it('says what is wrong with an answer, where it is, and keeps the input', async () => {
    const { page } = await stage.open(await stage.kyc('wrong@mail.example'));
    const name = page.getByRole('textbox', { name: 'Full name' });
    await name.fill('   ');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Error: Enter your full name.').waitFor();
    expect(await page.title()).to.match(/^Error: What is your name\? – Step 1 of 4/);
    await isFocused(page, /^Full name$/);
    expect(await name.getAttribute('aria-describedby')).to.include('fault');
    await name.fill('M'.repeat(201));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Error: Use no more than 200 characters.').waitFor();
    expect(await name.inputValue()).to.equal('M'.repeat(201));
    await name.fill('Marta');
    await page.getByRole('button', { name: 'Continue' }).click();
    await shown(page, 'Which document do you have?');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Error: Choose a document.').waitFor();
    await isFocused(page, /^Passport/);
    await page.context().close();
  });

  it('lets a person go back and change their input; another document requires new photos', async () => {
    const { page } = await stage.open(await stage.kyc('changes@mail.example'));
    await reachReview(page);
    await page.getByRole('link', { name: 'Change your name' }).click();
    await page.getByRole('textbox', { name: 'Full name' }).fill('Marta Ruiz Ortega');
    await page.getByRole('button', { name: 'Continue' }).click();
    await shown(page, 'Check your details');
    await page.getByText('Marta Ruiz Ortega').waitFor();
    await page.getByRole('link', { name: 'Change the document' }).click();
    expect(await page.getByRole('radio', { name: 'Identity card' }).isChecked()).to.equal(true);
    await page.getByRole('radio', { name: 'Driving licence' }).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await shown(page, 'Take a photo of your driving licence');
    await page.getByRole('link', { name: 'Back' }).click();
    await shown(page, 'Which document do you have?');
    await page.context().close();
  });

  it('works to the end without JavaScript', async () => {
    const { page } = await stage.open(await stage.kyc('plain@mail.example'), { javaScriptEnabled: false });
    await reachReview(page);
    await finish(page, 'Verified');
    await shown(page, 'You are verified');
    await page.getByText('You can close this window now.').waitFor();
    await page.context().close();
  });

  it('waits for the outcome without JavaScript', async () => {
    const slow = await startTestService({ SANDBOX_DELAY_MS: String(HOUR_MS) });
    try {
      const address = await startKyc(slow, 'waits+kyc-verified@mail.example');
      const { page } = await stage.open(`${address}#step`, { javaScriptEnabled: false });
      await shown(page, 'Checking your details');
      slow.setNow(new Date(Date.now() + HOUR_MS));
      await shown(page, 'You are verified');
      await page.context().close();
    } finally {
      await slow.stop();
    }
  });

  it('announces a delay, also to screen readers', async () => {
    const slow = await startTestService({ SANDBOX_DELAY_MS: '600000' });
    try {
      const { page } = await stage.open(await startKyc(slow, 'slow+kyc-verified@mail.example'));
      await page.clock.install();
      await page.reload();
      const status = page.getByRole('status');
      expect(await status.textContent()).to.include('This takes a moment.');
      await until('the page said more', async () => {
        await page.clock.runFor(5000);
        return (await status.textContent())?.includes('We are still checking.');
      });
      await page.context().close();
    } finally {
      await slow.stop();
    }
  });

  it('loads nothing from other hosts, and stores no cookie or anything else in the browser', async () => {
    const { page, problems } = await stage.open(await stage.kyc('clean@mail.example'));
    await reachReview(page);
    await page.getByRole('link', { name: 'Leave' }).click();
    await shown(page, 'You have left the verification');
    await page.getByRole('link', { name: 'Continue' }).click();
    await finish(page, 'Verified');
    await shown(page, 'You are verified');
    expect(await page.context().storageState()).to.deep.equal({ cookies: [], origins: [] });
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('shows a name as plain text, whatever it contains', async () => {
    const name = '<script>document.title = "mine"</script>"><img src=x onerror=alert(1)> &amp; Co';
    const { page, problems } = await stage.open(await stage.kyc('markup@mail.example', name));
    expect(await page.getByRole('textbox', { name: 'Full name' }).inputValue()).to.equal(name);
    await reachReview(page);
    await page.getByText(name, { exact: true }).waitFor();
    expect(await page.title()).to.match(/^Check your details/);
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('has all its addresses below a path that a proxy adds', async () => {
    const { pathname } = new URL(await stage.kyc('proxy@mail.example'));
    const proxy = await addPath('/screening', stage.test.service.url);
    try {
      const { page, problems } = await visit(stage.browser, proxy.url + pathname, [`${proxy.url}/`]);
      await reachReview(page);
      await page.getByRole('link', { name: 'Change the photos' }).click();
      await shown(page, 'Take a photo of your identity card');
      await page.getByRole('link', { name: 'Leave' }).click();
      await page.getByRole('link', { name: 'Continue' }).click();
      await finish(page, 'Verified');
      await shown(page, 'You are verified');
      expect(problems).to.deep.equal([]);
      await page.context().close();
    } finally {
      await proxy.stop();
    }
  });
});
