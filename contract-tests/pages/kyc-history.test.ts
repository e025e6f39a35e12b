import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { shown } from './kyc-journey.ts';
import { openStage } from './stage.ts';

databases('either');

describe('the KYC page, its parent page and its history', () => {
  const stage = suiteFixture(() => openStage({ SANDBOX_DELAY_MS: '2000' }));

  it('takes no focus from the parent page when its outcome arrives', async () => {
    const { page, frame } = await stage.embed(`${await stage.kyc('types+kyc-verified@mail.example')}#step`);
    await page.evaluate("document.body.prepend(document.createElement('input'))");
    const field = page.locator('input');
    await field.click();
    await shown(frame, 'You are verified');
    await page.keyboard.type('typed on');
    expect(await field.inputValue()).to.equal('typed on');
    await page.context().close();
  });

  it('shows Leave at every step in a low frame', async () => {
    const { page, frame } = await stage.embed(await stage.kyc('low@mail.example'), 'style="height:480px;width:320px"');
    await frame.getByRole('button', { name: 'Continue' }).click();
    await shown(frame, 'Which document do you have?');
    const inner = page.frames().at(-1);
    expect(await inner?.evaluate("document.querySelector('.leave').getBoundingClientRect().top")).to.be.above(0);
    await page.context().close();
  });

  it('lets the browser go back to the previous step', async () => {
    const { page } = await stage.open(await stage.kyc('back@mail.example'));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('radio', { name: 'Passport' }).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await shown(page, 'Take a photo of your passport');
    for (const heading of ['Which document do you have?', 'What is your name?']) {
      await page.goBack();
      await shown(page, heading);
    }
    await page.context().close();
  });

  it('does not repeat KYC_USER_EXIT when a person merely returns to where they left', async () => {
    const { page, frame, told } = await stage.embed(await stage.kyc('returns@mail.example'));
    await frame.getByRole('link', { name: 'Leave' }).click();
    await shown(frame, 'You have left the verification');
    expect(await told()).to.deep.equal([`${stage.test.service.url} string KYC_USER_EXIT`]);
    await page.goto(stage.foreign);
    await page.goBack();
    await shown(frame, 'You have left the verification');
    expect(await told(0)).to.deep.equal([]);
    await page.context().close();
  });
});
