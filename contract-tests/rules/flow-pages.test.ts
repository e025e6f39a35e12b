import { expect } from 'chai';
import { build } from '../../bin/build.ts';
import { send } from '../harness/client.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const REDIRECT_URL = 'http://localhost:4000/back?case=8121';

describe('the hosted pages of the sandbox', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService();
  });
  after(() => test.stop());

  const applicant = async (email: string): Promise<string> => {
    const { id } = await test.tenant(email);
    await test.alice.ok('createApplication', { body: { title: email, tenants: [{ email, is_lead: true }] } });
    return id;
  };
  const open = (url: string) => send(test.service.url, 'GET', new URL(url).pathname);
  const kycPage = async (email: string): Promise<string> => {
    const tenantId = await applicant(email);
    return (await test.alice.ok('initiateKyc', { params: { tenantId } })).data.verification_url;
  };
  const eidLink = async (email: string): Promise<string> => {
    const tenantId = await applicant(email);
    const body = { redirect_url: REDIRECT_URL };
    return (await test.alice.ok('initiateEid', { params: { tenantId }, body })).data.verification_link;
  };

  it('tell a surrounding page KYC_COMPLETED as a bare string once the verification succeeded', async () => {
    const url = await kycPage('good@mail.example');
    const page = await until('the page told its parent', async () => {
      const { text } = await open(url);
      return text.includes('KYC_COMPLETED') && text;
    });
    expect(page).to.include("postMessage('KYC_COMPLETED', '*')");
  });

  it('tell a surrounding page KYC_ERROR once the verification failed', async () => {
    const url = await kycPage('bad+kyc-rejected@mail.example');
    await until('the page told its parent', async () =>
      (await open(url)).text.includes("postMessage('KYC_ERROR', '*')"),
    );
  });

  it('let a person leave while the verification is under way, and tell a surrounding page KYC_USER_EXIT', async () => {
    const slow = await startTestService({ SANDBOX_DELAY_MS: '600000' });
    try {
      const { id } = await slow.tenant('leaves@mail.example');
      const tenants = [{ email: 'leaves@mail.example', is_lead: true }];
      await slow.alice.ok('createApplication', { body: { title: 'Leaves', tenants } });
      const { data } = await slow.alice.ok('initiateKyc', { params: { tenantId: id } });
      const { text } = await send(slow.service.url, 'GET', new URL(data.verification_url).pathname);
      expect(text).to.include("postMessage('KYC_USER_EXIT', '*')").and.to.include('<button id="leave"');
    } finally {
      await slow.stop();
    }
  });

  it('have their addresses under PUBLIC_URL, which is how a browser reaches them', async () => {
    const publicUrl = 'https://screening.example/base';
    const { runtime, close } = await build({ ...test.config, publicUrl }, { log: test.service.runtime.log });
    const tenant = await test.tenant('proxy@mail.example');
    const flow = { id: 'flow', tenant, startedAt: new Date() };
    const { verificationUrl } = await runtime.providers.kyc.start(flow);
    const { verificationLink } = await runtime.providers.eid.start(flow);
    await close();
    expect(verificationUrl.startsWith(`${publicUrl}/verify/kyc/flow.`)).to.equal(true);
    expect(verificationLink.startsWith(`${publicUrl}/verify/eid/flow.`)).to.equal(true);
  });

  it('run no script but their own and may be framed only where they are meant to be', async () => {
    const kyc = await open(await kycPage('policy@mail.example'));
    expect(kyc.headers['content-security-policy']).to.match(
      /^default-src 'none'; script-src 'nonce-[^']+';.*frame-ancestors \*$/,
    );
    expect(kyc.headers['content-type']).to.equal('text/html; charset=utf-8');
  });

  it('are kept by no cache, and neither is the way back', async () => {
    const link = await eidLink('cache@mail.example');
    const pages = [await open(await kycPage('cache@mail.example')), await open(link)];
    const back = await until('the page sent the person back', async () => {
      const page = await open(link);
      return page.status === 303 && page;
    });
    for (const { headers } of [...pages, back]) expect(headers['cache-control']).to.equal('no-store');
  });

  for (const email of ['eid@mail.example', 'eid+eid-failed@mail.example'])
    it(`send ${email} back to the redirect_url when the national eID flow is over`, async () => {
      const link = await eidLink(email);
      const answer = await until('the page sent the person back', async () => {
        const page = await open(link);
        return page.status === 303 && page;
      });
      expect(answer.headers['location']).to.equal(REDIRECT_URL);
    });

  it('are closed to links that we did not make: changed, of the other flow, or of nothing', async () => {
    const link = await eidLink('forged@mail.example');
    const token = link.split('/').at(-1) ?? '';
    const flipped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const path of [
      `/verify/eid/${flipped}`,
      `/verify/kyc/${token}`,
      '/verify/eid/x',
      `/verify/kyc/abc.%C3%A9${'a'.repeat(42)}`,
      `/verify/eid/${token.split('.')[0]}`,
    ]) {
      const { status, text } = await send(test.service.url, 'GET', path);
      expect(status, path).to.equal(404);
      expect(JSON.parse(text)).to.deep.equal({ status: 'error', message: 'Verification not found.' });
    }
  });
});
