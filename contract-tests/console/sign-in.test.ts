import { expect } from 'chai';
import { csrfIn, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';
import { consoleRoutes } from '../../http/backoffice/routes.ts';
import { newSignInLink } from '../../jobs/console/accounts.ts';
import type { Mail } from '../../providers/mail/port.ts';
import { addOperator, CONSOLE, consoleUrl, OperatorBrowser } from './operators.ts';

databases('either');

const MINUTE_MS = 60_000;

describe('signing in to the console', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const base = () => consoleUrl(test);
  afterEach(() => test.setNow(new Date()));

  it('accepts a link once: GET does not use it up, and the session gets a new token', async () => {
    const { link, name } = await addOperator(test, 'operator');
    const browser = new WebBrowser();
    const { text, headers } = await browser.open(link);
    const visitor = cookieOf(browser);
    expect(headers.getSetCookie().join()).to.match(/^console=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict$/i);
    const entered = await browser.open(link, { csrf: csrfIn(text) });
    expect(entered.status).to.equal(303);
    expect(cookieOf(browser)).to.not.equal(visitor);
    expect((await browser.open(`${base()}/`)).text).to.include(name);
    const other = new WebBrowser();
    expect((await other.open(link)).status).to.equal(404);
    expect((await other.open(link, { csrf: 'x' })).status).to.equal(403);
  });

  it('accepts a valid link after dead links were opened from the same address', async () => {
    const { link } = await addOperator(test, 'operator');
    for (let times = 0; times < 25; times++)
      expect((await new WebBrowser().open(`${base()}/sign-in/dead-${times}`)).status).to.equal(404);
    const browser = new WebBrowser();
    const { status, text } = await browser.open(link);
    expect(status).to.equal(200);
    for (let times = 0; times < 25; times++)
      expect((await browser.open(`${base()}/sign-in/dead-${times}`, { csrf: csrfIn(text) })).status).to.equal(404);
    expect((await browser.open(link, { csrf: csrfIn(text) })).status).to.equal(303);
  });

  it('says what is blocked, and where to continue, to a browser that returns no cookie', async () => {
    const { link } = await addOperator(test, 'viewer');
    const blocking = new WebBrowser({ keepsCookies: false });
    const { text } = await blocking.open(link);
    const csrf = csrfIn(text);
    for (const page of [
      await blocking.open(link, { csrf }),
      await blocking.open(`${base()}/sign-in`, { csrf, name: 'x' }),
    ]) {
      expect(page.status).to.equal(403);
      expect(page.text).to.include(`Allow cookies for ${new URL(link).host}`);
    }
    const { text: form } = await new WebBrowser().open(link);
    expect(form, 'the link is still good').to.include('<form');
  });

  it('refuses a link without the visitor’s token, an expired link, and a superseded one', async () => {
    const { link, name } = await addOperator(test, 'viewer');
    const browser = new WebBrowser();
    const { text } = await browser.open(link);
    expect((await browser.open(link, { csrf: '' })).status).to.equal(403);
    expect((await new WebBrowser().open(link, { csrf: csrfIn(text) })).status).to.equal(403);
    const settings = { ...CONSOLE, CONSOLE_URL: test.service.operatorsUrl ?? '' };
    const made = await new Admin(test, settings).json<{ sign_in_url: string }>('console-account', 'link', name);
    expect((await browser.open(link, { csrf: csrfIn(text) })).status).to.equal(404);
    test.setNow(new Date(Date.now() + 11 * MINUTE_MS));
    expect((await browser.open(made.sign_in_url, { csrf: csrfIn(text) })).status).to.equal(404);
  });

  it('ends a session after half an hour of inactivity, after twelve hours at most, and at sign-out', async () => {
    const start = Date.now();
    const at = (minutes: number) => test.setNow(new Date(start + minutes * MINUTE_MS));
    at(0);
    const idle = await OperatorBrowser.signIn(test, 'viewer');
    const busy = await OperatorBrowser.signIn(test, 'viewer');
    const leaving = await OperatorBrowser.signIn(test, 'viewer');
    const kept = cookieOf(leaving.browser);
    const left = await leaving.act('/sign-out');
    expect(left.location).to.match(/sign-in$/);
    expect(left.headers.get('clear-site-data')).to.equal('"cache"');
    expect((await leaving.open('/')).status).to.equal(401);
    const replayed = await fetch(`${base()}/`, { headers: { cookie: `console=${kept}` } });
    expect(replayed.status).to.equal(401);
    for (let minutes = 29; minutes < 12 * 60; minutes += 29) {
      at(minutes);
      expect((await busy.open('/')).status, `${minutes} min`).to.equal(200);
      at(Math.max(minutes, 31));
      expect((await idle.open('/')).status, `${minutes} min`).to.equal(401);
    }
    at(12 * 60);
    expect((await busy.open('/')).status).to.equal(401);
  });

  it('invalidates a disabled account’s sessions and link at once', async () => {
    const operator = await OperatorBrowser.signIn(test, 'operator');
    const admin = new Admin(test, { ...CONSOLE, CONSOLE_URL: test.service.operatorsUrl ?? '' });
    const { sign_in_url } = await admin.json<{ sign_in_url: string }>('console-account', 'link', operator.name);
    await admin.json('console-account', 'disable', operator.name);
    expect((await operator.open('/')).status).to.equal(401);
    expect((await new WebBrowser().open(sign_in_url)).status).to.equal(404);
    expect(await admin.refused(1, ['console-account', 'link', operator.name])).to.include('enable it first');
    await admin.json('console-account', 'enable', operator.name);
    await admin.json('console-account', 'link', operator.name);
  });

  it('lists an operator’s own sessions, each of which they can end, and no other’s', async () => {
    const account = await addOperator(test, 'viewer');
    const operator = await OperatorBrowser.enter(test, account);
    const stranger = await OperatorBrowser.signIn(test, 'operator');
    const { runtime, operatorsUrl } = test.service;
    const { db } = runtime;
    const { path } = await newSignInLink(runtime, account, { kind: 'operator', id: 'test' });
    const second = await OperatorBrowser.enter(test, { ...account, link: `${operatorsUrl}${path}` });
    const [first] = await db('console_sessions').where({ account_id: account.id }).orderBy('created_at');
    const session = first?.id ?? '';
    expect((await second.open('/account')).text.match(/<button>End this session/g)).to.have.length(2);
    expect((await stranger.act('/account/end-session', { session })).location).to.include('notice=unchanged');
    expect((await operator.open('/')).status).to.equal(200);
    expect((await second.act('/account/end-session', { session })).location).to.include('notice=session-ended');
    expect((await operator.open('/')).status).to.equal(401);
    expect((await second.open('/')).status).to.equal(200);
    const ended = await db('audit_entries').where({ actor: operator.name, action: 'console-account.end-session' });
    expect(ended).to.have.length(1);
    const { path: third } = await newSignInLink(runtime, account, { kind: 'operator', id: 'test' });
    const last = await OperatorBrowser.enter(test, { ...account, link: `${operatorsUrl}${third}` });
    expect((await last.act('/account/end-other-sessions')).location).to.include('notice=session-ended');
    expect([(await second.open('/')).status, (await last.open('/')).status]).to.deep.equal([401, 200]);
    expect((await stranger.open('/')).status).to.equal(200);
  });

  const guarded = consoleRoutes.filter(({ needsProof }) => needsProof);
  for (const route of guarded)
    it(`${route.method} ${route.path} asks for a new sign-in after 15 minutes`, async () => {
      const operator = await OperatorBrowser.signIn(test, 'operator');
      await operator.open('/');
      test.setNow(new Date(Date.now() + 16 * MINUTE_MS));
      const path = route.path.replaceAll(/:\w+/g, 'any');
      const { status, text } = await (route.method === 'GET'
        ? operator.browser.open(`${base()}${path}`)
        : operator.act(path));
      expect(status).to.equal(403);
      expect(text).to.include('Confirm that it is you');
    });

  it('asks for it before secrets, ends of keys, originals, roles, exports and erasure', () => {
    const paths = guarded.map(({ path }) => path);
    const sensitive = [
      ...['/landlords/:id/members', '/privacy/export', '/privacy/preview', '/privacy/erase', '/account/add-passkey'],
      ...[
        '/account/remove-passkey',
        '/documents/:id/original',
        '/keys/:client_id/revoke',
        '/webhooks/:id/rotate-secret',
      ],
    ];
    expect(paths).to.include.members(sensitive);
  });

  it('is audited under the account’s name', async () => {
    const { name } = await OperatorBrowser.signIn(test, 'viewer');
    const entries = await test.service.runtime.db('audit_entries').where({ actor: name });
    expect(entries.map(({ actor_kind, action }) => ({ actor_kind, action }))).to.deep.equal([
      { actor_kind: 'operator', action: 'console-account.sign-in' },
    ]);
  });

  it('stores only digests of link and session tokens', async () => {
    const { link } = await addOperator(test, 'viewer');
    const { browser } = await OperatorBrowser.signIn(test, 'viewer');
    const { db } = test.service.runtime;
    const rows = JSON.stringify([await db('console_links'), await db('console_sessions')]);
    expect(rows).to.not.include(link.split('/').at(-1));
    expect(rows).to.not.include(cookieOf(browser));
  });

  it('answers a cross-site link with an intermediate page, because the browser omits the cookie', async () => {
    const { text } = await fetchText(`${base()}/deliveries?status=failed`, { 'sec-fetch-site': 'cross-site' });
    expect(text).to.match(/http-equiv="refresh" content="0; url=\.\.\/console\/deliveries\?status=failed"/);
    expect((await fetchText(`${base()}/deliveries`, { 'sec-fetch-site': 'same-origin' })).text).to.include(
      'signed out',
    );
  });
});

describe('sign-in links by mail', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const sent: Pick<Mail, 'messageId' | 'to' | 'text'>[] = [];
  const base = () => consoleUrl(test);
  afterEach(() => test.setNow(new Date()));
  before(() => {
    test.service.runtime.providers.mail.send = async (mail) => {
      sent.push(mail);
      signal();
    };
  });

  const ask = async (name: string) => {
    const browser = new WebBrowser();
    const { text } = await browser.open(`${base()}/sign-in`);
    return { browser, page: await browser.open(`${base()}/sign-in`, { csrf: csrfIn(text), name }) };
  };

  it('go to the account’s address, rate-limited, and no answer reveals which names exist', async () => {
    const { name } = await addOperator(test, 'viewer', 'ana@letting.example');
    // The link of `console-account create` has expired.
    test.setNow(new Date(Date.now() + 31 * MINUTE_MS));
    const known = await ask(name);
    const unknown = await ask('nobody');
    await ask(name);
    expect(known.page.location).to.equal(unknown.page.location);
    await eventually('a mail was sent', () => sent.length > 0);
    expect(sent.map(({ to }) => to)).to.deep.equal(['ana@letting.example']);
    expect(sent[0]?.messageId, 'the part before @').to.match(/^[^<>@\s]+$/);
    const link = /http\S+/.exec(sent[0]?.text ?? '')?.[0] ?? '';
    const { text } = await known.browser.open(link);
    expect((await known.browser.open(link, { csrf: csrfIn(text) })).status).to.equal(303);
  });

  it('confirm who an operator is, and return to the page that asked', async () => {
    const operator = await OperatorBrowser.enter(test, await addOperator(test, 'viewer', 'eve@letting.example'));
    test.setNow(new Date(Date.now() + 20 * MINUTE_MS));
    const asked = await operator.browser.open(`${base()}/account/add-passkey`);
    const opens = /name="opens" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
    expect((await operator.act('/proof', { opens })).status).to.equal(303);
    const link = /http\S+/.exec(sent.find(({ to }) => to === 'eve@letting.example')?.text ?? '')?.[0] ?? '';
    const { text } = await operator.browser.open(link);
    const entered = await operator.browser.open(link, { csrf: csrfIn(text) });
    expect(new URL(entered.location ?? '', link).pathname).to.equal('/console/account/add-passkey');
    expect((await operator.open('/account/add-passkey')).status).to.equal(200);
    // Without an address, no mail can help.
    const other = await OperatorBrowser.signIn(test, 'viewer');
    const refused = await other.act('/proof', { opens });
    expect(refused.status).to.equal(409);
    expect(refused.text).to.include('has no e-mail address');
  });

  it('stay valid when a stranger requests another, and none is mailed meanwhile', async () => {
    const start = Date.now();
    const at = (minutes: number) => test.setNow(new Date(start + minutes * MINUTE_MS));
    const { name } = await addOperator(test, 'viewer', 'bea@letting.example');
    const { name: other } = await addOperator(test, 'viewer', 'cem@letting.example');
    const mailed = (to: string) => sent.filter((mail) => mail.to === to);
    at(31);
    await ask(name);
    await eventually('a mail was sent', () => mailed('bea@letting.example').length === 1);
    at(40);
    await ask(name);
    // Requested afterwards and mailed, so the request before it was handled, too.
    await ask(other);
    await eventually('the other mail was sent', () => mailed('cem@letting.example').length === 1);
    const [first] = mailed('bea@letting.example');
    const link = /http\S+/.exec(first?.text ?? '')?.[0] ?? '';
    const browser = new WebBrowser();
    const { text } = await browser.open(link);
    expect((await browser.open(link, { csrf: csrfIn(text) })).status).to.equal(303);
    expect(mailed('bea@letting.example')).to.have.lengthOf(1);
    await ask(name);
    await eventually('the used link is followed by another', () => mailed('bea@letting.example').length === 2);
  });

  it('can be requested again at once when a mail was not sent', async () => {
    const { name } = await addOperator(test, 'viewer', 'dan@letting.example');
    test.setNow(new Date(Date.now() + 31 * MINUTE_MS));
    const { mail } = test.service.runtime.providers;
    const { send } = mail;
    let isRefused = false;
    mail.send = async () => {
      isRefused = true;
      signal();
      throw new Error('The mail server is down.');
    };
    await ask(name);
    await eventually('a mail was refused', () => isRefused);
    const { db } = test.service.runtime;
    await until('its link is gone', async () => {
      const links = db('console_links').join('console_accounts', 'console_accounts.id', 'account_id');
      return (await links.where({ name }).first('account_id')) === undefined;
    });
    mail.send = send;
    await ask(name);
    await eventually('a mail was sent', () => sent.some(({ to }) => to === 'dan@letting.example'));
  });

  it('are limited to ten requests per client address', async () => {
    let last = (await ask('nobody')).page;
    for (let times = 0; times < 10 && last.status !== 429; times++) last = (await ask('nobody')).page;
    expect(last.status).to.equal(429);
    expect(Number(last.headers.get('retry-after'))).to.be.within(1, 300);
  });
});

async function fetchText(url: string, headers: Record<string, string>) {
  const answer = await fetch(url, { headers });
  return { status: answer.status, text: await answer.text() };
}

function cookieOf(browser: WebBrowser): string {
  return [...browser.cookies.values()].flat().find(({ name }) => name === 'console')?.value ?? '';
}
