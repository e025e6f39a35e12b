import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { basicOf, send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { credentials, json, type Sample, samples } from '../edge/requests.ts';

databases('either');

const MANY = 20;
/** The milliseconds, and the version after them (RFC 9562, section 5.7). */
const TIME = 'xxxxxxxx-xxxx'.length;
const VERSION_AT = TIME + 1;

describe('ids', () => {
  const test = useService();

  const application = async (number: number) => {
    const body = { title: 'Studio', tenants: [{ email: `person-${number}@mail.example`, is_lead: true }] };
    return (await test.alice.ok('createApplication', { body })).data.application_id;
  };

  it('ascend for rows created in sequence, so that an index writes few pages', async () => {
    const made: string[] = [];
    for (let number = 0; number < MANY; number++) made.push((await application(number)).slice(0, TIME));
    expect(made).to.deep.equal(made.toSorted());
    expect(made[0]).to.not.equal(made.at(-1));
  });

  it('of people, whom several keys may meet, do not reveal when they were first known', async () => {
    await application(MANY);
    const { id } = await test.tenant(`person-${MANY}@mail.example`);
    expect(id[VERSION_AT], id).to.equal('4');
  });

  describe('of requests may be in capitals, as some languages and databases write UUIDs,', () => {
    const stage = suiteFixture(() => setStage(test));
    const capitals = (text: string) =>
      text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => id.toUpperCase());
    const ask = ({ operation, body }: Sample, path: string) =>
      send(
        test.service.url,
        operation.method,
        path,
        { ...credentials(operation, test.alice), ...json },
        body === undefined ? undefined : JSON.stringify(body),
      );

    it('in every path and query of the contract', async () => {
      const named = samples(stage).filter(({ path }) => path !== capitals(path));
      expect(named.map(({ operation }) => operation.operationId)).to.include.members([
        'getApplication',
        'updateParticipant',
        'initiateKyc',
        'initiateEid',
        'runForensic',
        'getProperty',
      ]);
      for (const sample of named.filter(({ operation }) => operation.method !== 'DELETE')) {
        const [lower, upper] = [await ask(sample, sample.path), await ask(sample, capitals(sample.path))];
        expect({ status: upper.status, text: upper.text }, sample.path).to.include({ status: lower.status });
        expect(lower.status, sample.path).to.equal(200);
        expect(upper.text, sample.path).to.not.match(/[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}/);
      }
    });

    it('and an absent one is answered as a foreign one, byte for byte', async () => {
      const theirs = await test.charlie.ok('createApplication', {
        body: { title: 'Theirs', tenants: [{ email: 'their-lead@mail.example', is_lead: true }] },
      });
      for (const id of [theirs.data.application_id, randomUUID()]) {
        const answer = await test.alice.call('getApplication', { params: { applicationId: id.toUpperCase() } });
        expect(answer).to.include({ status: 404, text: '{"status":"error","message":"Application not found."}' });
      }
    });

    it('in the client_id', async () => {
      const { clientId, clientSecret } = test.alice;
      const headers = { authorization: `Basic ${basicOf(clientId.toUpperCase(), clientSecret)}` };
      expect((await send(test.service.url, 'POST', `${basePath}/authenticate/token`, headers)).status).to.equal(200);
    });

    it('also of a property that was imported in capitals, and other ids keep their case', async () => {
      const { db } = test.service.runtime;
      const { property_id: propertyId, workspace_id } = stage;
      const found = (property_id: string) =>
        test.alice.call('getProperty', { params: { property_id }, query: { workspace_id } });
      await db('properties').where({ property_id: propertyId }).update({ property_id: propertyId.toUpperCase() });
      for (const id of [propertyId, propertyId.toUpperCase()]) expect((await found(id)).status, id).to.equal(200);
      await db('properties').where({ property_id: propertyId.toUpperCase() }).update({ property_id: 'Flat-7b' });
      expect((await found('Flat-7b')).status).to.equal(200);
      for (const other of ['flat-7b', 'FLAT-7B']) expect((await found(other)).status, other).to.equal(404);
    });
  });
});
