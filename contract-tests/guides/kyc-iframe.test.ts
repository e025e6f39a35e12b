import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { launchBrowser, visit } from '../../harness/browser/browser.ts';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { agree, finish, reachReview, shown } from '../pages/kyc-journey.ts';
import { blockUnder, exampleFile, readGuide } from './guide.ts';
import { Reader } from './reader.ts';

databases('sqlite', 'nightly');

const GUIDE = 'kyc-iframe.md';
const PROGRAM = exampleFile('examples/kyc-server.mjs');

/** The text that the guide's page shows for each message. */
const texts: Record<string, string> = {
  KYC_COMPLETED: 'Thank you. We are confirming the result.',
  KYC_ERROR: 'We could not verify you.',
  KYC_USER_EXIT: 'You have left the verification.',
};

/** The rows of the guide's table of outcomes: the message, what is clicked, and the tag. */
const outcomes = [...readGuide(GUIDE).matchAll(/^\| `(KYC_\w+)`.* \| \*\*(.+?)\*\*.* \| `(\+kyc-\w+)` \|$/gm)].map(
  ([, message = '', click = '', tag = '']) => ({ message, click, tag }),
);

describe('the page in the KYC iframe guide', () => {
  const chromium = suiteFixture(() => launchBrowser());
  const test = useService();
  const reader = suiteFixture(() => Reader.create());

  it('is that of the program, and its heart is what the guide shows', () => {
    expect(readFileSync(PROGRAM, 'utf8')).to.include(blockUnder(GUIDE, 'The page', 'js'));
  });

  /** Opens the page of the guide for a new tenant with this address. */
  const open = async (email: string, { service, alice, tenant } = test) => {
    const { id } = await tenant(email);
    const body = { title: email, tenants: [{ email, is_lead: true }] };
    const { application_id } = (await alice.ok('createApplication', { body })).data;
    const params = { applicationId: application_id, email };
    await alice.ok('updateParticipant', { params, body: { name: 'Test Tenant' } });
    const { port } = await reader.serve([PROGRAM], {
      BASE_URL: service.url + basePath,
      CLIENT_ID: alice.clientId,
      CLIENT_SECRET: alice.clientSecret,
      TENANT_ID: id,
    });
    const own = `http://localhost:${port}`;
    const { page, problems } = await visit(chromium.browser, own, [own, service.url]);
    const hears = async (message: string) => {
      await page.getByText(texts[message] ?? message, { exact: true }).waitFor();
      expect(problems).to.deep.equal([]);
    };
    const frame = page.frameLocator('iframe');
    const address = () => page.locator('iframe').getAttribute('src');
    const next = page.getByRole('button');
    return { page, frame, address, hears, next };
  };

  it('receives every outcome that the guide lists', () => {
    const listed = outcomes.map(({ click, tag }) => `${click} ${tag}`);
    const all = ['Verified +kyc-verified', 'Rejected +kyc-rejected', 'Technical error +kyc-error', 'Leave +kyc-left'];
    expect(listed).to.deep.equal(all);
  });

  for (const { message, click, tag } of outcomes) {
    it(`receives ${message} when a person chooses ${click}`, async () => {
      const { page, frame, hears } = await open(`${click.split(' ', 1)}@mail.example`);
      await agree(frame);
      await reachReview(frame);
      if (click === 'Leave') await frame.getByRole('link', { name: click }).click();
      else await finish(frame, click);
      await hears(message);
      await page.context().close();
    });

    it(`receives ${message} without a click for ${tag}`, async () => {
      const { page, hears } = await open(`any${tag}@mail.example`);
      await hears(message);
      await page.context().close();
    });
  }

  it('offers nothing after a success, and starts nothing when it is reloaded', async () => {
    const { page, address, hears, next } = await open('good+kyc-verified@mail.example');
    await hears('KYC_COMPLETED');
    expect(await next.isVisible()).to.equal(false);
    const first = await address();
    await page.reload();
    await hears('KYC_COMPLETED');
    expect(await address()).to.equal(first);
    await page.context().close();
  });

  it('starts another verification after a failed one', async () => {
    const { page, address, hears, next } = await open('bad+kyc-rejected@mail.example');
    await hears('KYC_ERROR');
    const first = await address();
    await next.and(page.getByText('Try again')).click();
    await until('another verification was shown', async () => (await address()) !== first);
    await hears('KYC_ERROR');
    await page.context().close();
  });

  it('resumes where the person left, and trusts only messages from the iframe', async () => {
    const { page, frame, address, hears, next } = await open('leaves@mail.example');
    await page.evaluate("postMessage('KYC_COMPLETED', '*')");
    await agree(frame);
    await frame.getByRole('button', { name: 'Continue' }).click();
    await frame.getByRole('link', { name: 'Leave' }).click();
    await hears('KYC_USER_EXIT');
    const first = await address();
    await next.and(page.getByText('Continue')).click();
    await shown(frame, 'Which document do you have?');
    expect(await address()).to.equal(first);
    const overflow = 'document.documentElement.scrollHeight - innerHeight';
    await until('the frame is as tall as its page', async () => (await page.frames().at(-1)?.evaluate(overflow)) === 0);
    expect(await page.locator('iframe').getAttribute('style')).to.match(/^height: \d+px;$/);
    await page.context().close();
  });

  it('receives KYC_ERROR when the time has expired, and starts another verification', async () => {
    const other = await startTestService();
    try {
      const { page, frame, hears, next } = await open('late@mail.example', other);
      await agree(frame);
      await shown(frame, 'What is your name?');
      other.setNow(new Date(Date.now() + 25 * 3_600_000));
      await page.reload();
      await hears('KYC_ERROR');
      await next.click();
      await shown(frame, 'Before you start');
    } finally {
      await other.stop();
    }
  });
});
