import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { basicOf } from '../../harness/service/client.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { StripeStandIn } from '../../harness/service/stripe.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';
import { startLoggedService } from './logged-service.ts';
import { exchange } from './requests.ts';

databases('either');

const FLOOD = 2000;
const A_SECOND = 100;

describe('the log of requests without an API key', () => {
  const stripe = suiteFixture(() => StripeStandIn.start());
  const logged = suiteFixture(() => startLoggedService({ ...CONSOLE, ...stripe.env }));

  const LOGIN = 'POST /api/v1/authenticate/token HTTP/1.1\r\nHost: api\r\nContent-Length: 0\r\n';
  const floods: Record<string, { request: string; lines: number }> = {
    'refused requests': { request: 'GET /api/v1/property-management/workspaces HTTP/1.1\r\nHost: api\r\n', lines: 1 },
    'failed logins': { request: `${LOGIN}Authorization: Basic ${basicOf('nothing', 'wrong')}\r\n`, lines: 2 },
    'invalid hosts': { request: 'GET / HTTP/1.1\r\nHost: a b\r\n', lines: 1 },
    'forms without a token': { request: 'POST /desk/sign-in HTTP/1.1\r\nHost: api\r\nContent-Length: 0\r\n', lines: 1 },
    'forged messages': { request: 'POST /providers/kyc HTTP/1.1\r\nHost: api\r\nContent-Length: 0\r\n', lines: 2 },
  };
  for (const [what, { request, lines }] of Object.entries(floods))
    it(`has at most a hundred lines per second and counts the others: ${what}`, async () => {
      const before = logged.lines().length;
      const startedAt = performance.now();
      await exchange(logged.service.url, `${`${request}\r\n`.repeat(FLOOD - 1)}${request}Connection: close\r\n\r\n`);
      const { single, counted } = await eventually('every one was logged or counted', () => {
        const later = logged.lines().slice(before);
        const found = {
          single: later.filter(({ msg }) =>
            /^(request|login failed|malformed request|KYC provider message rejected: not authentic)$/.test(msg),
          ).length,
          counted: later.reduce((sum, { lines = 0 }) => sum + lines, 0),
        };
        return found.single + found.counted >= FLOOD * lines && found;
      });
      const seconds = Math.ceil((performance.now() - startedAt) / 1000);
      expect(single).to.be.at.most(A_SECOND * seconds);
      expect(single + counted).to.equal(FLOOD * lines);
    });

  it('counts requests whose caller leaves before the answer', async () => {
    const before = logged.lines().length;
    const { hostname, port } = new URL(logged.service.url);
    const head = `POST /verify/kyc/${'x'.repeat(43)}/consent HTTP/1.1\r\nHost: api\r\n`;
    const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\na';
    const leave = async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.end(head + form);
      socket.resume();
      await once(socket, 'close');
    };
    // All at once, and again: on a busy machine, one after the other they are fewer than a hundred per second.
    await eventually('some were counted', async () => {
      await Promise.all(Array.from({ length: 2 * A_SECOND }, leave));
      return logged
        .lines()
        .slice(before)
        .some(({ lines }) => lines);
    });
  });

  it('names the member or the operator who was refused', async () => {
    const { service } = logged;
    const [landlordId = ''] = await service.runtime.db('landlords').pluck('id');
    const [member, operator] = [
      await MemberBrowser.signIn({ service }, 'viewer', { landlordId }),
      await OperatorBrowser.signIn({ service }, 'viewer'),
    ];
    const account = await service.runtime.db('console_accounts').where({ name: operator.name }).first('id');
    for (const [visitor, id] of [
      [member, member.id],
      [operator, account?.id],
    ] as const) {
      const before = logged.lines().length;
      expect((await visitor.act('/keys/absent/revoke', {})).status).to.be.oneOf([403, 404]);
      const { account_id } = await eventually('the refusal was logged', () =>
        logged
          .lines()
          .slice(before)
          .find(({ status }) => status === 403 || status === 404),
      );
      expect(account_id).to.equal(id);
    }
  });

  it('has a line for every request with an API key', async () => {
    const before = logged.lines().length;
    await logged.client.authenticate();
    const most = A_SECOND + 20;
    const answers = await Promise.all(
      Array.from({ length: most }, () => logged.client.call('getApplication', { params: { applicationId: 'absent' } })),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([404]));
    await eventually('all were logged', () => {
      const later = logged.lines().slice(before);
      return later.filter(({ msg, status }) => msg === 'request' && status === 404).length === most;
    });
  });
});
