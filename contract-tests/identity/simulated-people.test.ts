import { expect } from 'chai';
import { basePath, operations } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { basicOf, send } from '../../harness/service/client.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { reopened } from '../differential/live-service.ts';

databases('either');

describe('a sandbox alone, with credentials and nothing else,', () => {
  const test = useService();
  const open = async (...emails: string[]) => {
    const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
    const { data } = await test.alice.ok('createApplication', { body: { title: 'By data', tenants } });
    const { application_id: applicationId } = data;
    const found = await test.alice.ok('getApplication', { params: { applicationId } });
    return { applicationId, participants: found.data.participants };
  };

  it('has people with and without an account, with every consent and profile, by the tags of their addresses', async () => {
    const { participants } = await open(
      'ana+registered@mail.example',
      'bea+onboarded+accepted@mail.example',
      'carl+outdated+declined@mail.example',
      'dora+accepted@mail.example',
      'emil@mail.example',
    );
    const shown = participants.map(({ id, consent_status, onboarding_status }) => [
      id === null ? 'none' : 'account',
      consent_status,
      onboarding_status,
    ]);
    expect(shown).to.deep.equal([
      ['account', 'pending', 'PENDING'],
      ['account', 'accepted', 'COMPLETED'],
      ['account', 'rejected', 'OUTDATED'],
      ['none', 'accepted', 'PENDING'],
      ['none', 'pending', 'PENDING'],
    ]);
  });

  it('lets a tagged account be verified at once', async () => {
    const { participants } = await open('fay+registered+kyc-verified@mail.example');
    await test.alice.ok('initiateKyc', { params: { tenantId: String(participants[0]?.id) } });
  });

  for (const [tag, warnings] of Object.entries({
    '+payment-protected': { service_protect_affected: true },
    '+payment-unprotected': { service_protect_affected: false },
    '': undefined,
  }))
    it(`shows ${JSON.stringify(warnings) ?? 'no warnings'} when a person with ${tag || 'no tag'} is removed`, async () => {
      const email = `guest${tag}@mail.example`;
      const { applicationId } = await open(`lead${tag.length}@mail.example`, email);
      const { data } = await test.alice.ok('removeParticipant', { params: { applicationId, email } });
      expect(data.warnings).to.deep.equal(warnings);
    });

  for (const { operationId, method, template } of operations)
    it(`answers 500 from ${operationId} to the credential server-error`, async () => {
      const authorization =
        operationId === 'generateToken' ? `Basic ${basicOf('server-error', 'any')}` : 'Bearer server-error';
      const path = basePath + template.replaceAll(/[{}]/g, '');
      const { status } = await send(test.service.url, method, path, { authorization });
      expect(status).to.equal(500);
    });
});

describe('live', () => {
  const test = suiteFixture(async () => {
    const first = await startTestService();
    await first.service.close();
    return reopened(first);
  });

  it('plays no people and knows no credential that fails', async () => {
    const tenants = [{ email: 'ana+onboarded+accepted@mail.example', is_lead: true }];
    const { data } = await test.alice.ok('createApplication', { body: { title: 'Live', tenants } });
    const found = await test.alice.ok('getApplication', { params: { applicationId: data.application_id } });
    const [person] = found.data.participants;
    expect([person?.id, person?.consent_status, person?.onboarding_status]).to.deep.equal([null, 'pending', 'PENDING']);
    const path = `${basePath}/property-management/workspaces`;
    const refused = await send(test.service.url, 'GET', path, { authorization: 'Bearer server-error' });
    expect(refused.status).to.equal(401);
  });
});
