import { expect } from 'chai';
import { HOUR_MS, isoAfter, MINUTE_MS } from '../../core/time.ts';
import { csrfIn, readable, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { addTestMember, linkFor, MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { consoleRoutes, deskRoutes } from '../../http/backoffice/routes.ts';
import { newSignInLink } from '../../jobs/console/accounts.ts';
import { retain } from '../../jobs/privacy/retain.ts';
import { addOperator, CONSOLE, OperatorBrowser } from '../console/operators.ts';
import { setScene } from '../console/scene.ts';

databases('either');

const KEPT = 'This is what you filled in.';
const LEA = { at: 'members', name: 'Lea Lind', email: 'lea@letting.example', role: 'viewer' };

describe('a form for which its sender is to prove who they are', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const scene = suiteFixture(() => setScene(test));
  const db = () => test.service.runtime.db;
  const ours = () => ({ landlordId: test.landlords.ours });
  const sent: { to: string; text: string }[] = [];
  before(() => {
    test.service.runtime.providers.mail.send = async ({ to, text }) => {
      sent.push({ to, text });
      signal();
    };
  });
  afterEach(() => test.setNow(undefined));

  /** An admin who signed in an hour ago. */
  async function longSignedIn(): Promise<MemberBrowser> {
    const member = await MemberBrowser.signIn(test, 'admin', ours());
    await member.open('/');
    const created_at = isoAfter(new Date(), -HOUR_MS);
    await db()('member_sessions').where({ member_id: member.id }).update({ created_at });
    return member;
  }
  const opensIn = (text: string) => readable(/name="opens" value="([^"]*)"/.exec(text)?.[1] ?? '');
  /** @returns the page that the link in the mail leads to */
  async function proveByMail(member: MemberBrowser, opens: string, browser = member.browser) {
    const mailed = await member.act('/proof', { opens });
    expect(mailed.status).to.equal(303);
    await eventually('the link was mailed', () => sent.some(({ to }) => to === member.mail));
    const link = /http\S+sign-in\S+/.exec(sent.findLast(({ to }) => to === member.mail)?.text ?? '')?.[0] ?? '';
    const { text } = await browser.open(link);
    const entered = await browser.open(link, { csrf: csrfIn(text) });
    return { page: await browser.open(new URL(entered.location ?? '', link).href), mailed };
  }
  const fieldsIn = (text: string) =>
    ['name', 'email'].map((name) => readable(new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''));

  it('is filled in as it was sent behind the mailed link, does nothing before it is sent again, and is gone then', async () => {
    const member = await longSignedIn();
    const asked = await member.act('/members', LEA);
    expect(asked.status).to.equal(403);
    expect(readable(asked.text)).to.include('What you filled in is kept for an hour.');
    const { page } = await proveByMail(member, opensIn(asked.text));
    expect(readable(page.text))
      .to.include(KEPT)
      .and.match(/<title>(?!Error)/);
    expect(fieldsIn(page.text)).to.deep.equal([LEA.name, LEA.email]);
    expect(page.text).to.match(/<option value="viewer" selected>/);
    expect(await db()('members').where({ mail_address: LEA.email })).to.deep.equal([]);
    const done = await member.browser.open(`${member.base}/members`, { ...LEA, csrf: csrfIn(page.text) });
    expect(done.status).to.equal(303);
    const [lea] = await db()('members').where({ mail_address: LEA.email });
    expect(lea).to.include({ name: LEA.name, role: 'viewer' });
    expect(fieldsIn((await member.browser.open(page.url)).text)).to.deep.equal(['', '']);
    expect(await db()('member_forms')).to.deep.equal([]);
  });

  it('stays in the tab that asked, and is there on the device on which the mail is read', async () => {
    const member = await longSignedIn();
    const asked = await member.act('/members', LEA);
    const { page, mailed } = await proveByMail(member, opensIn(asked.text), new WebBrowser());
    expect(fieldsIn(page.text), 'on the other device').to.deep.equal([LEA.name, LEA.email]);
    const tab = await member.browser.open(new URL(mailed.location ?? '', mailed.url).href);
    expect(fieldsIn(tab.text), 'in the tab').to.deep.equal([LEA.name, LEA.email]);
    expect(readable(tab.text)).to.include('A link is on its way by mail.');
  });

  it('is there after a sign-in by a link that leads elsewhere, such as one of the command line', async () => {
    const member = await longSignedIn();
    await member.act('/members', LEA);
    expect(fieldsIn((await member.open('/members')).text), 'before it').to.deep.equal(['', '']);
    await member.enter(await linkFor(test, member.id));
    expect(fieldsIn((await member.open('/members')).text)).to.deep.equal([LEA.name, LEA.email]);
    expect(readable((await member.open('/settings')).text)).to.not.include(KEPT);
  });

  it('is in no address, no cookie and no clear text, and no one else sees it', async () => {
    const member = await longSignedIn();
    const asked = await member.act('/members', LEA);
    const opens = opensIn(asked.text);
    const cookies = [...member.browser.cookies.values()].flat().map(({ value }) => value);
    for (const place of [opens, ...cookies, JSON.stringify(await db()('member_forms'))])
      for (const typed of ['Lea', 'letting.example', 'viewer']) expect(place).to.not.include(typed);
    const colleague = await MemberBrowser.signIn(test, 'admin', ours());
    const { text } = await colleague.open(`/${opens}`);
    expect(fieldsIn(text)).to.deep.equal(['', '']);
    expect(readable(text)).to.not.include(KEPT);
  });

  it('is one of each person, for an hour, and not of who was disabled', async () => {
    const member = await longSignedIn();
    await member.act('/members', { ...LEA, name: 'Earlier' });
    const opens = opensIn((await member.act('/members', LEA)).text);
    expect(await db()('member_forms').where({ member_id: member.id })).to.have.length(1);
    expect(fieldsIn((await member.open(`/${opens}`)).text)).to.deep.equal([LEA.name, LEA.email]);
    const { runtime } = test.service;
    const at = (minutes: number) => ({ ...runtime, now: () => new Date(Date.now() + minutes * MINUTE_MS) });
    test.setNow(at(61).now());
    expect(fieldsIn((await member.open(`/${opens}`)).text)).to.deep.equal(['', '']);
    test.setNow(undefined);
    await retain(at(59));
    expect(await db()('member_forms').where({ member_id: member.id })).to.have.length(1);
    await retain(at(61));
    expect(await db()('member_forms')).to.deep.equal([]);
    await member.act('/members', LEA);
    const other = await MemberBrowser.signIn(test, 'admin', ours());
    expect((await other.act(`/members/${member.id}/disable`)).status).to.equal(303);
    expect(await db()('member_forms')).to.deep.equal([]);
  });

  it('is not kept when it is too long, which the page does not promise', async () => {
    const member = await longSignedIn();
    const asked = await member.act('/members', { ...LEA, name: 'x'.repeat(100 * 1024) });
    expect(asked.status).to.equal(403);
    expect(opensIn(asked.text)).to.equal('members');
    expect(readable(asked.text)).to.not.include('is kept');
    expect(await db()('member_forms').where({ member_id: member.id })).to.deep.equal([]);
  });

  it('is not kept for a form of another session', async () => {
    const member = await longSignedIn();
    expect((await member.act('/members', { ...LEA, csrf: 'x'.repeat(64) })).status).to.equal(403);
    expect(await db()('member_forms').where({ member_id: member.id })).to.deep.equal([]);
  });

  const guarded = (routes: readonly { method: string; path: string; needsProof: boolean }[]) =>
    routes.filter(({ method, needsProof }) => needsProof && method === 'POST').map(({ path }) => path);

  for (const path of guarded(deskRoutes))
    it(`of the desk comes back after the proof: ${path}`, async () => {
      const member = await longSignedIn();
      const { id } = await addTestMember(test, 'viewer', ours());
      const place = addressOf({ path }, { examples: { ...scene.examples, '/members/': id } });
      const { status, text } = await member.act(place, { reason: 'typed' });
      expect(status).to.equal(403);
      const opens = opensIn(text);
      await member.enter(await linkFor(test, member.id));
      const page = await member.open(`/${opens}`);
      expect(page.status).to.equal(200);
      expect(readable(page.text)).to.include(KEPT);
    });

  for (const path of guarded(consoleRoutes))
    it(`of the console comes back after the proof: ${path}`, async () => {
      const account = await addOperator(test, 'operator');
      const operator = await OperatorBrowser.enter(test, account);
      await operator.open('/');
      const created_at = isoAfter(new Date(), -HOUR_MS / 3);
      await db()('console_sessions').where({ account_id: account.id }).update({ created_at });
      const { status, text } = await operator.act(addressOf({ path }, scene), { reason: 'typed' });
      expect(status).to.equal(403);
      const link = await newSignInLink(test.service.runtime, account, { kind: 'operator', id: 'the test' });
      const again = await OperatorBrowser.enter(test, { ...account, link: `${test.service.operatorsUrl}${link.path}` });
      const page = await again.open(`/${opensIn(text)}`);
      expect(page.status).to.equal(200);
      expect(readable(page.text)).to.include(KEPT);
    });
});
