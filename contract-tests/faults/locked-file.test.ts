import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { figure, Slowest } from '../../harness/mocha/figures.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { startTestService } from '../../harness/service/service.ts';

databases('sqlite');

const READS = 200;
/** Fewer reads on a machine so busy that they would outlast the 10 s for which a write waits. */
const READING_MS = 3_000;

/** Holds the write lock of a file, as another process would, until told to release it. */
async function lock(file: string): Promise<() => Promise<void>> {
  const holder = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads');
    const db = new (require('better-sqlite3'))(workerData, { timeout: 120000 });
    db.exec('begin immediate');
    parentPort.postMessage('held');
    parentPort.once('message', () => { db.exec('rollback'); db.close(); });`,
    { eval: true, workerData: file },
  );
  await once(holder, 'message');
  return async () => {
    const ended = once(holder, 'exit');
    holder.postMessage('let go');
    await ended;
  };
}

describe('an SQLite file locked by another process', () => {
  const test = suiteFixture(() => startTestService({ RUN_WORKERS: 'false' }));
  let service: ServiceProcess | undefined;
  let alice: Client;
  const fileOf = () => (test.config.database.dialect === 'sqlite' ? test.config.database.file : expect.fail());

  before(async () => {
    service = await startServiceProcess({ ...new Admin(test).env, RUN_WORKERS: 'true' });
    alice = new Client(service.url, test.alice.clientId, test.alice.clientSecret);
    await alice.authenticate();
  });
  after(() => service?.kill());

  const create = (title: string) => {
    const tenants = [{ email: `${title.replaceAll(' ', '-')}@mail.example`, is_lead: true }];
    return alice.call('createApplication', { body: { title, tenants } });
  };

  it('allows reads, and writes as soon as it is unlocked', async () => {
    const created = await create('before');
    const applicationId = String(JSON.parse(created.text).data?.application_id);
    const letGo = await lock(fileOf());
    let isAnswered = false;
    const writing = create('waiting').finally(() => {
      isAnswered = true;
    });
    const read = async () => (await alice.call('getApplication', { params: { applicationId } })).status;
    const slowest = new Slowest();
    const until = performance.now() + READING_MS;
    let reads = 0;
    try {
      for (; reads < READS && performance.now() < until; reads++) expect(await slowest.time(read)).to.equal(200);
      expect((await alice.call('listWorkspaces')).status).to.equal(200);
      expect(isAnswered, 'the write waits').to.equal(false);
    } finally {
      await letGo();
    }
    expect((await writing).status).to.equal(200);
    figure(
      `0 of ${reads} reads failed, ${Math.round(slowest.milliseconds)} ms at most; the write was answered once the file was free`,
    );
  });

  it('answers a write that waits for too long with 503 and when to try again', async () => {
    const letGo = await lock(fileOf());
    const { status, headers } = await create('for too long').finally(letGo);
    expect([status, headers['retry-after']]).to.deep.equal([503, '1']);
    expect((await create('for too long')).status).to.equal(200);
  });

  it('does not keep the process from stopping', async () => {
    const letGo = await lock(fileOf());
    const waiting = create('at the stop').catch(() => undefined);
    expect((await alice.call('listWorkspaces')).status).to.equal(200);
    expect(await service?.stop()).to.be.oneOf([0, 1]);
    await waiting;
    await letGo();
  });
});
