import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { basePath, operations } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { useService } from '../../harness/service/service.ts';
import { ScreeningClient, ScreeningError } from '../../packages/client/client.ts';
import { Operations } from '../../packages/client/generated/operations.ts';
import { MAX_BODY_BYTES, verifyWebhook, WebhookVerificationError } from '../../packages/webhooks/webhooks.ts';
import { readSiteContract } from '../../site/contract.ts';

databases('sqlite');

interface Vector {
  secret: string;
  former_secrets?: string[];
  headers: Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
  body: string;
}

const vectors: Vector[] = JSON.parse(readFileSync('docs/guides/webhook-test-vectors.json', 'utf8'));

const EMAIL = 'lea+registered+kyc-verified@mail.example';

describe('the packages for integrators', () => {
  it('have the version of the contract, and what npm and pip need to publish them', () => {
    const { version } = readSiteContract();
    for (const name of ['client', 'webhooks', 'kyc-frame']) {
      const manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'));
      expect(manifest, name).to.include({ name: `@tenant-screening/${name}`, version, type: 'module' });
      expect(manifest, name).to.not.have.property('private');
      expect(readFileSync(`packages/${name}/README.md`, 'utf8')).to.include(`npm install ${manifest.name}`);
    }
    expect(readFileSync('packages/python/pyproject.toml', 'utf8')).to.include(`\nversion = "${version}"\n`);
  });
});

describe('the typed client', () => {
  const test = useService();
  /** A client, and the number of its requests by path. */
  const counted = (change: (request: RequestInit, path: string) => RequestInit = (request) => request) => {
    const asked = new Map<string, number>();
    const client = new ScreeningClient({
      baseUrl: `${test.service.url}${basePath}/`,
      clientId: test.alice.clientId,
      clientSecret: test.alice.clientSecret,
      fetch: (input, init = {}) => {
        const path = new URL(String(input)).pathname.slice(basePath.length);
        asked.set(path, (asked.get(path) ?? 0) + 1);
        return fetch(input, change(init, path));
      },
    });
    return { client, asked };
  };

  it('has a method for each operation but the token’s, which it calls on its own', () => {
    const methods = Object.getOwnPropertyNames(Operations.prototype);
    const expected = operations.map(({ operationId }) => operationId).filter((id) => id !== 'generateToken');
    expect(methods).to.have.members(['constructor', ...expected]);
  });

  it('walks from an application to its people with one token, also when calls begin at once', async () => {
    const { client, asked } = counted();
    const tenants = [{ email: EMAIL, is_lead: true }, { email: "o'neil/50%+x@mail.example" }];
    const { data } = await client.createApplication({ title: 'Studio', tenants });
    const applicationId = data.application_id;
    const [read, workspaces] = await Promise.all([client.getApplication({ applicationId }), client.listWorkspaces()]);
    expect(workspaces.data.workspaces).to.deep.equal([]);
    const [lead, guest] = read.data.participants;
    const params = { applicationId, email: guest?.email ?? '' };
    const changed = await client.updateParticipant(params, { name: 'Una O’Neil' });
    expect(changed.data.participants[1]?.name).to.equal('Una O’Neil');
    const tenantId = lead?.id ?? '';
    expect((await client.initiateKyc({ tenantId })).data.verification_url).to.include('/verify/kyc/');
    expect((await client.removeParticipant(params)).data.participants).to.have.length(1);
    expect(asked.get('/authenticate/token')).to.equal(1);
  });

  it('throws what the error envelope says, and decides by the status', async () => {
    const { client } = counted();
    const { data } = await client.createApplication({ title: 'Flat', tenants: [{ email: EMAIL, is_lead: true }] });
    const lead = { applicationId: data.application_id, email: EMAIL };
    const refused = await client.removeParticipant(lead).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ScreeningError).and.include({ status: 409, name: 'ScreeningError' });
    expect(refused).to.have.property('requestId').that.is.a('string');
    const listed = await client.getProperty({ property_id: 'none', workspace_id: 'none' }).catch((error) => error);
    expect(listed.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['workspace_id']);
  });

  it('gets one new token after a 401, and gives up after a second', async () => {
    const bearers: (string | null)[] = [];
    const spoilt = (times: number) =>
      counted((request, path) => {
        const headers = new Headers(request.headers);
        if (path === '/property-management/workspaces' && bearers.push(headers.get('authorization')) <= times)
          headers.set('authorization', 'Bearer revoked');
        return { ...request, headers };
      });
    const once = spoilt(1);
    await once.client.listWorkspaces();
    expect(once.asked.get('/authenticate/token')).to.equal(2);
    bearers.length = 0;
    const always = spoilt(9);
    const error = await always.client.listWorkspaces().catch((refusal) => refusal);
    expect(error).to.include({ status: 401 });
    expect(bearers).to.have.length(2);
  });
});

describe('the webhook verifier', () => {
  const test = useService();
  const receiver = suiteFixture(() => Receiver.start());

  it('accepts a real delivery with any of its secrets, types its event, and refuses it when it was changed', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const { data } = await test.alice.ok('createApplication', {
      body: { title: 'Flat', tenants: [{ email: EMAIL, is_lead: true }] },
    });
    const { participants } = (await test.alice.ok('getApplication', { params: { applicationId: data.application_id } }))
      .data;
    await test.alice.ok('createWebhook', { body: { url: receiver.url, secret } });
    await test.alice.ok('initiateKyc', { params: { tenantId: participants[0]?.id ?? '' } });
    const [delivery] = await receiver.next('KYC_VERIFICATION_DATA');
    if (!delivery) throw new Error('No delivery.');
    const { body, headers } = delivery;
    for (const form of [body, Buffer.from(body)])
      for (const given of [
        headers,
        new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      ]) {
        const { id, event } = verifyWebhook(form, given, ['another', secret]);
        expect(id).to.equal(headers['webhook-id']);
        if (event?.event !== 'KYC_VERIFICATION_DATA') throw new Error('Another event.');
        expect(event.data.tenant_id).to.equal(participants[0]?.id);
      }
    for (const [changed, secrets] of [
      [`${body} `, [secret]],
      [body, ['another']],
      [body, []],
    ] as const)
      expect(() => verifyWebhook(changed, headers, secrets)).to.throw(WebhookVerificationError);
    expect(Buffer.byteLength(body)).to.be.below(MAX_BODY_BYTES);
  });

  it('accepts each vector of the guide with each of its secrets, and knows which event it is', () => {
    const now = Date.now;
    try {
      for (const { headers, body, secret, former_secrets = [] } of vectors) {
        Date.now = () => Number(headers['webhook-timestamp']) * 1000;
        for (const valid of [secret, ...former_secrets]) {
          const { id, event } = verifyWebhook(body, headers, valid);
          expect(id).to.equal(headers['webhook-id']);
          expect(event).to.deep.equal(JSON.parse(body));
        }
      }
    } finally {
      Date.now = now;
    }
  });
});
