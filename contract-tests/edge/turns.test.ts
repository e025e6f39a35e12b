import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import { correlated } from '../../core/correlation.ts';
import { FairTurns, refusals } from '../../core/fair-turns.ts';
import { partyOfKey } from '../../core/party.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { invitationPath } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { createApp } from '../../http/app.ts';
import { createApiServer } from '../../http/edge/server.ts';

databases('sqlite');

/** What a connection serves at once, and more than begin before the event loop goes round. */
const REQUESTS = 60;
const LAST = 'last';
/** Transactions of one key that SQLite commits together, and what waits beside them. */
const [TURNS_OF_A_KEY, WAITING] = [8, 12];

describe('requests that wait for a turn', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  /** Sends requests in one write to a server that ends in the moment in which the last one arrives. */
  async function askAtTheEnd(path: string, headers: readonly string[]): Promise<string[]> {
    const { service, config } = test;
    const ending = new AbortController();
    const app = createApp(service.runtime, config, { ending: ending.signal });
    const server = createApiServer(app, service.runtime.log, config).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    server.on('request', (req) => req.headers['x-request-id'] === LAST && ending.abort());
    const request = (number: number) => [
      `GET ${path} HTTP/1.1`,
      'Host: api',
      `X-Request-Id: ${number === REQUESTS - 1 ? LAST : number}`,
      ...headers,
      '',
      '',
    ];
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (part: string) => {
      text += part;
      signal();
    });
    socket.write(Array.from({ length: REQUESTS }, (_, number) => request(number).join('\r\n')).join(''));
    const answers = () => text.split(/(?=HTTP\/1\.1 \d{3} )/).filter((answer) => answer.includes('\r\n\r\n'));
    await eventually('all are answered', () => answers().length === REQUESTS);
    socket.destroy();
    return answers();
  }

  it('are refused with 503 when the process ends, on pages in the language of the person', async () => {
    const { applicationId, email } = await setStage(test);
    const path = await invitationPath(test, applicationId, email);
    const answers = await askAtTheEnd(path, ['Accept: text/html', 'Accept-Language: de']);
    const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503 '));
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200 ')).length + refused.length).to.equal(REQUESTS);
    expect(refused.length).to.be.above(0);
    for (const answer of refused) {
      expect(answer).to.match(/^Retry-After: \d+\r$/m);
      expect(answer).to.match(/^Content-Language: de\r$/m);
      expect(answer).to.contain('Im Moment ist hier sehr viel los');
    }
  });

  it('are refused as documented in the API', async () => {
    const answers = await askAtTheEnd('/api/v1/property-management/workspaces', [
      `Authorization: Bearer ${test.alice.token}`,
    ]);
    const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503 '));
    expect(refused.length).to.be.above(0);
    for (const answer of refused) {
      expect(answer).to.match(/^Retry-After: \d+\r$/m);
      expect(answer).to.contain('"status":"error"');
    }
  });

  it('leave the queue once their callers have disconnected', async () => {
    const { applicationId, email } = await setStage(test);
    const [held, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = correlated({ id: 'holding', party: partyOfKey('other') }, () =>
      test.service.runtime.db.transaction(() => {
        begun.resolve();
        return held.promise;
      }),
    );
    await begun.promise;
    const { wait } = FairTurns.prototype;
    let [waiting, refused] = [0, 0];
    FairTurns.prototype.wait = function (party) {
      waiting++;
      const turn = wait.call(this, party);
      turn.catch(() => refused++).finally(signal);
      signal();
      return turn;
    };
    try {
      const gone = new AbortController();
      const change = () =>
        fetch(`${test.service.url}/api/v1/applications/${applicationId}/participants/${email}`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${test.alice.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'Gone' }),
          signal: gone.signal,
        }).catch(() => {});
      const asked = Array.from({ length: WAITING + TURNS_OF_A_KEY }, change);
      await eventually('some wait', () => waiting >= WAITING);
      gone.abort();
      const before = { ...refusals };
      await Promise.all(asked);
      await eventually('all that waited for a turn of their key were refused', () => refused >= WAITING);
      expect(refusals, 'none waited until it was too late').to.deep.equal(before);
    } finally {
      FairTurns.prototype.wait = wait;
      held.resolve();
      await holding;
    }
  });
});
