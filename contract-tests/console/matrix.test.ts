import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { useService } from '../../harness/service/service.ts';
import { consoleRoutes } from '../../http/backoffice/routes.ts';
import { CONSOLE, consoleUrl, OperatorBrowser } from './operators.ts';
import { type Scene, setScene } from './scene.ts';

databases('either');

/** Requests every route as every role: permissions are defined in the route table and nowhere else. */
describe('the routes of the console', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const scene: Scene = suiteFixture(() => setScene(test));
  let viewer: OperatorBrowser;
  let operator: OperatorBrowser;
  const base = () => consoleUrl(test);

  before(async () => {
    viewer = await OperatorBrowser.signIn(test, 'viewer');
    operator = await OperatorBrowser.signIn(test, 'operator');
  });

  /** A form that is not taken is shown again on its page, whose read is recorded. */
  const entries = async () => {
    const acts = test.service.runtime.db('audit_entries').whereNot('action', 'like', '%.read');
    return Number((await acts.count({ n: '*' }))[0]?.n);
  };

  for (const route of consoleRoutes) {
    const { method, path, role } = route;
    const name = `${method} ${path}`;

    it(`${name} answers unauthenticated requests with 401, unknown sessions included`, async () => {
      const address = `${base()}${addressOf(route, scene)}`;
      for (const cookie of ['', `console=${'a'.repeat(43)}`]) {
        const answer = await fetch(address, { method, headers: { cookie }, redirect: 'manual' });
        expect(answer.status).to.equal(401);
        expect(await answer.text()).to.include('You are signed out');
      }
    });

    it(`${name} is not on the public port`, async () => {
      const address = `${test.service.url}/console${addressOf(route, scene)}`;
      expect((await fetch(address, { method, redirect: 'manual' })).status).to.equal(404);
    });

    if ('isFile' in route)
      it(`${name} serves viewers a file that loads and runs nothing`, async () => {
        const { status, headers } = await viewer.browser.open(`${base()}${addressOf(route, scene)}`);
        expect(status).to.equal(200);
        expect(headers.get('content-security-policy')).to.match(/^default-src 'none';.* sandbox/);
        expect(headers.get('cache-control')).to.equal('no-store');
      });
    else if (method === 'GET')
      it(`${name} shows viewers a page, and refuses POST unless a route allows it`, async () => {
        expect(role).to.equal('viewer');
        const page = await viewer.open(addressOf(route, scene));
        expect(page.status).to.equal(200);
        expect(page.text.match(/<h1/g)).to.have.length(1);
        if (consoleRoutes.some((other) => other.path === path && other.method === 'POST')) return;
        expect((await operator.act(addressOf(route, scene))).status).to.equal(405);
      });
    else {
      if (isOwn(path))
        it(`${name} is for viewers, too, because it changes what is theirs alone`, async () => {
          expect(role).to.equal('viewer');
          expect((await viewer.act(path)).status).to.be.oneOf([303, 400, 409]);
        });
      else
        it(`${name} refuses viewers, and changes nothing`, async () => {
          expect(role).to.equal('operator');
          const before = await entries();
          const answer = await viewer.act(addressOf(route, scene));
          expect(answer.status).to.equal(403);
          expect(await entries()).to.equal(before);
        });

      it(`${name} refuses a form without a CSRF token, with another session’s token, or from another site`, async () => {
        const before = await entries();
        const address = addressOf(route, scene);
        const other = await OperatorBrowser.signIn(test, 'operator');
        const since = await entries();
        expect((await operator.act(address, { csrf: '' })).status).to.equal(403);
        expect((await operator.act(address, { csrf: await tokenOf(other) })).status).to.equal(403);
        const [cookie] = operator.browser.cookies.get(new URL(base()).origin) ?? [];
        for (const site of ['cross-site', 'same-site', 'none']) {
          const answer = await fetch(`${base()}${address}`, {
            method: 'POST',
            headers: { cookie: `console=${cookie?.value}`, 'sec-fetch-site': site },
            body: new URLSearchParams({ csrf: await tokenOf(operator) }),
          });
          expect(answer.status, site).to.equal(403);
        }
        expect(await entries())
          .to.equal(since)
          .and.above(before);
      });

      it(`${name} lets operators through`, async () => {
        // The response to a form without fields depends on the action.
        expect((await operator.act(addressOf(route, scene))).status).to.be.oneOf([200, 303, 400, 409]);
      });
    }
  }

  async function tokenOf(someone: OperatorBrowser): Promise<string> {
    const { text } = await someone.open('/');
    return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  }
});

/** Whose handlers take nothing but the visitor's own id. */
function isOwn(path: string): boolean {
  return path.startsWith('/account') || path === '/proof';
}

describe('without CONSOLE=true', () => {
  const test = useService({ OPS_PORT: '0' });

  it('there is no console', async () => {
    for (const path of ['/console', '/console/', '/console/sign-in'])
      expect((await fetch(`${test.service.operatorsUrl}${path}`)).status, path).to.equal(404);
  });
});
