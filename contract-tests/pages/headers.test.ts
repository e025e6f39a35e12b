import { expect } from 'chai';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const PARTNER = 'https://partner.example';
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const person = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('every answer at a verification’s address', () => {
  let kyc: string;
  let eid: string;
  const test = useService({ FRAME_ANCESTORS: PARTNER });
  before(async () => {
    const tenants = [{ email: 'headers@mail.example', is_lead: true }];
    await test.alice.ok('createApplication', { body: { title: 'Headers', tenants } });
    const params = { tenantId: (await test.tenant('headers@mail.example')).id };
    const body = { redirect_url: 'https://letting.example/back' };
    const { verification_url } = (await test.alice.ok('initiateKyc', { params })).data;
    const { verification_link } = (await test.alice.ok('initiateEid', { params, body })).data;
    for (const link of [verification_url, verification_link]) await new WebBrowser().agree(link);
    kyc = new URL(verification_url).pathname;
    eid = new URL(verification_link).pathname;
  });

  const expectGuarded = async (
    ancestors: string,
    status: number,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ) => {
    const answer = await send(test.service.url, method, path, headers, body);
    const what = `${method} ${path}`;
    expect(answer.status, what).to.equal(status);
    expect(answer.headers['content-security-policy'], what).to.include(`frame-ancestors ${ancestors}`);
    expect(answer.headers['content-security-policy'], what).to.match(/^default-src 'none'/);
    expect(answer.headers, what).to.include({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    return answer;
  };

  it('restricts framing, caching, referrers and sniffing: pages, redirects, refusals', async () => {
    for (const [status, method, place, headers, body] of [
      [303, 'GET', ''],
      [200, 'GET', '/name'],
      [303, 'GET', '/outcome'],
      [200, 'GET', '/left'],
      [200, 'GET', '/status'],
      [404, 'GET', '/nothing', person],
      [404, 'GET', 'x'],
      [404, 'GET', 'x/status'],
      [405, 'DELETE', '', person],
      [405, 'POST', '', person],
      [400, 'POST', '/name', { ...form, ...person }, 'name='],
      [400, 'POST', '/name', form, `name=${'x'.repeat(9000)}`],
      [400, 'POST', '/name', { ...form, 'content-encoding': 'unknown' }, 'name=x'],
    ] as const)
      await expectGuarded(PARTNER, status, method, kyc + place, headers, body);
    await expectGuarded(PARTNER, 400, 'GET', '/verify/kyc/%ff', person);
  });

  it('of a national eID cannot be framed', async () => {
    for (const [status, method, path] of [
      [303, 'GET', eid],
      [405, 'HEAD', eid],
      [405, 'POST', '/verify/eid/callback'],
      [404, 'GET', '/verify/eid/callback?state=x'],
      [404, 'GET', '/verify/eid/guessed'],
      [400, 'GET', '/verify/eid/%ff'],
    ] as const)
      await expectGuarded("'none'", status, method, path, person);
  });

  it('is a page for a person even on our failures, and the envelope for a program', async () => {
    const { db } = test.service.runtime;
    await db.schema.renameTable('tenants', 'tenants_away');
    try {
      for (const [ancestors, path] of [
        [PARTNER, kyc],
        ["'none'", eid],
      ] as const) {
        const page = await expectGuarded(ancestors, 500, 'GET', path, person);
        expect(page.headers['content-type']).to.equal('text/html; charset=utf-8');
        expect(page.text).to.include('Something went wrong on our side');
        const envelope = await expectGuarded(ancestors, 500, 'GET', path);
        expect(JSON.parse(envelope.text)).to.include({ status: 'error' });
      }
    } finally {
      await db.schema.renameTable('tenants_away', 'tenants');
    }
  });
});
