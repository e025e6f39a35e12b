import { expect } from 'chai';
import { MINUTE_MS } from '../../core/time.ts';
import { csrfIn, readable, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { addTestMember, linkFor, MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { deskRoutes } from '../../http/backoffice/routes.ts';

databases('either');

/** What decides who can sign in. Adding a passkey carries the proof of its page in its challenge. */
const SENSITIVE = /^\/members|^\/account\/(?:end|remove)-/;

describe('signing in to the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const ofAlice = () => ({ landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });

  const sent: { to: string; text: string }[] = [];
  before(() => {
    test.service.runtime.providers.mail.send = async ({ to, text }) => {
      sent.push({ to, text });
      signal();
    };
  });
  /** The newest mail to an address. */
  async function mailTo(address: string) {
    const mailed = () => sent.findLast(({ to }) => to === address);
    await eventually('a mail was sent', () => mailed() !== undefined);
    return mailed() ?? expect.fail('no mail');
  }

  async function ask(email: string, browser = new WebBrowser()) {
    const page = await browser.open(`${test.service.url}/desk/sign-in`);
    return browser.open(page.url, { csrf: csrfIn(page.text), email });
  }

  it('answers alike whether the address is a member’s, and mails members alone', async () => {
    const { mail } = await addTestMember(test, 'agent', ofAlice());
    await db()('member_links').delete();
    const [known, unknown] = [await ask(mail), await ask('nobody@mail.example')];
    expect([known.status, known.location, known.text]).to.deep.equal([unknown.status, unknown.location, unknown.text]);
    const found = await mailTo(mail);
    expect(found.text).to.include(`${test.service.url}/desk/sign-in/`);
    expect(sent.map(({ to }) => to)).to.not.include('nobody@mail.example');
  });

  it('ends a requested link after ten minutes', async () => {
    const { mail } = await addTestMember(test, 'agent', ofAlice());
    await db()('member_links').delete();
    const start = new Date();
    test.setNow(start);
    await ask(mail);
    const [link = ''] = /https?:\S+\/desk\/sign-in\/\S+/.exec((await mailTo(mail)).text) ?? [];
    for (const [minutes, status] of [
      [9, 200],
      [11, 404],
    ] as const) {
      test.setNow(new Date(start.getTime() + minutes * MINUTE_MS));
      expect((await new WebBrowser().open(link)).status, `${minutes} min`).to.equal(status);
    }
    test.setNow(undefined);
  });

  it('uses a link once, by a form: looking at it, as link checkers do, does not use it up', async () => {
    const { link } = await addTestMember(test, 'agent', ofAlice());
    const browser = new WebBrowser();
    for (const _ of [1, 2, 3]) expect((await browser.open(link)).status).to.equal(200);
    const csrf = csrfIn((await browser.open(link)).text);
    expect((await browser.open(link, { csrf })).location).to.include('desk/');
    expect((await browser.open(`${test.service.url}/desk/`)).status).to.equal(200);
    const other = new WebBrowser();
    expect((await other.open(link)).status).to.equal(404);
    const page = await other.open(`${test.service.url}/desk/sign-in`);
    expect((await other.open(link, { csrf: csrfIn(page.text) })).status).to.equal(404);
  });

  it('refuses a link in a browser that never looked at the desk, so that no one is signed in by another site', async () => {
    const { link } = await addTestMember(test, 'agent', ofAlice());
    const browser = new WebBrowser();
    const { text } = await browser.open(link);
    expect((await new WebBrowser().open(link, { csrf: csrfIn(text) })).status).to.equal(403);
    expect((await browser.open(link, { csrf: csrfIn(text) })).status).to.equal(303);
  });

  it('is never prevented by a stranger: their requests do not end a link, and only mail the member', async () => {
    const { mail, id } = await addTestMember(test, 'agent', ofAlice());
    await db()('member_links').where({ member_id: id }).delete();
    const link = await linkFor(test, id);
    for (const _ of [1, 2, 3, 4, 5]) await ask(mail);
    await mailTo(mail);
    const browser = new WebBrowser();
    const { text } = await browser.open(link);
    expect((await browser.open(link, { csrf: csrfIn(text) })).status).to.equal(303);
  });

  it('ends after two hours without use, after twelve in any case, at sign-out, and when the member is disabled', async () => {
    const start = new Date();
    const member = await MemberBrowser.signIn(test, 'agent', ofAlice());
    const at = async (minutes: number) => {
      test.setNow(new Date(start.getTime() + minutes * MINUTE_MS));
      return (await member.open('/account')).status;
    };
    expect(await at(110)).to.equal(200);
    expect(await at(229)).to.equal(200);
    expect(await at(350)).to.equal(401);
    await member.enter(await linkFor(test, member.id));
    for (const minutes of [440, 550, 660, 770, 880, 990, 1060]) expect(await at(minutes)).to.equal(200);
    expect(await at(350 + 721)).to.equal(401);
    await member.enter(await linkFor(test, member.id));
    await member.open('/account');
    expect((await member.act('/sign-out')).status).to.equal(303);
    expect(await at(1072)).to.equal(401);
    await member.enter(await linkFor(test, member.id));
    await db()('members').where({ id: member.id }).update({ disabled_at: start.toISOString() });
    expect(await at(1073)).to.equal(401);
  });

  it('is not prolonged by a page that loads itself, such as one that waits for a report', async () => {
    const start = new Date();
    test.setNow(start);
    const member = await MemberBrowser.signIn(test, 'agent', ofAlice());
    const { name, value } = member.browser.cookies.get(new URL(member.base).origin)?.[0] ?? expect.fail('no session');
    const headers = { cookie: `${name}=${value}`, 'console-refresh': 'true' };
    for (const [minutes, status] of [
      [60, 200],
      [119, 200],
      [121, 401],
    ] as const) {
      test.setNow(new Date(start.getTime() + minutes * MINUTE_MS));
      expect((await fetch(`${member.base}/`, { headers })).status, `${minutes} min`).to.equal(status);
    }
    test.setNow(undefined);
  });

  it('lists a member’s own sessions, and ends one of them', async () => {
    const start = new Date();
    test.setNow(start);
    const member = await MemberBrowser.signIn(test, 'viewer', ofAlice());
    test.setNow(new Date(start.getTime() + MINUTE_MS));
    const other = new MemberBrowserCopy(await linkFor(test, member.id));
    await other.enter();
    const text = readable((await member.open('/account')).text);
    const ids = [...text.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id ?? '');
    expect(ids).to.have.length(2);
    expect(text.match(/this browser/g)).to.have.length(1);
    const rows = await db()('member_sessions').where({ member_id: member.id }).orderBy('created_at', 'desc');
    const [{ id = '', token_hash = '' } = {}] = rows;
    expect(text).to.not.include(token_hash);
    expect(await member.follow(await member.act('/account/end-session', { session: id }))).to.include('was ended');
    expect((await other.browser.open(`${test.service.url}/desk/account`)).status).to.equal(401);
    expect((await member.open('/account')).status).to.equal(200);
  });

  it('ends all other sessions of a member at once, for a member whose passkey or mailbox another person had', async () => {
    const member = await MemberBrowser.signIn(test, 'viewer', ofAlice());
    const bystander = await MemberBrowser.signIn(test, 'viewer', ofAlice());
    const others = [
      new MemberBrowserCopy(await linkFor(test, member.id)),
      new MemberBrowserCopy(await linkFor(test, member.id)),
    ];
    for (const other of others) await other.enter();
    await member.open('/account');
    expect(await member.follow(await member.act('/account/end-other-sessions'))).to.include('was ended');
    for (const { browser } of others)
      expect((await browser.open(`${test.service.url}/desk/account`)).status).to.equal(401);
    for (const one of [member, bystander]) {
      const page = await one.open('/account');
      expect([page.status, page.text.includes('end-other-sessions')]).to.deep.equal([200, false]);
    }
  });

  it('ends no session of another member', async () => {
    const [one, other] = [
      await MemberBrowser.signIn(test, 'agent', ofAlice()),
      await MemberBrowser.signIn(test, 'admin', ofAlice()),
    ];
    const session = await db()('member_sessions').where({ member_id: one.id }).first('id');
    await other.act('/account/end-session', { session: session?.id ?? '' });
    expect((await one.open('/account')).status).to.equal(200);
  });

  it('is required again before keys, when the last sign-in is older than 15 minutes, and returns to the page', async () => {
    const start = new Date();
    test.setNow(start);
    const member = await MemberBrowser.signIn(test, 'developer', ofAlice());
    test.setNow(new Date(start.getTime() + 16 * MINUTE_MS));
    const here = `/keys/${test.alice.clientId}`;
    const before = await db()('api_keys').where({ client_id: test.alice.clientId }).first('client_secret_hash');
    const refused = await member.act(`${here}/rotate`, { overlap: '24h' });
    expect(refused.status).to.equal(403);
    expect(readable(refused.text)).to.include('Confirm that it is you');
    expect(await db()('api_keys').where({ client_id: test.alice.clientId }).first('client_secret_hash')).to.deep.equal(
      before,
    );
    const opens = /name="opens" value="([^"]+)"/.exec(readable(refused.text))?.[1] ?? '';
    expect(opens).to.equal(`${here.slice(1)}?kept=1`);
    expect((await member.act('/proof', { opens })).status).to.equal(303);
    const [, link = ''] = /(https?:\S+\/desk\/sign-in\/\S+)/.exec((await mailTo(member.mail)).text) ?? [];
    const entered = await member.enter(link);
    expect(entered.location).to.match(new RegExp(`desk${here}\\?kept=1$`));
    expect((await member.act(`${here}/rotate`, { overlap: '24h' })).status).to.equal(200);
  });

  it('is required again before every change of members, sessions and passkeys', async () => {
    const start = new Date();
    test.setNow(start);
    const admin = await MemberBrowser.signIn(test, 'admin', ofAlice());
    test.setNow(new Date(start.getTime() + 16 * MINUTE_MS));
    const sensitive = deskRoutes.filter(({ method, path }) => method === 'POST' && SENSITIVE.test(path));
    expect(sensitive.length).to.be.at.least(8);
    await admin.open('/account');
    for (const { path } of sensitive) {
      const answer = await admin.act(path.replace(':id', admin.id));
      expect([answer.status, readable(answer.text).includes('Confirm that it is you')], path).to.deep.equal([
        403,
        true,
      ]);
    }
    test.setNow(undefined);
  });

  it('opens no address of another site after a new sign-in', async () => {
    const member = await MemberBrowser.signIn(test, 'developer', ofAlice());
    for (const opens of ['//evil.example', 'https://evil.example', '../../evil', '\\evil.example', 'a/../../b']) {
      await db()('member_links').where({ member_id: member.id }).delete();
      await member.act('/proof', { opens });
      expect(await db()('member_links').where({ member_id: member.id }).first('opens'), opens).to.deep.equal({
        opens: null,
      });
    }
  });
});

/** A second browser of a member. */
class MemberBrowserCopy {
  readonly browser = new WebBrowser();
  readonly #link: string;

  constructor(link: string) {
    this.#link = link;
  }

  async enter() {
    const { text } = await this.browser.open(this.#link);
    await this.browser.open(this.#link, { csrf: csrfIn(text) });
  }
}
