import { expect } from 'chai';
import { MINUTE_MS } from '../../core/time.ts';
import { launchBrowser, type TestBrowser } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { freePort } from '../../harness/process/running-server.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { addTestMember, linkFor } from '../../harness/service/members.ts';
import { startTestService } from '../../harness/service/service.ts';
import { disable, newSignInLink } from '../../jobs/console/accounts.ts';
import type { Mail } from '../../providers/mail/port.ts';
import { challenged, PasskeyBrowser, present } from '../desk/passkey-browser.ts';
import { addOperator, CONSOLE } from './operators.ts';

databases('either');

const BY = { kind: 'operator', id: 'the test' } as const;

/** What both offices share is tested at the desk. */
describe('passkeys at the console', function () {
  this.timeout(120_000);
  const test = suiteFixture(async () => {
    // Browsers have passkeys for names alone.
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const settings = { ...CONSOLE, OPS_PORT: String(port), CONSOLE_URL: url };
    const started = await startTestService({ ...settings, RUN_WORKERS: 'false', TRUSTED_PROXIES: '127.0.0.1' });
    return { ...started, url };
  });
  const base = () => `${test.url}/console`;
  const desk = () => `http://localhost:${new URL(test.service.url).port}`;
  const sent: Pick<Mail, 'to' | 'subject' | 'text'>[] = [];
  let chromium: TestBrowser;

  before(async () => {
    test.service.runtime.publicUrl = desk;
    test.service.runtime.providers.mail.send = async (mail) => {
      sent.push(mail);
      signal();
    };
    chromium = await launchBrowser();
  });
  after(() => chromium?.stop());
  afterEach(() => test.setNow(undefined));

  async function signIn(mail: string | null = null): Promise<PasskeyBrowser> {
    // Viewers have passkeys, too.
    const { id, name } = await addOperator(test, 'viewer', mail);
    const enter = async () => `${test.url}${(await newSignInLink(test.service.runtime, { id }, BY)).path}`;
    const holder = { of: 'account_id', id, actor: name, enter } as const;
    return PasskeyBrowser.signIn(test, chromium, { base: base(), origins: [test.url], holder });
  }

  async function withPasskey(): Promise<PasskeyBrowser> {
    const operator = await signIn();
    await operator.addPasskey('Laptop');
    return operator;
  }

  it('sign an operator in, and are renamed and removed by them', async () => {
    const operator = await withPasskey();
    const { page } = operator;
    await operator.signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await operator.heading('Overview');
    await page.goto(`${base()}/account`);
    expect(await page.getByText('this browser').count()).to.equal(1);
    await page.getByLabel('Name of the passkey').fill('Work phone');
    await page.getByRole('button', { name: 'Rename' }).click();
    await operator.notice('was renamed');
    await operator.removePasskey('Work phone');
    await operator.notice('was removed');
    await operator.signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await operator.heading('This passkey did not sign you in');
    const [link, ...after] = await operator.audited();
    expect(link).to.equal('console-account.sign-in');
    const entered = ['console-account.sign-in', 'passkey.use'];
    expect(after).to.deep.equal(['passkey.create', ...entered, 'passkey.rename', 'passkey.remove']);
    // The browser logs that the removed one was refused.
    expect(operator.problems.filter((problem) => !problem.includes('403'))).to.deep.equal([]);
  });

  it('cause a mail to the operator when one is added and removed', async () => {
    const operator = await signIn('ana@letting.example');
    await operator.addPasskey('Laptop');
    await eventually('a mail was sent', () => sent.length === 1);
    await operator.removePasskey('Laptop');
    await operator.notice('was removed');
    await eventually('another mail was sent', () => sent.length === 2);
    expect(sent.map(({ to, subject }) => ({ to, subject }))).to.deep.equal([
      { to: 'ana@letting.example', subject: 'A passkey was added to your account: Screening console' },
      { to: 'ana@letting.example', subject: 'A passkey was removed from your account: Screening console' },
    ]);
    for (const { text } of sent) expect(text).to.include('“Laptop”').and.include(`${base()}/account`);
  });

  it('are added at most twenty times a day, as at the desk', async () => {
    const operator = await withPasskey();
    const { page } = operator;
    const { db } = test.service.runtime;
    const [mail] = await db('account_notices').where({ account_id: operator.id });
    await db('account_passkeys').where({ account_id: operator.id }).delete();
    for (let n = 2; n <= 20; n += 1) if (mail) await db('account_notices').insert({ ...mail, id: `${mail.id}-${n}` });
    const add = async () => {
      await page.goto(`${base()}/account/add-passkey`);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
    };
    await add();
    await page.getByRole('alert').waitFor();
    expect(await operator.passkeys()).to.deep.equal([]);
    await db('account_notices')
      .where({ id: `${mail?.id}-2` })
      .delete();
    await add();
    await operator.notice('was added');
  });

  it('confirm who an operator is for what needs a sign-in of the last 15 minutes', async () => {
    const operator = await withPasskey();
    const { page } = operator;
    test.setNow(new Date(Date.now() + 20 * MINUTE_MS));
    await page.goto(`${base()}/account/add-passkey`);
    await operator.heading('Confirm that it is you');
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await operator.heading('Add a passkey');
  });

  it('of an operator do not sign in at the desk, nor those of a member at the console, on the same host name', async () => {
    const operator = await withPasskey();
    const { id } = await addTestMember(test, 'admin', { landlordId: test.landlords.ours });
    await test.service.runtime.db('member_links').where({ member_id: id }).delete();
    const holder = { of: 'member_id', id, actor: id, enter: () => linkFor(test, id, desk()) } as const;
    const at = { base: `${desk()}/desk`, origins: [desk(), test.url], holder };
    const member = await PasskeyBrowser.signIn(test, chromium, at);
    await member.addPasskey('Phone');
    const [ofConsole, ofDesk] = [await challenged(base()), await challenged(`${desk()}/desk`)];
    // Signed for the right office, in its own page.
    const strange = await operator.answer(ofDesk, { at: `${desk()}/desk/sign-in` });
    expect((await present(`${desk()}/desk`, ofDesk, strange)).status).to.equal(403);
    const strangeMember = await member.answer(ofConsole, { at: `${base()}/sign-in` });
    expect((await present(base(), ofConsole, strangeMember)).status).to.equal(403);
    expect((await present(base(), ofConsole, await operator.answer(ofConsole))).status).to.equal(303);
  });

  it('of a disabled operator are removed', async () => {
    const operator = await withPasskey();
    const ours = await challenged(base());
    const answer = await operator.answer(ours);
    await disable(test.service.runtime, operator.id, BY);
    expect(await operator.passkeys()).to.deep.equal([]);
    expect((await present(base(), ours, answer)).status).to.equal(403);
  });
});
