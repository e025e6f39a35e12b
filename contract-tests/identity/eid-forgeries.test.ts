import { expect } from 'chai';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { BACK, startEidWorld } from '../../harness/service/eid-world.ts';

databases('either');

describe('a national eID flow rejects an attacker', () => {
  const world = suiteFixture(() => startEidWorld());
  afterEach(() => world.provider.alterations.clear());

  /** The flow is unchanged, and its person can continue. */
  const untouched = async (tenantId: string) => {
    expect(await world.status(tenantId)).to.equal('pending');
    expect(await world.events(tenantId)).to.deep.equal([]);
  };
  /** The flow is over, without an identity. */
  const failed = async (tenantId: string, about: string) => {
    const flow = await world.flow(tenantId);
    expect(flow).to.include({ status: 'failed', sealed_memory: null });
    expect(flow?.failure).to.include(about);
    expect(await world.documents(tenantId)).to.deep.equal([]);
    expect(await world.events(tenantId)).to.deep.equal([]);
  };
  const changed = (address: string, change: (fields: URLSearchParams) => void) => {
    const url = new URL(address);
    change(url.searchParams);
    return url.href;
  };
  const fieldOf = (address: string, name: string) => new URL(address).searchParams.get(name) ?? '';

  it('with a foreign state, or without one', async () => {
    const { tenantId, browser, signIn } = await world.person();
    const callback = await signIn();
    const asked = world.provider.count('token');
    for (const change of [
      (fields: URLSearchParams) => fields.set('state', 'guessed'),
      (fields: URLSearchParams) => fields.delete('state'),
      (fields: URLSearchParams) => fields.set('state', ''),
    ])
      expect((await browser.open(changed(callback, change))).status).to.equal(404);
    expect((await browser.open(world.callback)).status).to.equal(404);
    expect(world.provider.count('token')).to.equal(asked);
    await untouched(tenantId);
    expect((await browser.open(callback)).location).to.equal(BACK);
    await world.succeeded(tenantId);
  });

  it('who replays a callback: nothing changes, and the provider is not asked again', async () => {
    const { tenantId, link, browser, signIn } = await world.person();
    const callback = await signIn();
    const asked = world.provider.count('token');
    await browser.open(callback);
    await world.succeeded(tenantId);
    const flow = await world.flow(tenantId);
    expect((await browser.open(callback)).location).to.equal(link);
    expect(await world.flow(tenantId)).to.deep.equal(flow);
    expect(world.provider.count('token')).to.equal(asked + 1);
    expect(await world.documents(tenantId)).to.have.length(1);
    expect(await world.events(tenantId)).to.deep.equal(['EID_SUCCESS']);
  });

  it('who sends the same callback twice at once: only one is processed', async () => {
    const { tenantId, browser, signIn } = await world.person();
    const callback = await signIn();
    const asked = world.provider.count('token');
    const pages = await Promise.all([1, 2, 3].map(() => browser.open(callback)));
    expect(pages.map(({ status }) => status)).to.deep.equal([303, 303, 303]);
    expect(world.provider.count('token')).to.equal(asked + 1);
    await world.succeeded(tenantId);
    expect(await world.documents(tenantId)).to.have.length(1);
    expect(await world.events(tenantId)).to.deep.equal(['EID_SUCCESS']);
  });

  it('with a used code, or one issued for another attempt', async () => {
    const [victim, attacker, other] = [await world.person(), await world.person(), await world.person()];
    const used = await victim.signIn();
    await victim.browser.open(used);
    await world.succeeded(victim.tenantId);
    const unused = await other.signIn();
    for (const stolen of [used, unused]) {
      const person = stolen === used ? attacker : await world.person();
      const callback = changed(await person.signIn(), (fields) => fields.set('code', fieldOf(stolen, 'code')));
      expect((await person.browser.open(callback)).location).to.equal(person.link);
      await failed(person.tenantId, 'invalid_grant');
    }
    expect(await world.documents(victim.tenantId)).to.have.length(1);
  });

  it('in another browser, without the cookie or with another flow’s; the person can still continue', async () => {
    const [victim, attacker] = [await world.person(), await world.person()];
    const callback = await victim.signIn();
    await attacker.signIn();
    const asked = world.provider.count('token');
    for (const browser of [new WebBrowser(), attacker.browser]) {
      const page = await browser.open(callback);
      expect(page.status).to.equal(403);
      expect(page.location).to.equal(null);
    }
    expect(world.provider.count('token')).to.equal(asked);
    await untouched(victim.tenantId);
    expect((await victim.browser.open(callback)).location).to.equal(BACK);
    await world.succeeded(victim.tenantId);
  });

  it("with another tenant's state and a code of their own, in either browser", async () => {
    const [victim, attacker] = [await world.person(), await world.person()];
    const [theirs, own] = [await victim.signIn(), await attacker.signIn()];
    const mixed = changed(own, (fields) => fields.set('state', fieldOf(theirs, 'state')));
    expect((await attacker.browser.open(mixed)).status).to.equal(403);
    await untouched(victim.tenantId);
    expect((await victim.browser.open(own)).status, 'the victim is lured to the callback of the attacker').to.equal(
      403,
    );
    await untouched(attacker.tenantId);
    expect((await victim.browser.open(mixed)).location).to.equal(victim.link);
    await failed(victim.tenantId, 'invalid_grant');
  });

  it('with another nonce', async () => {
    const { tenantId, link, browser } = await world.person();
    const { location } = await browser.follow(link);
    const address = changed(location ?? '', (fields) => fields.set('nonce', 'another'));
    const callback = await browser.signIn(address, `${world.callback}?`, { login: 'ada' });
    expect((await browser.open(callback)).location).to.equal(link);
    await failed(tenantId, 'nonce');
  });

  it('with the answer of another issuer', async () => {
    const { tenantId, link, browser, signIn } = await world.person();
    const callback = changed(await signIn(), (fields) => fields.set('iss', 'https://other.example'));
    expect((await browser.open(callback)).location).to.equal(link);
    await failed(tenantId, 'INVALID_RESPONSE');
  });

  it('with an ID token from another issuer, or signed by another key', async () => {
    for (const [claims, foreignKey, about] of [
      [{ iss: 'https://other.example' }, false, 'iss'],
      [{}, true, 'INVALID_RESPONSE'],
    ] as const) {
      world.provider.alterations.set('token', (body) => ({
        ...body,
        id_token: world.provider.resign(body['id_token'], claims, foreignKey),
      }));
      const { tenantId, link, authorize } = await world.person();
      expect((await authorize()).location).to.equal(link);
      await failed(tenantId, about);
    }
  });

  it('with the cookie: it is bound to our eID pages, and hidden from scripts', async () => {
    const { link } = await world.person();
    const page = await new WebBrowser().open(link);
    expect(page.headers.getSetCookie()).to.have.length(1);
    expect(page.headers.getSetCookie()[0]).to.match(/; Path=\/verify\/eid;.*HttpOnly.*SameSite=Lax/);
  });
});
