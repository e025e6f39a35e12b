import { randomUUID } from 'node:crypto';
import { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { correlationId, currentParty } from '../../core/correlation.ts';
import { FairTurns } from '../../core/fair-turns.ts';
import { partyOfKey, SERVICE } from '../../core/party.ts';
import type { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { send } from '../../harness/service/client.ts';
import { addHook } from '../../harness/service/deliveries.ts';
import { causeEveryKind } from '../../harness/service/every-kind.ts';
import {
  addressOf,
  loadPages,
  operationRequests,
  pageRequest,
  type RegisteredRoute,
  type RouteRequest,
  watchRoutes,
} from '../../harness/service/every-route.ts';
import { addTestMember, MemberBrowser } from '../../harness/service/members.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import type { OfficeRoute } from '../../http/backoffice/route.ts';
import { consoleRoutes, deskRoutes } from '../../http/backoffice/routes.ts';
import { namesOf } from '../../queue/kind.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';
import { type Scene, setScene } from '../console/scene.ts';

databases('either');

/** By the id of the request: the parties that asked for turns, and the party at the end of its response. */
const asked = new Map<string, Set<string>>();
const ended = new Map<string, string>();

/** Every turn that code asks for goes through one of the two methods of `FairTurns`. */
function watchParties(): () => void {
  const { begin, ask } = FairTurns.prototype;
  const { end } = ServerResponse.prototype;
  const note = (party = currentParty()) => {
    const id = correlationId() ?? '';
    asked.set(id, (asked.get(id) ?? new Set()).add(party.name));
  };
  FairTurns.prototype.begin = function (party) {
    note(party);
    return begin.call(this, party);
  };
  FairTurns.prototype.ask = function (party, ...callbacks) {
    note(party);
    return ask.call(this, party, ...callbacks);
  };
  ServerResponse.prototype.end = function (...given: unknown[]) {
    ended.set(correlationId() ?? '', currentParty().name);
    return Reflect.apply(end, this, given);
  };
  return () => {
    Object.assign(FairTurns.prototype, { begin, ask });
    Object.assign(ServerResponse.prototype, { end });
  };
}

describe('the party of', () => {
  let [endOfWatch, routes]: [() => void, ReturnType<typeof watchRoutes> | undefined] = [() => {}, undefined];
  const test = suiteFixture(() => {
    endOfWatch = watchParties();
    routes = watchRoutes();
    return startTestService({ RUN_WORKERS: 'false', TRUSTED_PROXIES: '127.0.0.1' });
  });
  let key = '';
  let pages: RegisteredRoute[] = [];
  before(async () => {
    await loadPages(test);
    pages = routes?.all().filter(({ path }) => !path.startsWith('/api/')) ?? [];
    routes?.end();
    const row = await test.service.runtime.db('api_keys').where({ client_id: test.alice.clientId }).first('id');
    key = partyOfKey(row?.id ?? '').name;
  });
  after(() => endOfWatch());

  async function expectParty({ method, path, headers, body, owner, name }: RouteRequest): Promise<void> {
    const id = `request-${ended.size}`;
    await send(test.service.url, method, path, { ...headers, 'x-request-id': id }, body);
    expect([...(asked.get(id) ?? [])], name).to.not.be.empty.and.not.include(SERVICE.name);
    if (owner === 'key') expect(ended.get(id), name).to.equal(key);
    else expect(ended.get(id), name).to.match(/^address /);
  }

  it('every operation of the contract is its API key', async () => {
    const stage = await setStage(test);
    for (const request of operationRequests(test, stage, 'https://receiver.example/hook')) await expectParty(request);
  });

  it('every page is the API key of its link or credentials, or the address of a stranger', async () => {
    expect(pages.length).to.be.above(20);
    for (const route of pages) await expectParty(await pageRequest(test, route));
  });

  it('every stranger is their network: all addresses of an IPv6 /64, and an IPv4 address however written', async () => {
    const partiesOf = async (...addresses: readonly string[]) => {
      const ids = addresses.map((address) => `from ${address}`.replaceAll(/[^\w.-]/g, '-'));
      for (const [at, id] of ids.entries()) {
        const headers = { 'x-forwarded-for': addresses[at] ?? '', 'x-request-id': id };
        await send(test.service.url, 'GET', '/desk/sign-in', headers);
      }
      return new Set(ids.flatMap((id) => [...(asked.get(id) ?? ['none'])]));
    };
    expect(await partiesOf('2001:db8:1:2::1', '2001:db8:1:2:ffff::2')).to.have.length(1);
    expect(await partiesOf('192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201')).to.have.length(1);
    expect(await partiesOf('2001:db8:1:2::3', '2001:db8:1:3::3', '192.0.2.1', '192.0.2.2')).to.have.length(4);
  });
});

describe('the party of every page and action of the console', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const scene: Scene = suiteFixture(() => setScene(test));
  let operator: OperatorBrowser;
  before(async () => {
    operator = await OperatorBrowser.signIn(test, 'operator');
    await operator.open('/');
  });

  for (const route of consoleRoutes)
    it(`${route.method} ${route.path} is the operator`, () =>
      expectAsker(operator, route, addressOf(route, scene), `operator ${operator.name}`));
});

describe('the party of every page and action of the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const scene: Scene = suiteFixture(() => setScene(test));
  let member: MemberBrowser;
  let examples: Scene['examples'] = {};
  before(async () => {
    const of = { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] };
    member = await MemberBrowser.signIn(test, 'admin', of);
    await member.open('/');
    examples = { ...scene.examples, '/members/': (await addTestMember(test, 'viewer', of)).id };
  });

  for (const route of deskRoutes.filter(({ members }) => members.includes('admin')))
    it(`${route.method} ${route.path} is the landlord`, () =>
      expectAsker(member, route, addressOf(route, { examples }), `landlord ${test.landlords.ours}`));
});

/** Has the route opened or acted on. Responses to earlier requests may end meanwhile: the id tells them apart. */
async function expectAsker(
  office: { browser: WebBrowser; open(path: string): Promise<unknown>; act(path: string): Promise<unknown> },
  { method }: Pick<OfficeRoute, 'method'>,
  address: string,
  party: string,
): Promise<void> {
  const unwatch = watchParties();
  asked.clear();
  const id = randomUUID();
  office.browser.headers = { 'x-request-id': id };
  await (method === 'GET' ? office.open(address) : office.act(address)).finally(unwatch);
  expect([...(asked.get(id) ?? [])]).to.not.be.empty;
  // What has lost its request asks as the service.
  expect([...asked.values()].flatMap((names) => [...names])).to.not.include(SERVICE.name);
  expect(ended.get(id)).to.equal(party);
}

describe('the party of every kind of work', () => {
  const test = useService();

  it('is the API key for which it is done', async () => {
    const { work, kinds, db } = test.service.runtime;
    const row = await db('api_keys').where({ client_id: test.alice.clientId }).first('id');
    const seen = new Map<string, string>();
    work.on('started', (kind) => seen.set(kind, currentParty().name));
    const hook = await addHook(test.alice);
    await causeEveryKind(test, test.alice, 'everyone');
    await eventually('each kind was started', () => seen.size === namesOf(kinds).length);
    await hook.stop();
    for (const kind of namesOf(kinds)) expect(seen.get(kind), kind).to.equal(partyOfKey(row?.id ?? '').name);
  });
});
