import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { jobNames } from '../../bin/service/kinds.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { SilentProxy } from '../../harness/peers/silent-proxy.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';
import { CLOSED } from '../../http/edge/fixed-headers.ts';
import { WorkerLoops } from '../../http/operators/worker-loops.ts';
import type { JobName } from '../../jobs/runtime.ts';

databases('both');

/** Longer than a probe waits for an answer. */
const SLOW_MS = 1_200;
/** Longer than the silence after which the database is down. */
const LONGER_THAN_SILENCE_MS = 8_000;

async function ask(base: string | undefined, path: string, init: RequestInit = {}) {
  const answer = await fetch(`${base ?? expect.fail('no listener')}${path}`, init);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

interface Readiness {
  status: number;
  ready: boolean;
  failing: Record<string, string>;
}

/** The first answer of `/readyz` for which the database was in time, which it may not be on a busy machine. */
function readiness(base: string | undefined): Promise<Readiness> {
  return until('the database answered in time', async () => {
    const { status, text } = await ask(base, '/readyz');
    const answer: Readiness = { status, ...JSON.parse(text) };
    return !('database' in answer.failing) && answer;
  });
}

describe('the probes for operators', () => {
  const test = useService({ OPS_PORT: '0' });
  const base = () => test.service.operatorsUrl;

  it('answer on their own port, on loopback, and never on the public one', async () => {
    expect(base()).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await readiness(base())).to.deep.equal({ status: 200, ready: true, failing: {} });
    for (const path of ['/livez', '/metrics']) expect((await ask(base(), path)).status, path).to.equal(200);
    for (const path of ['/livez', '/readyz', '/metrics'])
      expect((await ask(test.service.url, path)).status, `public ${path}`).to.equal(404);
    expect((await ask(base(), '/')).status).to.equal(404);
    expect((await ask(base(), '/livez', { method: 'POST' })).status).to.equal(405);
    expect((await ask(base(), '/livez', { method: 'HEAD' })).text).to.equal('');
    for (const path of ['/livez', '/metrics', '/nothing'])
      for (const [name, value] of Object.entries(CLOSED))
        expect((await ask(base(), path)).headers.get(name), `${name} of ${path}`).to.equal(value);
  });

  it('name the schema once another version has changed it, while the event loop is alive', async () => {
    const { db } = test.service.runtime;
    await db('knex_migrations').insert({ name: '9999-of-a-newer-version', batch: 99, migration_time: new Date() });
    expect(await readiness(base())).to.deep.equal({
      status: 503,
      ready: false,
      failing: { schema: 'not the schema of this version' },
    });
    expect((await ask(base(), '/livez')).status).to.equal(200);
    await db('knex_migrations').where({ name: '9999-of-a-newer-version' }).delete();
    expect((await readiness(base())).status).to.equal(200);
  });
});

describe('the probes while idle connections are held', () => {
  const test = useService({ OPS_PORT: '0', RUN_WORKERS: 'false' });
  const HELD = 500;

  it('answer each time, and close the idle connections that came first', async () => {
    const { hostname, port } = new URL(test.service.operatorsUrl ?? expect.fail('no listener'));
    const held = new Set<Socket>();
    const hold = () =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, resolve);
        held.add(socket);
        socket.on('error', () => {}).once('close', () => held.delete(socket));
      });
    try {
      for (let number = 0; number < HELD; number++) await hold();
      for (const path of ['/livez', '/readyz', '/metrics', '/livez'])
        expect(
          (await ask(test.service.operatorsUrl, path, { headers: { connection: 'close' } })).status,
          path,
        ).to.equal(200);
      await until('the first ones were closed', () => held.size <= 100);
    } finally {
      for (const socket of held) socket.destroy();
    }
  });
});

describe('the probes without OPS_PORT', () => {
  const test = useService();

  it('are not served', () => {
    expect(test.service.operatorsUrl).to.equal(undefined);
  });
});

describe('the watch over worker loops', () => {
  const never = new Promise<void>(() => {});

  it('names work that receives nothing, and work whose hand-over does not end', async () => {
    const loops = new WorkerLoops(jobNames, 200);
    expect(loops.late(), 'before the start').to.deep.equal(jobNames);
    const worker = { capacity: () => 1, take: () => never };
    const watched = loops.watch(new Map(jobNames.map((name) => [name, worker])));
    const turn = (names: readonly JobName[]) => {
      for (const name of names) watched.get(name)?.capacity();
    };
    expect(loops.late()).to.deep.equal([]);
    const others = jobNames.filter((name) => name !== 'run-forensic');
    const late = await until('a loop is late', () => {
      turn(others);
      const names = loops.late();
      return names.length > 0 && names;
    });
    expect(late).to.deep.equal(['run-forensic']);
    turn(jobNames);
    void watched.get('send-invite')?.take([], () => {});
    await until('a hand-over is late', () => {
      turn(jobNames);
      return loops.late().includes('send-invite');
    });
  });
});

describe('the readiness of a stopping program', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  let service: ServiceProcess;
  before(async () => {
    service = await startServiceProcess({ ...new Admin(test).env, OPS_PORT: '0', DRAIN_SECONDS: '8' });
  });
  after(() => service.kill());

  it('ends with the signal, while requests are still answered', async () => {
    await until('it is ready', async () => (await ask(service.operatorsUrl, '/readyz')).status === 200);
    const stopped = service.stop();
    const { failing } = await until('it is not ready', async () => {
      const answer = await readiness(service.operatorsUrl);
      return answer.status === 503 && answer;
    });
    expect(failing).to.deep.equal({ stopping: 'asked to stop' });
    expect((await ask(service.operatorsUrl, '/livez')).status).to.equal(200);
    expect((await ask(service.url, '/openapi.json')).status).to.equal(200);
    expect(await stopped).to.equal(0);
  });
});

if (dialect === 'postgres')
  describe('the probes while the database is silent', () => {
    const test = useService({ RUN_WORKERS: 'false' });
    let proxy: SilentProxy;
    let service: ServiceProcess;
    before(async () => {
      const { database } = test.config;
      proxy = await SilentProxy.start(database.dialect === 'postgres' ? database.url : expect.fail());
      service = await startServiceProcess({
        ...new Admin(test).env,
        OPS_PORT: '0',
        DATABASE_URL: proxy.url,
        DATABASE_QUERY_SECONDS: '2',
        DATABASE_CONNECT_SECONDS: '2',
        DATABASE_TURN_SECONDS: '4',
      });
    });
    after(async () => {
      await service?.kill();
      await proxy?.stop();
    });

    it('answer: alive, not ready because of the database, with matching metrics; ready once it responds again', async () => {
      await until('it is ready', async () => (await ask(service.operatorsUrl, '/readyz')).status === 200);
      proxy.fallSilent();
      const { text } = await until('it is not ready', async () => {
        const answer = await ask(service.operatorsUrl, '/readyz');
        return answer.status === 503 && answer;
      });
      expect(JSON.parse(text).failing.database).to.equal('no answer for 5000 ms');
      const answers = await Promise.all(['/livez', '/metrics'].map((path) => ask(service.operatorsUrl, path)));
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect(answers[1]?.text).to.match(/^screening_database_up 0$/m);
      proxy.speakAgain();
      await until('it is ready again', async () => (await ask(service.operatorsUrl, '/readyz')).status === 200);
    });
  });

if (dialect === 'postgres')
  describe('the probes while the database is slow', () => {
    const test = useService({ RUN_WORKERS: 'false' });
    let proxy: SilentProxy;
    let service: ServiceProcess;
    before(async () => {
      const { database } = test.config;
      proxy = await SilentProxy.start(database.dialect === 'postgres' ? database.url : expect.fail());
      service = await startServiceProcess({ ...new Admin(test).env, OPS_PORT: '0', DATABASE_URL: proxy.url });
    });
    after(async () => {
      await service?.kill();
      await proxy?.stop();
    });

    it('stay ready while each of its answers takes longer than a probe waits', async () => {
      await until('it is ready', async () => (await ask(service.operatorsUrl, '/readyz')).status === 200);
      proxy.delayAnswers(SLOW_MS);
      const begun = performance.now();
      while (performance.now() - begun < LONGER_THAN_SILENCE_MS)
        expect(await ask(service.operatorsUrl, '/readyz')).to.include({ status: 200 });
      proxy.delayAnswers(0);
    });
  });
