import { request } from 'node:http';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { consoleRoutes } from '../../http/backoffice/routes.ts';
import { useOperatorAtWork } from './at-work.ts';
import { OperatorBrowser } from './operators.ts';
import { addressOf } from './scene.ts';

databases('either');

/** Sends a request target unchanged: HTTP clients would normalize it. */
function raw(base: string, method: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const asked = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.on('error', reject);
    });
    asked.on('error', reject).end();
  });
}

describe('attacks on the console', () => {
  const { test, scene, operator, db, example } = useOperatorAtWork();
  const origin = () => new URL(operator.base).origin;
  const cookieOf = ({ browser }: OperatorBrowser) =>
    `console=${browser.cookies.get(origin())?.find(({ name }) => name === 'console')?.value}`;
  const entries = async () => Number((await db()('audit_entries').count({ n: '*' }))[0]?.n);

  it('the public port does not serve it under any spelling of the path', async () => {
    for (const path of [
      ...['/console', '/console/', '/console/sign-in', '/console/deliveries', '//console/', '/Console/', '/console%2F'],
      ...['/./console/', '/api/../console/', '/api/v1/../../console/', '/docs/..%2fconsole/', '/%63onsole/'],
      ...['/console;a=b/', '/console/?status=failed', `${operator.base}/`],
    ])
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const { status, text, headers } = await raw(test.service.url, method, path, { cookie: cookieOf(operator) });
        expect(status, `${method} ${path}`).to.be.oneOf([400, 404, 405]);
        expect(text).to.not.include('Screening console');
        expect(headers['set-cookie'], path).to.equal(undefined);
      }
  });

  it('no alternative spelling of a path bypasses the guard, and probes are unaffected', async () => {
    for (const path of [
      ...['/console/Deliveries', '/console//deliveries', '/console/deliveries/', '/console/./deliveries'],
      ...['/console/deliveries%2F', '/console/sign-in/../deliveries', '/console/%64eliveries', '/console;x/deliveries'],
      ...['/consoles', '/console/sign-out/../people', `${origin()}/console/deliveries`],
    ]) {
      const { status, text } = await raw(origin(), 'GET', path);
      expect(status, path).to.be.oneOf([400, 401, 404]);
      expect(text, path).to.not.include('letting.example');
    }
    expect((await raw(origin(), 'GET', '/livez')).status).to.equal(200);
  });

  it('an id that no row can hold is not found', async () => {
    for (const place of ['applications', 'people', 'analyses', 'deliveries', 'webhooks', 'landlords', 'keys'])
      expect((await operator.browser.open(`${operator.base}/${place}/%00`)).status, place).to.equal(404);
  });

  it('HEAD reveals no more than GET, and other methods reveal nothing', async () => {
    for (const route of consoleRoutes) {
      const path = `/console${addressOf(route, scene)}`;
      const head = await raw(origin(), 'HEAD', path);
      expect([401, 405], `HEAD ${path}`).to.include(head.status);
      expect(head.text).to.equal('');
      for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH']) {
        const { status, headers } = await raw(origin(), method, path, { cookie: cookieOf(operator) });
        expect(status, `${method} ${path}`).to.equal(405);
        expect(headers['access-control-allow-origin'], path).to.equal(undefined);
      }
    }
  });

  it('a forged Host header changes no link and no redirect', async () => {
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    for (const path of ['/console/', '/console/deliveries', '/console/sign-in', '/console']) {
      const { text, headers } = await raw(origin(), 'GET', path, { ...forged, cookie: cookieOf(operator) });
      expect(`${text} ${headers.location ?? ''} ${headers['set-cookie'] ?? ''}`, path).to.not.include('evil.example');
    }
  });

  it('a cross-site action, or one with another session’s token, has no effect, with any cookie', async () => {
    const [other, viewer] = [
      await OperatorBrowser.signIn(test, 'operator'),
      await OperatorBrowser.signIn(test, 'viewer'),
    ];
    const token = async (one: OperatorBrowser) =>
      /name="csrf" value="([^"]+)"/.exec((await one.open('/')).text)?.[1] ?? expect.fail('no token');
    const [ours, theirs, viewers] = [await token(operator), await token(other), await token(viewer)];
    const path = `${operator.base}/webhooks/${example('/webhooks/')}/pause`;
    const before = await entries();
    const tries: [headers: Record<string, string>, csrf: string, status: number][] = [
      [{ cookie: cookieOf(operator) }, theirs, 403],
      [{ cookie: cookieOf(other) }, ours, 403],
      [{ cookie: cookieOf(viewer) }, viewers, 403],
      [{ cookie: cookieOf(operator), 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, ours, 403],
      [{ cookie: `${cookieOf(viewer)}; ${cookieOf(operator)}` }, ours, 403],
      [{ cookie: `console=${'a'.repeat(43)}` }, ours, 401],
      [{ cookie: cookieOf(operator).toUpperCase() }, ours, 401],
      [{}, ours, 401],
    ];
    for (const [headers, csrf, status] of tries) {
      const body = new URLSearchParams({ csrf, reason: 'attack' });
      const answer = await fetch(path, { method: 'POST', headers, body, redirect: 'manual' });
      expect(answer.status, JSON.stringify(headers)).to.equal(status);
    }
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = { cookie: cookieOf(operator), 'content-type': type };
      const answer = await fetch(path, {
        method: 'POST',
        headers,
        body: `csrf=${ours}&reason=attack`,
        redirect: 'manual',
      });
      expect(answer.status, type).to.be.oneOf([400, 403]);
    }
    expect(await entries()).to.equal(before);
    expect(
      await db()('webhooks')
        .where({ id: example('/webhooks/') })
        .first(),
    ).to.include({ paused_at: null });
  });

  it('no page can be cached, framed or made to run third-party scripts', async () => {
    for (const path of ['/console/', '/console/sign-in', '/console/nowhere']) {
      const { headers } = await raw(origin(), 'GET', path, { cookie: cookieOf(operator) });
      expect(headers['cache-control'], path).to.equal('no-store');
      expect(headers['content-security-policy'], path)
        .to.include("default-src 'none'")
        .and.include("script-src 'self'")
        .and.include("frame-ancestors 'none'")
        .and.not.include('unsafe');
    }
  });
});
