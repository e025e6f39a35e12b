import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { databases } from '../../harness/database/dialect.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const PATH = '/api/v1/property-management/workspaces';
const CREATE = '/api/v1/applications/create-application';
/** Longer than any test: a test that waits this long fails. */
const FOR_LONG = { DRAIN_SECONDS: '300', STOP_SECONDS: '600' };

describe('a service that is asked to stop', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  let service: ServiceProcess;
  const start = async (settings: Record<string, string>) => {
    service = await startServiceProcess({ RUN_WORKERS: 'false', ...new Admin(test).env, ...settings });
    return new URL(service.url);
  };
  afterEach(() => service.kill());

  /** Sends the headers of a creation and the first byte of its body. */
  const begin = async ({ hostname, port }: URL, agent: Agent) => {
    const authorization = `Bearer ${test.alice.token}`;
    const headers = { 'content-length': '2', 'content-type': 'application/json', authorization };
    const outgoing = request({ hostname, port, agent, method: 'POST', path: CREATE, headers });
    await new Promise((written) => outgoing.write('{', written));
    return outgoing;
  };
  const isRefused = async ({ hostname, port }: URL) => {
    const socket = connect(Number(port), hostname);
    const refused = await new Promise((resolve) => {
      socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    });
    socket.destroy();
    return refused;
  };

  it('keeps accepting for DRAIN_SECONDS, and every answer is its connection’s last', async () => {
    const url = await start({ DRAIN_SECONDS: '5' });
    const agent = new Agent({ keepAlive: true });
    const underWay = await begin(url, agent);
    const answer = once(underWay, 'response');
    expect((await send(url.origin, 'GET', PATH)).headers['connection']).to.equal('keep-alive');
    const exited = service.stop();
    const last = await until('connections end with their answer', async () => {
      const { status, headers } = await send(url.origin, 'GET', PATH);
      return headers['connection'] === 'close' && status;
    });
    expect(last).to.equal(401);
    await until('it accepts no more', () => isRefused(url));
    underWay.end('}');
    const [response] = await answer;
    expect(response.statusCode).to.equal(400);
    expect(response.headers.connection).to.equal('close');
    response.resume();
    expect(await exited).to.equal(0);
    agent.destroy();
  });

  it('stops accepting immediately when a terminal asks, and does not wait for silent connections', async () => {
    const url = await start(FOR_LONG);
    const silent = connect(Number(url.port), url.hostname);
    await once(silent, 'connect');
    expect(await service.stop('SIGINT')).to.equal(0);
    silent.destroy();
  });

  it('ends requests before its deadline', async () => {
    const url = await start({ STOP_SECONDS: '8' });
    const agent = new Agent();
    const underWay = await begin(url, agent);
    const failed = once(underWay, 'response').catch((error) => error.code);
    expect(await service.stop()).to.equal(0);
    expect(await failed).to.equal('ECONNRESET');
    agent.destroy();
  });

  it('refuses a deadline that leaves no time after DRAIN_SECONDS', () => {
    const read = () => readConfig({ DRAIN_SECONDS: '30' });
    expect(read).to.throw('STOP_SECONDS is 28; it includes DRAIN_SECONDS: use at least 33');
  });
});
