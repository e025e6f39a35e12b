import { expect } from 'chai';
import { operations } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { type RawAnswer, send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { credentials, expectRefusal, json, type Sample, samples, tableOf } from './requests.ts';

databases('either');

const BLAND = '{"status":"error","message":"Something went wrong on our side. Try again in a moment."}';

describe('unexpected failures', () => {
  const test = useService();
  const stage = suiteFixture(() => setStage(test));

  const ask = ({ operation, path, body }: Sample): Promise<RawAnswer> => {
    const headers = { ...credentials(operation, test.alice), ...json };
    return send(test.service.url, operation.method, path, headers, body === undefined ? '' : JSON.stringify(body));
  };
  const withoutTable = async <Result>(table: string, work: () => Promise<Result>): Promise<Result> => {
    const { db } = test.service.runtime;
    await db.schema.renameTable(table, `${table}_away`);
    return work().finally(() => db.schema.renameTable(`${table}_away`, table));
  };

  for (const { operationId, table } of operations.map((operation) => ({
    ...operation,
    table: tableOf(operation.operationId),
  })))
    it(`${operationId} answers 500 without the cause, and works again immediately`, async () => {
      const sample = samples(stage).find(({ operation }) => operation.operationId === operationId);
      if (!sample) throw new Error('no sample');
      const answer = await withoutTable(table, () => ask(sample));
      expectRefusal(operationId, answer, 500);
      expect(answer.text).to.equal(BLAND);
      expect(answer.headers['x-request-id']).to.match(/^[\w-]{36}$/);
      expect((await ask(sample)).status).to.equal(200);
    });

  it('a failure midway leaves nothing behind', async () => {
    const { db } = test.service.runtime;
    const tenants = [{ email: 'halfway@mail.example', is_lead: true }];
    const before = await db('applications').select('id');
    await withoutTable('participants', () =>
      test.alice.refused('createApplication', 500, { body: { title: 'Halfway', tenants } }),
    );
    expect(await db('applications').select('id')).to.have.deep.members(before);
    const { message } = await test.alice.ok('createApplication', { body: { title: 'Halfway', tenants } });
    expect(message).to.equal('Application created.');
  });

  it('an answer that violates the contract is caught in the sandbox instead of being sent', async () => {
    const { db } = test.service.runtime;
    const broken = { landlord_id: test.landlords.other, workspace_id: 'not-a-uuid', workspace_name: 'Broken' };
    await db('workspaces').insert({ ...broken, created_at: new Date().toISOString() });
    const { message } = await test.charlie.refused('listWorkspaces', 500);
    expect(message).to.equal(JSON.parse(BLAND).message);
    await db('workspaces').where({ workspace_id: broken.workspace_id }).delete();
    expect((await test.charlie.ok('listWorkspaces')).data.workspaces).to.deep.equal([]);
  });
});
