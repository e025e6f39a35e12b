import { createServer } from 'node:http';
import { expect } from 'chai';
import { MINUTE_MS } from '../../core/time.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { csrfIn, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { addTestMember, linkFor } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import type { Mail } from '../../providers/mail/port.ts';
import { challenged, ownAddress, PasskeyBrowser, present } from './passkey-browser.ts';

databases('either');

const CREATE = `async (options) => JSON.stringify(
  await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }))`;

/** What the browser makes of a credential. */
interface Answer {
  response: { signature: string; userHandle: string };
}

describe('passkeys at the desk', () => {
  const test = useService({ RUN_WORKERS: 'false', TRUSTED_PROXIES: '127.0.0.1' });
  const db = () => test.service.runtime.db;
  const base = () => `${url}/desk`;
  const ofAlice = () => ({ landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });
  let chromium: TestBrowser;
  let url: string;
  const sent: Pick<Mail, 'to' | 'subject' | 'text'>[] = [];
  const elsewhere = suiteFixture(async () => {
    const server = createServer((_req, res) => res.setHeader('Content-Type', 'text/html').end('<!doctype html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address !== 'object') throw new Error('It does not listen.');
    return { url: `http://localhost:${address.port}/`, stop: async () => void server.close() };
  });

  before(async () => {
    // Browsers have passkeys for names alone, and the tests listen on an IP address.
    url = `http://localhost:${new URL(test.service.url).port}`;
    test.service.runtime.publicUrl = () => url;
    test.service.runtime.providers.mail.send = async (mail) => {
      sent.push(mail);
      signal();
    };
    chromium = await launchBrowser();
  });
  after(() => chromium?.stop());
  afterEach(() => test.setNow(undefined));

  async function signIn(): Promise<PasskeyBrowser> {
    const { id } = await addTestMember(test, 'agent', ofAlice());
    const enter = async () => {
      await db()('member_links').where({ member_id: id }).delete();
      return linkFor(test, id, url);
    };
    const holder = { of: 'member_id', id, actor: id, enter } as const;
    return PasskeyBrowser.signIn(test, chromium, { base: `${url}/desk`, origins: [url, elsewhere.url], holder });
  }

  async function withPasskey(): Promise<PasskeyBrowser> {
    const member = await signIn();
    await member.addPasskey('Laptop');
    return member;
  }

  it('sign a member in without a mail, and show when they were last used', async () => {
    const member = await withPasskey();
    const { page } = member;
    expect(await page.locator('.cards li', { hasText: 'Laptop' }).textContent()).to.include('Never');
    await member.signOut();
    await eventually('a mail told that it was added', () => sent.length > 0);
    sent.length = 0;
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await member.heading('Overview');
    expect(sent).to.deep.equal([]);
    const [passkey] = await member.passkeys();
    expect(passkey?.used_at).to.be.a('string');
    expect(passkey?.counter).to.be.above(1);
    await page.goto(`${url}/desk/account`);
    const shown = page.locator('.cards li', { hasText: 'Laptop' }).locator(`time[datetime="${passkey?.used_at}"]`);
    expect(await shown.count()).to.equal(1);
    const before = ['member.sign-in', 'passkey.create', 'member.sign-in', 'passkey.use'];
    expect(await member.audited()).to.deep.equal(before);
    expect(member.problems).to.deep.equal([]);
  });

  it('are renamed and removed by their member; a removed one signs in no more', async () => {
    const member = await withPasskey();
    const { page } = member;
    await page.getByLabel('Name of the passkey').fill('Work phone');
    await page.getByRole('button', { name: 'Rename' }).click();
    await member.notice('was renamed');
    expect(await page.getByRole('heading', { name: 'Work phone' }).count()).to.equal(1);
    await member.removePasskey('Work phone');
    await member.notice('was removed');
    await member.signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await member.heading('This passkey did not sign you in');
    expect((await member.audited()).slice(2)).to.deep.equal(['passkey.rename', 'passkey.remove']);
  });

  it('cause a mail to their member when one is added and removed, in the language of the member', async () => {
    const member = await signIn();
    await db()('members').where({ id: member.id }).update({ mail_address: 'bea@letting.example', language: 'de' });
    sent.length = 0;
    const creation = await creationFor(member, {});
    expect(await add(member, creation)).to.equal(303);
    const [passkey] = await member.passkeys();
    expect(await act(member, 'account/remove-passkey', { passkey: passkey?.id ?? '' })).to.equal(303);
    await eventually('two mails were sent', () => sent.length === 2);
    expect(sent.map(({ to, subject }) => ({ to, subject }))).to.deep.equal([
      { to: 'bea@letting.example', subject: 'Ihrem Konto wurde ein Passkey hinzugefügt: Casa Clara' },
      { to: 'bea@letting.example', subject: 'Aus Ihrem Konto wurde ein Passkey entfernt: Casa Clara' },
    ]);
    for (const { text } of sent) expect(text).to.include('„Another“').and.include(`${url}/desk/account`);
  });

  it('need a sign-in of the last 15 minutes to be added or removed, for which a passkey is enough', async () => {
    const start = Date.now();
    const member = await withPasskey();
    const { page } = member;
    test.setNow(new Date(start + 20 * MINUTE_MS));
    await page.goto(`${url}/desk/account`);
    await member.removePasskey('Laptop');
    await member.heading('Confirm that it is you');
    expect(await member.passkeys()).to.have.length(1);
    await page.goto(`${url}/desk/account/add-passkey`);
    await member.heading('Confirm that it is you');
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await member.heading('Add a passkey');
    expect(new URL(page.url()).pathname).to.equal('/desk/account/add-passkey');
    // The action before the proof is offered again.
    test.setNow(new Date(start + 40 * MINUTE_MS));
    await page.goto(`${url}/desk/account`);
    await member.removePasskey('Laptop');
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.getByText('This is what you filled in.').waitFor();
    await page.getByRole('button', { name: 'Yes, remove Laptop' }).click();
    await member.notice('was removed');
    expect(await member.passkeys()).to.deep.equal([]);
  });

  it('are created once for each device, and at most ten for a member', async () => {
    const member = await withPasskey();
    const { page } = member;
    await page.goto(`${url}/desk/account/add-passkey`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('No passkey was created').waitFor();
    const [own] = await member.passkeys();
    for (let n = 2; n <= 10; n += 1)
      if (own) await db()('member_passkeys').insert({ ...own, id: `${own.id}-${n}`, credential_id: `other-${n}` });
    const creation = await creationFor(member, { excludeCredentials: [] });
    expect(await add(member, creation)).to.equal(409);
    await db()('member_passkeys').where({ member_id: member.id }).whereLike('id', '%-2').delete();
    expect(await add(member, creation)).to.equal(303);
  });

  it('are added at most twenty times a day, because each time a mail says so; removing one is never refused', async () => {
    const member = await withPasskey();
    const [passkey] = await member.passkeys();
    const [mail] = await db()('member_notices').where({ member_id: member.id });
    for (let n = 2; n <= 20; n += 1) if (mail) await db()('member_notices').insert({ ...mail, id: `${mail.id}-${n}` });
    const creation = await creationFor(member, { excludeCredentials: [] });
    expect(await add(member, creation)).to.equal(409);
    expect(await member.passkeys()).to.have.length(1);
    expect(await act(member, 'account/remove-passkey', { passkey: passkey?.id ?? '' })).to.equal(303);
    await db()('member_notices')
      .where({ id: `${mail?.id}-2` })
      .delete();
    expect(await add(member, creation)).to.equal(303);
  });

  it('sign in once with each challenge, only in the browser that was given it, and within ten minutes', async () => {
    const member = await withPasskey();
    const [ours, other, late] = [await challenged(base()), await challenged(base()), await challenged(base())];
    const answer = await member.answer(ours);
    expect((await present(base(), other, answer)).status).to.equal(403);
    const concurrent = await Promise.all([present(base(), ours, answer), present(base(), ours, answer)]);
    expect(concurrent.map(({ status }) => status).toSorted()).to.deep.equal([303, 403]);
    // Many authenticators do not count.
    await db()('member_passkeys').where({ member_id: member.id }).update({ counter: 0 });
    expect((await present(base(), ours, answer)).status).to.equal(403);
    const lateAnswer = await member.answer(late);
    test.setNow(new Date(Date.now() + 11 * MINUTE_MS));
    expect((await present(base(), late, lateAnswer)).status).to.equal(403);
  });

  it('refuse a challenge that we did not issue, the answer to another site, and one without the person', async () => {
    const member = await withPasskey();
    const ours = await challenged(base());
    const refused = {
      'another challenge': await member.answer(ours, { change: { challenge: 'A'.repeat(120) } }),
      'another site with the same name': await member.answer(ours, { at: elsewhere.url }),
      'an id that no row can hold': JSON.stringify({ ...JSON.parse(await member.answer(ours)), id: '\0', rawId: '\0' }),
      'not JSON': 'credential',
      'without a response': JSON.stringify({ id: 'a', rawId: 'a', type: 'public-key' }),
    };
    for (const [why, answer] of Object.entries(refused))
      expect((await present(base(), ours, answer)).status, why).to.equal(403);
    await member.isUserVerified(false);
    const unverified = await member.answer(ours, { change: { userVerification: 'discouraged' } });
    expect((await present(base(), ours, unverified)).status, 'no verification').to.equal(403);
    await member.isUserVerified(true);
    expect((await present(base(), ours, await member.answer(ours))).status).to.equal(303);
  });

  it('refuse a signature that was changed, and a counter that went back, as that of a copied authenticator does', async () => {
    const member = await withPasskey();
    const ours = await challenged(base());
    const answer = await member.answer(ours);
    const changed: Answer = JSON.parse(answer);
    changed.response.signature = `${changed.response.signature.slice(0, -6)}AAAAAA`;
    expect((await present(base(), ours, JSON.stringify(changed))).status).to.equal(403);
    await db()('member_passkeys')
      .where({ member_id: member.id })
      .update({ counter: 2 ** 32 - 1 });
    expect((await present(base(), ours, answer)).status).to.equal(403);
    await db()('member_passkeys').where({ member_id: member.id }).update({ counter: 1 });
    expect((await present(base(), ours, answer)).status).to.equal(303);
  });

  it('of another member are neither theirs to use, to rename, nor to remove', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    const ours = await challenged(base());
    const answer: Answer = JSON.parse(await one.answer(ours));
    answer.response.userHandle = Buffer.from(other.id).toString('base64url');
    expect((await present(base(), ours, JSON.stringify(answer))).status).to.equal(403);
    const [passkey] = await one.passkeys();
    for (const action of ['rename-passkey', 'remove-passkey']) {
      const status = await act(other, `account/${action}`, { passkey: passkey?.id ?? '', name: 'Taken' });
      expect(status).to.equal(303);
    }
    expect(await one.passkeys()).to.deep.equal([passkey]);
    // Created in the browser of one member, and sent in the session of another.
    const creation = await creationFor(one, { excludeCredentials: [] });
    expect(await add(other, creation)).to.equal(409);
    expect(await other.passkeys()).to.have.length(1);
  });

  it('of a disabled member are refused like unknown ones, and removed when a member is disabled', async () => {
    const member = await withPasskey();
    const ours = await challenged(base());
    const answer = await member.answer(ours);
    const unknown: Answer = JSON.parse(answer);
    const expected = await present(base(), ours, JSON.stringify({ ...unknown, id: 'AAAA', rawId: 'AAAA' }));
    const disabled_at = new Date().toISOString();
    await db()('members').where({ id: member.id }).update({ disabled_at });
    expect(await present(base(), ours, answer)).to.deep.equal(expected);
    await db()('members').where({ id: member.id }).update({ disabled_at: null });
    const admin = await addTestMember(test, 'admin', ofAlice());
    const browser = new WebBrowser();
    const link = admin.link.replace(test.service.url, url);
    await browser.open(link, { csrf: csrfIn((await browser.open(link)).text) });
    const { text } = await browser.open(`${url}/desk/members/${member.id}`);
    await browser.open(`${url}/desk/members/${member.id}/disable`, { csrf: csrfIn(text) });
    expect(await member.passkeys()).to.deep.equal([]);
    expect(await present(base(), ours, answer)).to.deep.equal(expected);
  });

  it('share the limit of attempts with requests for a mailed link', async () => {
    const ours = await challenged(base());
    const [cookie] = ours.browser.cookies.get(url) ?? [];
    const headers = { cookie: `desk=${cookie?.value}`, ...ownAddress() };
    const statusOf = async (path: string, form: Record<string, string>) => {
      const body = new URLSearchParams({ csrf: ours.csrf, ...form });
      return (await fetch(`${url}/desk/${path}`, { method: 'POST', headers, body, redirect: 'manual' })).status;
    };
    for (let n = 0; n < 5; n += 1) {
      expect(await statusOf('sign-in/passkey', { credential: '{}' })).to.equal(403);
      expect(await statusOf('sign-in', { email: 'nobody@mail.example' })).to.equal(303);
    }
    expect(await statusOf('sign-in/passkey', { credential: '{}' })).to.equal(429);
    expect(await statusOf('sign-in', { email: 'nobody@mail.example' })).to.equal(429);
  });

  it('leave the pages usable without JavaScript: the mailed link stays, and no button does nothing', async () => {
    const { page } = await visit(chromium.browser, `${url}/desk/sign-in`, [url], { javaScriptEnabled: false });
    expect(await page.getByRole('button').allTextContents()).to.deep.equal(['Send me a link']);
    const { id } = await addTestMember(test, 'viewer', ofAlice());
    await page.goto(await linkFor(test, id, url));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.goto(`${url}/desk/account/add-passkey`);
    await page.getByText('JavaScript is turned off').waitFor();
    expect(await page.locator('main').getByRole('button').count()).to.equal(0);
  });

  it('are not offered where browsers have none: at an IP address, and without https', async () => {
    const member = await signIn();
    for (const place of [test.service.url, 'http://desk.example', 'http://[::1]:3000']) {
      test.service.runtime.publicUrl = () => place;
      expect((await fetch(`${url}/desk/sign-in/passkey`)).status, place).to.equal(404);
      await member.page.goto(`${url}/desk/account/add-passkey`);
      await member.page.getByText('Passkeys only work where').waitFor();
    }
    test.service.runtime.publicUrl = () => url;
  });

  /** What a member's browser creates for the page that adds a passkey. */
  async function creationFor({ page }: PasskeyBrowser, change: object): Promise<string> {
    await page.goto(`${url}/desk/account/add-passkey`);
    const options: object = JSON.parse((await page.locator('form[data-passkey]').getAttribute('data-creation')) ?? '');
    return page.evaluate<string>(`(${CREATE})(${JSON.stringify({ ...options, ...change })})`);
  }

  function add(member: PasskeyBrowser, credential: string): Promise<number> {
    return act(member, 'account/add-passkey', { name: 'Another', credential });
  }

  async function act({ page }: PasskeyBrowser, path: string, form: Record<string, string>): Promise<number> {
    await page.goto(`${url}/desk/account`);
    const csrf = csrfIn(await page.content());
    const answer = await page
      .context()
      .request.post(`${url}/desk/${path}`, { form: { csrf, ...form }, maxRedirects: 0 });
    return answer.status();
  }
});
