import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { send } from '../../harness/service/client.ts';
import { loadPages, pageRequest, type RouteRequest, watchRoutes } from '../../harness/service/every-route.ts';
import { startTestService } from '../../harness/service/service.ts';
import { challenged, present } from '../desk/passkey-browser.ts';

databases('both');

/** Behind a sign-in: `attacks.test.ts` of both offices. */
const OFFICE = /^\/desk\/(?!sign-)/;
/** They take files, or what the page's script sends. */
const WITHOUT_FORM = /\/documents(?:\/|$)|^\/providers\//;
const MANY = 'x=1&'.repeat(500);

describe('text that no row can hold', () => {
  let routes: ReturnType<typeof watchRoutes> | undefined;
  const test = suiteFixture(() => {
    routes = watchRoutes();
    return startTestService({ RUN_WORKERS: 'false' });
  });
  const pages: (RouteRequest & { route: string })[] = [];
  before(async () => {
    await loadPages(test);
    routes?.end();
    for (const route of routes?.all() ?? [])
      if (!route.path.startsWith('/api/') && !OFFICE.test(route.path))
        pages.push({ ...(await pageRequest(test, route)), route: route.path });
  });

  const ask = ({ method, path, headers, body }: RouteRequest) => send(test.service.url, method, path, headers, body);

  it('is refused in the query of every page', async () => {
    const reading = pages.filter(({ method }) => method === 'GET');
    expect(reading.length).to.be.above(15);
    for (const page of reading)
      for (const query of ['report=%00', 'state=%00', '%00=x', MANY]) {
        const { status, headers } = await ask({ ...page, path: `${page.path}?${query}` });
        expect(status, `${page.name} ${query}`).to.be.below(500);
        // What is no page has no query.
        if (String(headers['content-type']).startsWith('text/html')) expect(status, page.name).to.not.equal(200);
      }
  });

  it('is refused in every form', async () => {
    const forms = pages.filter(({ method, route }) => method === 'POST' && !WITHOUT_FORM.test(route));
    expect(forms.length).to.be.above(10);
    for (const form of forms)
      for (const field of ['name=%00', 'email=%00', 'account=%00', '%00=x', MANY]) {
        const { status } = await ask({ ...form, body: `answer=accept&${field}` });
        expect(status, `${form.name} ${field}`).to.equal(400);
      }
  });

  it('is refused as the id of a passkey before a database is asked', async () => {
    const { runtime, url } = test.service;
    // Passkeys are for names alone.
    const named = `http://localhost:${new URL(url).port}`;
    const { publicUrl } = runtime;
    runtime.publicUrl = () => named;
    const ours = await challenged(`${named}/desk`);
    const { challenge } = Object.fromEntries(Object.entries(ours.options));
    const encoded = (text: string) => Buffer.from(text).toString('base64url');
    const clientDataJSON = encoded(JSON.stringify({ type: 'webauthn.get', challenge, origin: named }));
    const response = { clientDataJSON, authenticatorData: '', signature: '', userHandle: encoded('no one') };
    for (const id of ['\0', 'unknown']) {
      const credential = JSON.stringify({ id, rawId: id, type: 'public-key', response });
      expect((await present(`${named}/desk`, ours, credential)).status).to.equal(403);
    }
    runtime.publicUrl = publicUrl;
  });

  it('leads to no page in a path', async () => {
    for (const page of pages)
      for (const { index } of page.route.matchAll(/:\w+/g)) {
        const at = page.route.slice(0, index).split('/').length - 1;
        const { status } = await ask({ ...page, path: page.path.split('/').with(at, '%00').join('/') });
        expect(status, `${page.name} ${at}`).to.be.within(300, 499);
      }
  });
});
