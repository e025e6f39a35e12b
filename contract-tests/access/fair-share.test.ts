import { expect } from 'chai';
import { operations } from '../../harness/contract/contract.ts';
import { buildRequest } from '../../harness/contract/requests.ts';
import { databases, isNightly } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { invitationPath, look, submit } from '../../harness/service/links.ts';
import { startTestService } from '../../harness/service/service.ts';
import { type Stage, setStage } from '../../harness/service/stage.ts';

databases('both');

/** Under way at once, each begun again when it is answered: more than any party's turns, fewer than are refused. */
const FLOOD = 300;
/** Every operation at night; by day one of each method, and the operations that start work. */
const flooding = operations.filter(
  ({ method, operationId }, at) =>
    isNightly || operationId === 'runForensic' || operations.findIndex((other) => other.method === method) === at,
);
const HOOK = 'https://receiver.example/hook';

/** Each party's calls compete with those of another landlord, from the same address. Counts instead of times: who is answered before whom. */
describe('the share of a party', () => {
  const test = suiteFixture(() => startTestService({ RUN_WORKERS: 'false', HTTP_CONNECTIONS: '10000' }));
  let [stage, theirs]: [Stage | undefined, string] = [undefined, ''];

  before(async () => {
    stage = await setStage(test);
    const tenants = [
      { email: 'lead@mail.example', is_lead: true },
      { email: 'guest@mail.example', is_lead: false },
    ];
    const { data } = await test.charlie.ok('createApplication', { body: { title: 'Theirs', tenants } });
    theirs = await invitationPath(test, data.application_id, 'guest@mail.example');
  });

  /** What another landlord does meanwhile: reads, writes and pages. */
  const others = async () => {
    expect((await test.charlie.call('listWorkspaces')).status).to.equal(200);
    const tenants = [{ email: `new-${Math.random()}@mail.example`, is_lead: true }];
    expect((await test.charlie.call('createApplication', { body: { title: 'Quiet', tenants } })).status).to.equal(200);
    expect((await look(test, theirs)).status).to.equal(200);
  };

  /** First come, first served, each of the three calls would wait for the whole flood. */
  const expectRoom = async (flood: () => Promise<{ status: number }>) => {
    let [answered, isOver] = [0, false];
    const statuses = new Set<number>();
    const again = async () => {
      do {
        statuses.add((await flood()).status);
        answered++;
      } while (!isOver);
    };
    const all = Array.from({ length: FLOOD }, again);
    // Connections are accepted in the order in which they arrive.
    await others();
    const before = answered;
    await others();
    isOver = true;
    const meanwhile = answered - before;
    await Promise.all(all);
    expect(meanwhile, 'answers to the flood while the other landlord waited').to.be.below(FLOOD);
    return statuses;
  };

  for (const operation of flooding)
    it(`leaves room for another landlord while ${FLOOD} calls of ${operation.operationId} are under way`, async () => {
      const basic = Buffer.from(`${test.alice.clientId}:${test.alice.clientSecret}`).toString('base64');
      const isLogin = operation.operationId === 'generateToken';
      const authorization = isLogin ? `Basic ${basic}` : `Bearer ${test.alice.token}`;
      const { method, path, body } = buildRequest(operation, { ...stage }, HOOK);
      const headers = { authorization, 'content-type': 'application/json' };
      await expectRoom(() => test.alice.raw(method, path, { headers, ...(body === undefined ? {} : { body }) }));
    });

  it('leaves room for another landlord while a flood opens and answers one link', async () => {
    const { applicationId, email } = await setStage(test);
    const path = await invitationPath(test, applicationId, email);
    const seen = await expectRoom(() => look(test, path));
    const sent = await expectRoom(() => submit(test, path, { answer: 'accept' }));
    expect([...seen, ...sent].filter((status) => ![200, 303, 503].includes(status))).to.deep.equal([]);
  });
});
