import { expect } from 'chai';
import { addTenant } from '../../db/applications/tenants.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { OidcProvider } from '../../harness/peers/oidc-provider.ts';
import { eventually } from '../../harness/process/signals.ts';
import { BACK } from '../../harness/service/eid-world.ts';
import { startLoggedService } from './logged-service.ts';

databases('either');

const EMAIL = 'confidential.ada@mail.example';
const CLAIMS = { name: 'Confidencia Reservada', birthdate: '1815-12-10', email: 'confidential.claim@mail.example' };

const OTHER_PERSON = 'The provider does not give the claims';

describe('the log of successful and failed national eID flows', () => {
  const secrets = new Set<string>([EMAIL, ...Object.values(CLAIMS), 'confidential', 'Confidencia', BACK]);

  const provider = suiteFixture(() => OidcProvider.start());
  const logged = suiteFixture(() =>
    startLoggedService({
      ...provider.env(),
      EID_ACR_VALUES: 'high',
      EID_SCOPES: 'openid profile email',
    }),
  );
  before(async () => {
    secrets.add(provider.clientSecret);
    provider.people.set('confidential-login', { level: 'high', claims: CLAIMS });
    provider.people.set('confidential-low', { level: 'low', claims: CLAIMS });
    provider.register(`${logged.service.url}/verify/eid/callback`);
    await logged.client.authenticate();
    await tellStories();
  });

  const person = async (email: string) => {
    const { db } = logged.service.runtime;
    await logged.client.ok('createApplication', { body: { title: 'Flat', tenants: [{ email, is_lead: true }] } });
    const { tenant } = await db.transaction((trx) => addTenant(trx, { email, name: CLAIMS.name }, new Date()));
    const input = { params: { tenantId: tenant.id }, body: { redirect_url: BACK } };
    const link = (await logged.client.ok('initiateEid', input)).data.verification_link;
    secrets.add(link.split('/').at(-1) ?? '');
    return { tenantId: tenant.id, link, browser: new WebBrowser() };
  };
  /** Every value carried in the addresses is a secret. */
  const remember = (address: string) => {
    for (const name of ['state', 'nonce', 'code', 'code_challenge'])
      for (const value of new URL(address).searchParams.getAll(name)) secrets.add(value);
  };
  const keepTokens = (alter: (body: Record<string, unknown>) => Record<string, unknown> = (body) => body) =>
    provider.alterations.set('token', (body) => {
      const altered = alter(body);
      for (const { access_token, id_token } of [body, altered]) {
        secrets.add(String(access_token));
        for (const part of String(id_token).split('.')) secrets.add(part);
      }
      return altered;
    });
  const signIn = async (link: string, browser: WebBrowser, form: Record<string, string>) => {
    await browser.agree(link);
    const { location } = await browser.open(link);
    remember(location ?? '');
    const callback = await browser.signIn(location ?? '', `${logged.service.url}/verify/eid/callback?`, form);
    remember(callback);
    for (const cookies of browser.cookies.values()) for (const { value } of cookies) secrets.add(value);
    return callback;
  };
  const flow = (tenant_id: string) => logged.service.runtime.db('eid_flows').where({ tenant_id }).first();

  async function tellStories(): Promise<void> {
    const login = { login: 'confidential-login' };
    keepTokens();
    const good = await person(EMAIL);
    provider.faults.set('discovery', 'reset');
    await good.browser.open(good.link);
    provider.faults.clear();
    const callback = await signIn(good.link, good.browser, login);
    await new WebBrowser().open(callback);
    await good.browser.open(callback.replace('state=', 'state=confidential'));
    provider.faults.set('token', 'unavailable');
    await good.browser.open(callback);
    provider.faults.set('token', 'reset').set('userinfo', 'unavailable');
    await good.browser.open(await signIn(good.link, good.browser, login));
    provider.faults.delete('token');
    await good.browser.open(await signIn(good.link, good.browser, login));
    await eventually('the download failed', async () => ((await flow(good.tenantId))?.failures ?? 0) > 0);
    provider.alterations.set('userinfo', (claims) => ({ ...claims, sub: 'confidential-other' }));
    provider.faults.clear();
    await eventually('the download failed again', () => logged.text().includes(OTHER_PERSON));
    secrets.add('confidential-other');
    provider.alterations.delete('userinfo');
    await eventually('the download worked', async () => (await flow(good.tenantId))?.status === 'succeeded');
    await badStories(login);
  }

  async function badStories(login: Record<string, string>): Promise<void> {
    for (const [index, [form, alter, tamper]] of Object.entries([
      [{ no: 'access_denied' }],
      [{ login: 'confidential-low' }],
      [
        login,
        (body: Record<string, unknown>) => ({
          ...body,
          id_token: provider.resign(body['id_token'], { nonce: 'confidential-n' }),
        }),
      ],
      [login, (body: Record<string, unknown>) => ({ ...body, id_token: provider.resign(body['id_token'], {}, true) })],
      [login, undefined, (callback: string) => `${callback}&code=confidential-code`],
      [login, undefined, (callback: string) => callback.replace(/iss=[^&]*/, 'iss=https://confidential.example')],
      [login, undefined, (callback: string) => callback.replace(/code=[^&]*/, 'error=confidential_error_of_mine')],
    ] as const)) {
      const { link, browser, tenantId } = await person(`confidential.${index}@mail.example`);
      keepTokens(alter);
      const callback = await signIn(link, browser, form);
      await browser.open(tamper ? tamper(callback) : callback);
      expect((await flow(tenantId))?.status).to.match(/^(failed|cancelled)$/);
    }
  }

  it('shows no code, token, state, nonce, cookie, link, claim, secret or address', () => {
    expect(secrets.size).to.be.greaterThan(60);
    for (const secret of secrets) expect(logged.text(), secret).to.not.include(secret);
  });

  it('names the purpose of each request, because no path is shown', () => {
    const requests = logged
      .text()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line));
    expect(requests.filter(({ operation }) => operation === undefined)).to.deep.equal([]);
    expect(requests.map(({ operation }) => operation)).to.include.members(['eidLink', 'eidCallback']);
  });

  it('reports to operators that the provider was down and that the download failed', () => {
    expect(logged.text()).to.include('The provider answered 503.').and.include(OTHER_PERSON);
  });

  it('stores none of it as the reason of an outcome, nor the memory of a finished flow', async () => {
    const flows = await logged.service.runtime.db('eid_flows').select('status', 'failure', 'sealed_memory');
    expect(flows).to.have.length(8);
    for (const { failure, sealed_memory } of flows) {
      expect(sealed_memory).to.equal(null);
      for (const secret of secrets) expect(failure ?? '').to.not.include(secret);
    }
  });
});
