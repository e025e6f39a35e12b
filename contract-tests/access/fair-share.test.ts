import { expect } from 'chai';
import { operations } from '../../harness/contract/contract.ts';
import { buildRequest } from '../../harness/contract/requests.ts';
import { databases, dialect, isNightly } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { send } from '../../harness/service/client.ts';
import { loadPages, pageRequest, type RegisteredRoute, watchRoutes } from '../../harness/service/every-route.ts';
import { invitationPath, look, submit } from '../../harness/service/links.ts';
import { startTestService } from '../../harness/service/service.ts';
import { type Stage, setStage } from '../../harness/service/stage.ts';

databases('both');

/** Under way at once, each begun again when it is answered: more than any party's turns, fewer than are refused. */
const FLOOD = 300;
/** Strangers' calls hardly use the database: while it is slow, the event loop answers any number of them. By day, no dialect decides about them. */
const floodsOfStrangers = isNightly || dialect === 'sqlite';
/** Every operation at night; by day one of each method, and the operations that start work. */
const flooding = operations
  .filter(
    ({ method, operationId }, at) =>
      isNightly || operationId === 'runForensic' || operations.findIndex((other) => other.method === method) === at,
  )
  .filter(({ operationId }) => floodsOfStrangers || operationId !== 'generateToken');
/** Only what hangs takes as long. */
const SECONDS_A_PAGE = 10;
const HOOK = 'https://receiver.example/hook';

/** Each party's calls compete with those of another landlord, from the same address. Counts instead of times: who is answered before whom. */
describe('the share of a party', () => {
  let routes: ReturnType<typeof watchRoutes> | undefined;
  const test = suiteFixture(() => {
    routes = watchRoutes();
    return startTestService({ RUN_WORKERS: 'false', HTTP_CONNECTIONS: '10000' });
  });
  let pages: RegisteredRoute[] = [];
  let [stage, theirs]: [Stage | undefined, string] = [undefined, ''];

  before(async () => {
    stage = await setStage(test);
    await loadPages(test);
    pages = routes?.all().filter(({ path }) => !path.startsWith('/api/')) ?? [];
    routes?.end();
    const tenants = [
      { email: 'lead@mail.example', is_lead: true },
      { email: 'guest@mail.example', is_lead: false },
    ];
    const { data } = await test.charlie.ok('createApplication', { body: { title: 'Theirs', tenants } });
    theirs = await invitationPath(test, data.application_id, 'guest@mail.example');
  });

  /** What another landlord does meanwhile. */
  const lookAround = async () => {
    expect((await test.charlie.call('listWorkspaces')).status).to.equal(200);
    expect((await look(test, theirs)).status).to.equal(200);
  };
  const write = async () => {
    const tenants = [{ email: `new-${Math.random()}@mail.example`, is_lead: true }];
    expect((await test.charlie.call('createApplication', { body: { title: 'Quiet', tenants } })).status).to.equal(200);
  };

  /** First come, first served, each of the three calls would wait for the whole flood. */
  const expectRoom = async (what: string, flood: () => Promise<{ status: number }>) => {
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
    await lookAround();
    await write();
    const before = answered;
    await lookAround();
    const looked = answered;
    await write();
    const written = answered;
    isOver = true;
    await Promise.all(all);
    expect(looked - before, `answers to ${what} while the other landlord looked`).to.be.below(FLOOD);
    // A write also waits for the disk, and several times for the database. A busy machine answers many reads meanwhile.
    expect(written - looked, `answers to ${what} while the other landlord wrote`).to.be.below(FLOOD);
    return statuses;
  };

  for (const operation of flooding)
    it(`leaves room for another landlord while ${FLOOD} calls of ${operation.operationId} are under way`, async () => {
      const basic = Buffer.from(`${test.alice.clientId}:${test.alice.clientSecret}`).toString('base64');
      const isLogin = operation.operationId === 'generateToken';
      const authorization = isLogin ? `Basic ${basic}` : `Bearer ${test.alice.token}`;
      const { method, path, body } = buildRequest(operation, { ...stage }, HOOK);
      const headers = { authorization, 'content-type': 'application/json' };
      await expectRoom(operation.operationId, () =>
        test.alice.raw(method, path, { headers, ...(body === undefined ? {} : { body }) }),
      );
    });

  if (floodsOfStrangers)
    it(`leaves room for another landlord while strangers ask ${FLOOD} times for a file or a page`, async function () {
      const flooded = isNightly ? pages : pages.filter(({ path }) => path.startsWith('/verify/brand/'));
      expect(flooded).to.not.be.empty;
      this.timeout(180_000 + flooded.length * SECONDS_A_PAGE * 1000);
      for (const page of flooded) {
        const { method, path, headers, body } = await pageRequest(test, page);
        await expectRoom(`${page.method} ${page.path}`, () => send(test.service.url, method, path, headers, body));
      }
    });

  it('leaves room for another landlord while a flood opens and answers one link', async () => {
    const { applicationId, email } = await setStage(test);
    const path = await invitationPath(test, applicationId, email);
    const seen = await expectRoom('looks', () => look(test, path));
    const sent = await expectRoom('forms', () => submit(test, path, { answer: 'accept' }));
    expect([...seen, ...sent].filter((status) => ![200, 303, 503].includes(status))).to.deep.equal([]);
  });
});
