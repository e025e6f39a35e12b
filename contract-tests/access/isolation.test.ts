import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { OperationId } from '../../handlers/handler.ts';
import { operations as contractOperations } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import type { Client, Input, RawAnswer } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

const REDIRECT = { redirect_url: 'https://letting.example/' };
const PERSON = 'jonas.weber@mail.example';

interface Ids {
  applicationId: string;
  tenantId: string;
  propertyId: string;
  workspaceId: string;
}

/** A request for another caller's resource, for each operation that takes an id. */
const requests: { [Op in OperationId]?: (ids: Ids) => Input<Op> } = {
  getApplication: ({ applicationId }) => ({ params: { applicationId } }),
  updateParticipant: ({ applicationId }) => ({ params: { applicationId, email: PERSON }, body: { name: 'Taken' } }),
  initiateKyc: ({ tenantId }) => ({ params: { tenantId } }),
  initiateEid: ({ tenantId }) => ({ params: { tenantId }, body: REDIRECT }),
  runForensic: ({ tenantId }) => ({ params: { tenantId } }),
  getProperty: ({ propertyId, workspaceId }) => ({
    params: { property_id: propertyId },
    query: { workspace_id: workspaceId },
  }),
  // Last, because Alice makes every request once, in this order, and this one removes the person.
  removeParticipant: ({ applicationId }) => ({ params: { applicationId, email: PERSON } }),
};
const operations = Object.keys(requests) as (keyof typeof requests)[];
const ofLandlord: OperationId[] = ['getProperty'];

/** An answer without the parts that differ between any two answers. */
function telling({ status, headers, text }: RawAnswer) {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { status, headers: rest, text };
}

describe('isolation', () => {
  let alices: Ids;
  const test = useService({ RUN_WORKERS: 'false' });
  before(async () => {
    alices = await belongings(test.alice, test.landlords.ours, PERSON);
  });

  /** An application, a tenant and a property of a client. */
  async function belongings(client: Client, landlord_id: string, email: string): Promise<Ids> {
    const { db } = test.service.runtime;
    const tenants = [
      { email: `lead-${email}`, is_lead: true },
      { email, is_lead: false },
    ];
    const { data } = await client.ok('createApplication', { body: { title: 'Private', tenants } });
    const tenant = await test.tenant(email, { documents: 1 });
    const workspaceId = randomUUID();
    const workspace = { workspace_id: workspaceId, landlord_id, workspace_name: 'W', created_at: tenant.created_at };
    const [inserted] = await db('workspaces').insert(workspace).returning('id');
    const propertyId = randomUUID();
    await db('properties').insert({ property_id: propertyId, workspace_internal_id: inserted?.id ?? 0 });
    return { applicationId: data.application_id, tenantId: tenant.id, propertyId, workspaceId };
  }
  const absent = (): Ids => ({
    applicationId: randomUUID(),
    tenantId: randomUUID(),
    propertyId: randomUUID(),
    workspaceId: randomUUID(),
  });
  const ask = <Op extends keyof typeof requests>(client: Client, operation: Op, ids: Ids): Promise<RawAnswer> => {
    const request = requests[operation];
    if (!request) throw new Error(`There is no request for ${operation}.`);
    return client.call(operation, request(ids));
  };
  const snapshot = async () => {
    const { db } = test.service.runtime;
    const tables = [
      'applications',
      'participants',
      'kyc_verifications',
      'eid_flows',
      'forensic_runs',
      'invites',
    ] as const;
    return Promise.all(tables.map((table) => db(table).orderBy('id').select('*')));
  };

  it('covers every operation that takes an id', () => {
    const taking = contractOperations.filter(({ template }) => template.includes('{'));
    expect(operations).to.have.members(taking.map(({ operationId }) => operationId));
  });

  for (const operation of operations) {
    const outsiders = ofLandlord.includes(operation) ? ['charlie' as const] : ['bob' as const, 'charlie' as const];
    for (const outsider of outsiders)
      it(`${operation} answers ${outsider} for Alice’s id as for a nonexistent one, and changes nothing`, async () => {
        const before = await snapshot();
        const foreign = await ask(test[outsider], operation, alices);
        const missing = await ask(test[outsider], operation, absent());
        expect(foreign.status).to.equal(404);
        expect(telling(foreign)).to.deep.equal(telling(missing));
        expect(await snapshot()).to.deep.equal(before);
      });
  }

  it('shows a property to the landlord’s other keys', async () => {
    expect((await ask(test.bob, 'getProperty', alices)).status).to.equal(200);
  });

  it('answers for a tenant in no application, and for an id of another kind, as for a nonexistent one', async () => {
    const { id: loner } = await test.tenant('loner@mail.example', { documents: 1 });
    const { db } = test.service.runtime;
    const participant = await db('participants')
      .where({ application_id: alices.applicationId, is_lead: 0 })
      .first('id');
    for (const operation of ['initiateKyc', 'initiateEid', 'runForensic'] as const) {
      const missing = telling(await ask(test.alice, operation, absent()));
      for (const tenantId of [loner, participant?.id ?? '', alices.applicationId, test.landlords.ours, PERSON])
        expect(telling(await ask(test.alice, operation, { ...alices, tenantId })), tenantId).to.deep.equal(missing);
    }
  });

  it('answers an outsider the same for any address of the application', async () => {
    for (const operation of ['updateParticipant', 'removeParticipant'] as const)
      for (const outsider of [test.bob, test.charlie]) {
        const guess = (email: string) =>
          outsider.call(operation, {
            params: { applicationId: alices.applicationId, email },
            ...(operation === 'updateParticipant' ? { body: {} } : {}),
          });
        const [stranger, member, lead] = [
          await guess('x@mail.example'),
          await guess(PERSON),
          await guess(`lead-${PERSON}`),
        ];
        expect(stranger.status).to.equal(404);
        expect(telling(member)).to.deep.equal(telling(stranger));
        expect(telling(lead)).to.deep.equal(telling(stranger));
      }
  });

  it('gives two landlords with the same people separate applications, and each person one account', async () => {
    const theirs = await belongings(test.charlie, test.landlords.other, PERSON);
    expect(theirs.applicationId).to.not.equal(alices.applicationId);
    expect(theirs.tenantId).to.equal(alices.tenantId);
    const params = { applicationId: theirs.applicationId, email: PERSON };
    await test.charlie.ok('updateParticipant', { params, body: { name: 'Charlie’s word', is_guarantor: true } });
    const ours = await test.alice.ok('getApplication', { params: { applicationId: alices.applicationId } });
    expect(ours.data.participants.map(({ name }) => name)).to.deep.equal(['', '']);
    await test.charlie.ok('removeParticipant', { params });
    expect((await ask(test.charlie, 'runForensic', alices)).status).to.equal(404);
    expect((await ask(test.alice, 'runForensic', alices)).status).to.equal(200);
  });

  it('lets Alice call every operation', async () => {
    for (const operation of operations)
      expect((await ask(test.alice, operation, alices)).status, operation).to.equal(200);
  });
});
