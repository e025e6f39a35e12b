import { expect } from 'chai';
import { type Page, readable, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { BACK, startEidWorld } from '../../harness/service/eid-world.ts';

databases('either');

describe('national eID in a browser with its own way with cookies', () => {
  const world = suiteFixture(() => startEidWorld());
  afterEach(() => world.test.setNow(new Date()));

  const cookieOf = (browser: WebBrowser) => {
    const kept = browser.cookies.get(world.test.service.url)?.find(({ name }) => name === 'eid');
    if (!kept) throw new Error('There is no cookie.');
    return kept;
  };

  /** The address of "Try again". */
  const again = ({ text, url }: Page) =>
    new URL(readable(/<a class="button" href="([^"]*)"/.exec(text)?.[1] ?? ''), url).href;

  it('that blocks all cookies: names them and the site before the person leaves for the provider', async () => {
    const { link, tenantId } = await world.person();
    const blocking = new WebBrowser({ keepsCookies: false });
    const visits = world.provider.count('auth');
    const page = await blocking.follow(link);
    expect([page.status, page.location]).to.deep.equal([403, null]);
    expect(page.text)
      .to.include('Your browser blocks cookies')
      .and.include(`Allow cookies for <bdi>${new URL(link).host}</bdi>`)
      .and.include('Asked by <strong><bdi>Casa Clara</bdi>');
    expect(again(page), 'the person’s own link').to.equal(link);
    expect(world.provider.count('auth')).to.equal(visits);
    expect(await world.test.service.runtime.db('eid_attempts').whereNull('used_at')).to.deep.equal([]);
    expect(await world.status(tenantId)).to.equal('pending');
  });

  it('that blocks all cookies: agrees, reads the reason in its language, and continues once it allows them', async () => {
    const tenantId = await world.applicant('agrees@mail.example');
    const body = { redirect_url: BACK };
    const { verification_link } = (await world.test.alice.ok('initiateEid', { params: { tenantId }, body })).data;
    const blocking = new WebBrowser({ keepsCookies: false });
    const agreed = await blocking.agree(`${verification_link}?lang=de`);
    const page = await blocking.follow(new URL(agreed.location ?? '', agreed.url).href);
    expect(page.text).to.include('Ihr Browser blockiert Cookies');
    const allowing = new WebBrowser();
    const callback = await allowing.signIn(again(page), `${world.callback}?`, { login: 'ada' });
    expect((await allowing.open(callback)).location).to.equal(BACK);
  });

  it('that keeps them: an address copied from the page of a browser that blocked them works in another one', async () => {
    const { link } = await world.person();
    const { url } = await new WebBrowser({ keepsCookies: false }).follow(link);
    world.test.setNow(new Date(Date.now() + 60_000));
    expect((await new WebBrowser().follow(url)).location).to.match(new RegExp(`^${world.provider.issuer}/auth`));
  });

  it('that returns it quoted, or beside another of its name, which a proxy or a parent domain may have set', async () => {
    for (const written of [
      (value: string) => `"${value}"`,
      (value: string) => `undefined; eid=${value}`,
      (value: string) => `${value.slice(0, 20)}; eid="${value}"`,
    ]) {
      const { browser, signIn } = await world.person();
      const callback = await signIn();
      const cookie = cookieOf(browser);
      cookie.value = written(cookie.value);
      expect((await browser.open(callback)).location).to.equal(BACK);
    }
  });

  it('that returns a cookie of no use: gets one, which it must return, and no one can guess', async () => {
    for (const value of ['', 'undefined', 'x'.repeat(42), 'x'.repeat(5_000)]) {
      const { link, browser } = await world.person();
      browser.cookies.set(world.test.service.url, [{ name: 'eid', value, path: '/verify/eid' }]);
      const page = await browser.follow(link);
      expect(page.location).to.match(new RegExp(`^${world.provider.issuer}/auth`));
      expect(cookieOf(browser).value).to.match(/^[\w-]{43}$/);
    }
  });

  it('that dropped it on the way: says to open the link in the browser where the person is now', async () => {
    const { browser, link, signIn } = await world.person();
    const callback = await signIn();
    browser.cookies.clear();
    const page = await browser.open(callback);
    expect(page.status).to.equal(403);
    expect(page.text).to.include('Open your link again in the browser in which you read this');
    const finished = await browser.signIn(link, `${world.callback}?`, { login: 'ada' });
    expect((await browser.open(finished)).location).to.equal(BACK);
  });
});
