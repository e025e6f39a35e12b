import { expect } from 'chai';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { MailServer } from '../../harness/peers/mail-server.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { addHook, type Hook } from '../../harness/service/deliveries.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { startTestService, useService } from '../../harness/service/service.ts';

databases('either');

const HOOKS = 6;
const TESTS_OF_EACH = 10;
/** How many tests of a landlord are under way, and how many wait behind them. */
const [UNDER_WAY, WAITING] = [4, 20];

const CONNECTIONS = 3;
const INVITATIONS = 20;

describe('the mails of a landlord’s desk', () => {
  const server = suiteFixture(() => MailServer.startTrusted());
  const test = suiteFixture(() =>
    startTestService({ ...server.env, SMTP_CONNECTIONS: String(CONNECTIONS), RUN_WORKERS: 'false' }),
  );
  const recipients = () => server.received.flatMap(({ to }) => to);

  it('leave a connection to the mail server to others, however many wait', async () => {
    const held = Promise.withResolvers<void>();
    server.onMessage = () => held.promise;
    const admin = (landlordId: string) => MemberBrowser.signIn(test, 'admin', { landlordId });
    const admins = [await admin(test.landlords.ours), await admin(test.landlords.ours)];
    const neighbour = await admin(test.landlords.other);
    for (const member of [...admins, neighbour]) await member.open('/members');
    const invite = (member: MemberBrowser, email: string) =>
      member.act('/members', { name: 'Leo', email, role: 'agent' });
    const invited = admins.flatMap((member, at) =>
      Array.from({ length: INVITATIONS }, (_, number) => invite(member, `${at}-${number}@many.example`)),
    );
    try {
      await eventually('as many are sent as may be', () => recipients().length === CONNECTIONS - 1);
      const other = invite(neighbour, 'leo@other.example');
      await eventually('that of the other landlord is sent', () => recipients().includes('leo@other.example'));
      expect(recipients()).to.have.length(CONNECTIONS);
      held.resolve();
      expect((await other).status).to.equal(303);
    } finally {
      held.resolve();
    }
    const statuses = (await Promise.all(invited)).map(({ status }) => status);
    expect(statuses).to.deep.equal(Array(admins.length * INVITATIONS).fill(303));
  });
});

describe('the tests that a landlord sends to its webhooks', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const hooks: Hook[] = [];
  const other = suiteFixture(() => addHook(test.charlie));
  before(async () => {
    for (let number = 0; number < HOOKS; number++) hooks.push(await addHook(test.alice));
  });
  after(() => Promise.all(hooks.map((hook) => hook.stop())));

  it('are a few at once and one to each host, so that endpoints that hang hold up no one else', async () => {
    const held = Promise.withResolvers<void>();
    let [begun, answered] = [0, 0];
    const most = hooks.map(({ receiver }) => {
      const seen = { now: 0, most: 0 };
      receiver.answer = async () => {
        begun += 1;
        seen.most = Math.max(seen.most, ++seen.now);
        signal();
        await held.promise;
        seen.now -= 1;
        return 200;
      };
      return seen;
    });
    const developer = await MemberBrowser.signIn(test, 'developer', {
      ...{ landlordId: test.landlords.ours, clientIds: [test.alice.clientId] },
    });
    const neighbour = await MemberBrowser.signIn(test, 'developer', {
      ...{ landlordId: test.landlords.other, clientIds: [test.charlie.clientId] },
    });
    await developer.open('/');
    const tests = Array.from({ length: HOOKS * TESTS_OF_EACH }, async (_, number) => {
      const answer = await developer.act(`/webhooks/${hooks[number % HOOKS]?.id}/test`);
      answered += 1;
      signal();
      return answer;
    });
    try {
      await eventually('those beyond are refused', () => answered === tests.length - UNDER_WAY - WAITING);
      expect((await neighbour.act(`/webhooks/${other.id}/test`)).status).to.equal(200);
      expect(begun).to.equal(UNDER_WAY);
    } finally {
      held.resolve();
    }
    const answers = await Promise.all(tests);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused).to.have.length(tests.length - UNDER_WAY - WAITING);
    for (const { headers, text } of refused) {
      expect(headers.get('retry-after')).to.equal('1');
      expect(readable(text)).to.include('Too much is under way at once');
    }
    expect(answers.filter(({ status }) => status === 200)).to.have.length(UNDER_WAY + WAITING);
    expect(most.map((seen) => seen.most)).to.deep.equal(Array(HOOKS).fill(1));
  });
});
