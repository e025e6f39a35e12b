import { createServer } from 'node:http';
import { expect } from 'chai';
import type { CDPSession, Page } from 'playwright-core';
import { MINUTE_MS } from '../../core/time.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { useService } from '../../harness/service/service.ts';
import { csrfIn } from '../console/operators.ts';
import { addTestMember, linkFor } from './members.ts';

databases('both');

const ASK = `async (options) => JSON.stringify(
  await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }))`;
const CREATE = `async (options) => JSON.stringify(
  await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }))`;

/** What the browser makes of a credential. */
interface Answer {
  response: { signature: string; userHandle: string };
}

describe('passkeys at the desk', () => {
  const test = useService({ RUN_WORKERS: 'false', TRUSTED_PROXIES: '127.0.0.1' });
  const db = () => test.service.runtime.db;
  const ofAlice = () => ({ landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });
  let chromium: TestBrowser;
  let url: string;
  let mails = 0;
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
    test.service.runtime.providers.mail.send = async () => {
      mails += 1;
    };
    chromium = await launchBrowser();
  });
  after(() => chromium?.stop());
  afterEach(() => test.setNow(undefined));

  let addresses = 0;
  /** Each browser has an address of its own, so that tests do not use up each other's attempts. */
  const ownAddress = () => {
    addresses += 1;
    return { 'x-forwarded-for': `192.0.2.${addresses}` };
  };

  /** A member at their browser, with an authenticator in their device. */
  class Member {
    readonly id: string;
    readonly page: Page;
    readonly problems: string[];
    readonly #cdp: CDPSession;
    readonly #authenticatorId: string;

    private constructor(
      id: string,
      seen: { page: Page; problems: string[] },
      cdp: CDPSession,
      authenticatorId: string,
    ) {
      this.id = id;
      this.page = seen.page;
      this.problems = seen.problems;
      this.#cdp = cdp;
      this.#authenticatorId = authenticatorId;
    }

    static async signIn(): Promise<Member> {
      const { id } = await addTestMember(test, 'agent', ofAlice());
      const options = { extraHTTPHeaders: ownAddress(), locale: 'en' };
      const seen = await visit(chromium.browser, `${url}/desk/sign-in`, [url, elsewhere.url], options);
      const cdp = await seen.page.context().newCDPSession(seen.page);
      await cdp.send('WebAuthn.enable');
      const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      const member = new Member(id, seen, cdp, authenticatorId);
      await member.enterByLink();
      return member;
    }

    static async withPasskey(): Promise<Member> {
      const member = await Member.signIn();
      await member.addPasskey('Laptop');
      return member;
    }

    async enterByLink(): Promise<void> {
      await db()('member_links').where({ member_id: this.id }).delete();
      await this.page.goto(await linkFor(test, this.id, url));
      await this.page.getByRole('button', { name: 'Sign in' }).click();
      await this.heading('Overview');
    }

    async addPasskey(name: string): Promise<void> {
      await this.page.goto(`${url}/desk/account`);
      await this.page.getByRole('link', { name: 'Add a passkey' }).click();
      await this.page.getByLabel('Name of the passkey').fill(name);
      await this.page.getByRole('button', { name: 'Add a passkey' }).click();
      await this.notice('The passkey was added');
    }

    heading(name: string): Promise<void> {
      return this.page.getByRole('heading', { name, level: 1 }).waitFor();
    }

    notice(text: string): Promise<void> {
      return this.page.locator('.notice', { hasText: text }).waitFor();
    }

    async signOut(): Promise<void> {
      await this.page.getByRole('button', { name: 'Sign out' }).click();
      await this.heading('Sign in');
    }

    /** Signs a challenge as the script of the page would. @param at the page that asks */
    async answer(challenged: Challenged, { at = `${url}/desk/sign-in`, change = {} } = {}): Promise<string> {
      await this.page.goto(at);
      return this.page.evaluate<string>(`(${ASK})(${JSON.stringify({ ...challenged.options, ...change })})`);
    }

    isUserVerified(isUserVerified: boolean): Promise<unknown> {
      return this.#cdp.send('WebAuthn.setUserVerified', { authenticatorId: this.#authenticatorId, isUserVerified });
    }

    passkeys() {
      return db()('member_passkeys').where({ member_id: this.id }).orderBy('created_at');
    }

    async audited(): Promise<string[]> {
      return db()('audit_entries').where({ actor: this.id }).orderBy('sequence').pluck('action');
    }
  }

  interface Challenged {
    browser: WebBrowser;
    csrf: string;
    options: object;
  }

  /** A new browser that was given a challenge. */
  async function challenged(): Promise<Challenged> {
    const browser = new WebBrowser();
    const { text } = await browser.open(`${url}/desk/sign-in`);
    const options: object = JSON.parse((await browser.open(`${url}/desk/sign-in/passkey`)).text);
    return { browser, csrf: csrfIn(text), options };
  }

  async function present({ browser, csrf }: Pick<Challenged, 'browser' | 'csrf'>, credential: string) {
    const [cookie] = browser.cookies.get(url) ?? [];
    const answer = await fetch(`${url}/desk/sign-in/passkey`, {
      method: 'POST',
      headers: { cookie: `desk=${cookie?.value}`, ...ownAddress() },
      body: new URLSearchParams({ csrf, credential }),
      redirect: 'manual',
    });
    return { status: answer.status, text: await answer.text() };
  }

  it('sign a member in without a mail, and show when they were last used', async () => {
    const member = await Member.withPasskey();
    const { page } = member;
    expect(await page.locator('.cards li', { hasText: 'Laptop' }).textContent()).to.include('Never');
    await member.signOut();
    mails = 0;
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await member.heading('Overview');
    expect(mails).to.equal(0);
    const [passkey] = await member.passkeys();
    expect(passkey?.used_at).to.be.a('string');
    expect(passkey?.counter).to.be.above(1);
    await page.goto(`${url}/desk/account`);
    const shown = page.locator('.cards li', { hasText: 'Laptop' }).locator(`time[datetime="${passkey?.used_at}"]`);
    expect(await shown.count()).to.equal(1);
    const before = ['member.sign-in', 'passkey.create', 'passkey.use', 'member.sign-in'];
    expect(await member.audited()).to.deep.equal(before);
    expect(member.problems).to.deep.equal([]);
  });

  it('are renamed and removed by their member; a removed one signs in no more', async () => {
    const member = await Member.withPasskey();
    const { page } = member;
    await page.getByLabel('Name of the passkey').fill('Work phone');
    await page.getByRole('button', { name: 'Rename' }).click();
    await member.notice('was renamed');
    expect(await page.getByRole('heading', { name: 'Work phone' }).count()).to.equal(1);
    await page.getByRole('button', { name: 'Remove' }).click();
    await member.notice('was removed');
    await member.signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await member.heading('This passkey did not sign you in');
    expect((await member.audited()).slice(2)).to.deep.equal(['passkey.rename', 'passkey.remove']);
  });

  it('need a sign-in of the last 15 minutes to be added or removed, for which a passkey is enough', async () => {
    const start = Date.now();
    const member = await Member.withPasskey();
    const { page } = member;
    test.setNow(new Date(start + 20 * MINUTE_MS));
    await page.goto(`${url}/desk/account`);
    await page.getByRole('button', { name: 'Remove' }).click();
    await member.heading('Confirm that it is you');
    expect(await member.passkeys()).to.have.length(1);
    await page.goto(`${url}/desk/account/add-passkey`);
    await member.heading('Confirm that it is you');
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await member.heading('Add a passkey');
    expect(new URL(page.url()).pathname).to.equal('/desk/account/add-passkey');
  });

  it('are created once for each device, and at most ten for a member', async () => {
    const member = await Member.withPasskey();
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

  it('sign in once with each challenge, only in the browser that was given it, and within ten minutes', async () => {
    const member = await Member.withPasskey();
    const [ours, other, late] = [await challenged(), await challenged(), await challenged()];
    const answer = await member.answer(ours);
    expect((await present(other, answer)).status).to.equal(403);
    const concurrent = await Promise.all([present(ours, answer), present(ours, answer)]);
    expect(concurrent.map(({ status }) => status).toSorted()).to.deep.equal([303, 403]);
    // Many authenticators do not count.
    await db()('member_passkeys').where({ member_id: member.id }).update({ counter: 0 });
    expect((await present(ours, answer)).status).to.equal(403);
    const lateAnswer = await member.answer(late);
    test.setNow(new Date(Date.now() + 11 * MINUTE_MS));
    expect((await present(late, lateAnswer)).status).to.equal(403);
  });

  it('refuse a challenge that we did not issue, the answer to another site, and one without the person', async () => {
    const member = await Member.withPasskey();
    const ours = await challenged();
    const refused = {
      'another challenge': await member.answer(ours, { change: { challenge: 'A'.repeat(120) } }),
      'another site with the same name': await member.answer(ours, { at: elsewhere.url }),
      'not JSON': 'credential',
      'without a response': JSON.stringify({ id: 'a', rawId: 'a', type: 'public-key' }),
    };
    for (const [why, answer] of Object.entries(refused))
      expect((await present(ours, answer)).status, why).to.equal(403);
    await member.isUserVerified(false);
    const unverified = await member.answer(ours, { change: { userVerification: 'discouraged' } });
    expect((await present(ours, unverified)).status, 'no verification').to.equal(403);
    await member.isUserVerified(true);
    expect((await present(ours, await member.answer(ours))).status).to.equal(303);
  });

  it('refuse a signature that was changed, and a counter that went back, as that of a copied authenticator does', async () => {
    const member = await Member.withPasskey();
    const ours = await challenged();
    const answer = await member.answer(ours);
    const changed: Answer = JSON.parse(answer);
    changed.response.signature = `${changed.response.signature.slice(0, -6)}AAAAAA`;
    expect((await present(ours, JSON.stringify(changed))).status).to.equal(403);
    await db()('member_passkeys')
      .where({ member_id: member.id })
      .update({ counter: 2 ** 32 - 1 });
    expect((await present(ours, answer)).status).to.equal(403);
    await db()('member_passkeys').where({ member_id: member.id }).update({ counter: 1 });
    expect((await present(ours, answer)).status).to.equal(303);
  });

  it('of another member are neither theirs to use, to rename, nor to remove', async () => {
    const [one, other] = [await Member.withPasskey(), await Member.withPasskey()];
    const ours = await challenged();
    const answer: Answer = JSON.parse(await one.answer(ours));
    answer.response.userHandle = Buffer.from(other.id).toString('base64url');
    expect((await present(ours, JSON.stringify(answer))).status).to.equal(403);
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
    const member = await Member.withPasskey();
    const ours = await challenged();
    const answer = await member.answer(ours);
    const unknown: Answer = JSON.parse(answer);
    const expected = await present(ours, JSON.stringify({ ...unknown, id: 'AAAA', rawId: 'AAAA' }));
    const disabled_at = new Date().toISOString();
    await db()('members').where({ id: member.id }).update({ disabled_at });
    expect(await present(ours, answer)).to.deep.equal(expected);
    await db()('members').where({ id: member.id }).update({ disabled_at: null });
    const admin = await addTestMember(test, 'admin', ofAlice());
    const browser = new WebBrowser();
    const link = admin.link.replace(test.service.url, url);
    await browser.open(link, { csrf: csrfIn((await browser.open(link)).text) });
    const { text } = await browser.open(`${url}/desk/members/${member.id}`);
    await browser.open(`${url}/desk/members/${member.id}/disable`, { csrf: csrfIn(text) });
    expect(await member.passkeys()).to.deep.equal([]);
    expect(await present(ours, answer)).to.deep.equal(expected);
  });

  it('share the limit of attempts with requests for a mailed link', async () => {
    const ours = await challenged();
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
    const member = await Member.signIn();
    for (const place of [test.service.url, 'http://desk.example', 'http://[::1]:3000']) {
      test.service.runtime.publicUrl = () => place;
      expect((await fetch(`${url}/desk/sign-in/passkey`)).status, place).to.equal(404);
      await member.page.goto(`${url}/desk/account/add-passkey`);
      await member.page.getByText('Passkeys only work where').waitFor();
    }
    test.service.runtime.publicUrl = () => url;
  });

  /** What a member's browser creates for the page that adds a passkey. */
  async function creationFor({ page }: Member, change: object): Promise<string> {
    await page.goto(`${url}/desk/account/add-passkey`);
    const options: object = JSON.parse((await page.locator('form[data-passkey]').getAttribute('data-creation')) ?? '');
    return page.evaluate<string>(`(${CREATE})(${JSON.stringify({ ...options, ...change })})`);
  }

  function add(member: Member, credential: string): Promise<number> {
    return act(member, 'account/add-passkey', { name: 'Another', credential });
  }

  async function act({ page }: Member, path: string, form: Record<string, string>): Promise<number> {
    await page.goto(`${url}/desk/account`);
    const csrf = csrfIn(await page.content());
    const answer = await page
      .context()
      .request.post(`${url}/desk/${path}`, { form: { csrf, ...form }, maxRedirects: 0 });
    return answer.status();
  }
});
