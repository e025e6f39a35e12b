import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { type ServiceProcess, spawnProgram, startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Client } from '../../harness/service/client.ts';

databases('either');

describe('the actual program', () => {
  let folder: string;
  let env: Record<string, string>;
  let db: Database;
  let credentials: { client_id: string; clientSecret: string };
  const running: ServiceProcess[] = [];

  const start = async (): Promise<Client> => {
    const service = await startServiceProcess(env);
    running.push(service);
    const client = new Client(service.url, credentials.client_id, credentials.clientSecret);
    await client.authenticate();
    return client;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-process-'));
    env = { DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder) };
    db = await connect(readConfig(env).database);
    const landlord = await createLandlord(db, 'Casa Clara', new Date());
    const { apiKey, clientSecret } = await createApiKey(db, landlord.id, 'Alice', new Date());
    credentials = { client_id: apiKey.client_id, clientSecret };
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.kill();
  });
  after(async () => {
    await disconnect(db);
    await rm(folder, { recursive: true, force: true });
  });

  it('creates one application and one invitation per address for 200 concurrent calls to two processes', async () => {
    const clients = dialect === 'postgres' ? [await start(), await start()] : [await start()];
    const tenants = ['lead', 'two', 'three'].map((name, index) => ({
      email: `crowd-${name}@mail.example`,
      is_lead: index === 0,
    }));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        clients[index % clients.length]?.ok('createApplication', { body: { title: 'Crowd', tenants } }),
      ),
    );
    expect(new Set(answers.map((answer) => answer?.data.application_id)).size).to.equal(1);
    const sent = await until('both invites were sent', async () => {
      const invites = await db('invites')
        .join('participants', 'participants.id', 'invites.participant_id')
        .whereLike('participants.email', 'crowd-%')
        .select('invites.id', 'invites.status');
      return invites.every(({ status }) => status === 'sent') && invites;
    });
    expect(sent).to.have.length(2);
    const mails = await readdir(join(folder, 'mailbox'));
    for (const { id } of sent) expect(mails).to.include(`${id}.eml`);
  });

  it('runs the work of an API without workers in a separate process', async () => {
    const api = await startServiceProcess({ ...env, RUN_WORKERS: 'false' });
    running.push(api);
    const worker = spawnProgram('../../bin/worker.ts', { ...env, LOG_LEVEL: 'silent' });
    const ended = new Promise<number | null>((resolve) => worker.once('exit', resolve));
    try {
      const client = new Client(api.url, credentials.client_id, credentials.clientSecret);
      await client.authenticate();
      const tenants = ['apart-lead', 'apart-guest'].map((name, index) => ({
        email: `${name}@mail.example`,
        is_lead: index === 0,
      }));
      await client.ok('createApplication', { body: { title: 'Apart', tenants } });
      await until('the worker sent the invite', async () => {
        const sent = await db('invites').where({ status: 'sent' }).select('participant_id');
        const guest = await db('participants').where({ email: 'apart-guest@mail.example' }).first('id');
        return sent.some(({ participant_id }) => participant_id === guest?.id);
      });
    } finally {
      worker.kill('SIGTERM');
    }
    expect(await ended).to.equal(0);
  });

  it('creates one demo when several processes start concurrently on an empty database', async () => {
    const data = join(folder, 'demo');
    const empty = { DATA_DIR: data, DATABASE_URL: await freshDatabase(folder, 'demo.db') };
    running.push(...(await Promise.all([1, 2, 3].map(() => startServiceProcess(empty)))));
    const demo = await connect(readConfig(empty).database);
    const landlords = await demo('landlords').select('name');
    const keys = await demo('api_keys').select('client_id');
    await disconnect(demo);
    expect(landlords).to.deep.equal([{ name: 'Demo Lettings' }]);
    expect(keys).to.have.length(1);
  });

  it('drains and exits with code 0 when asked to stop', async () => {
    await start();
    const [service] = running.splice(0);
    expect(await service?.stop()).to.equal(0);
  });

  it('leaves its compiled code for the next start, even when killed', async () => {
    const cache = join(folder, 'compiled');
    const killed = await startServiceProcess({ ...env, NODE_COMPILE_CACHE: cache });
    const filled = async () => (await readdir(cache, { recursive: true }).catch(() => [])).length > 100;
    try {
      await until('the cache is filled while the service runs', filled);
    } finally {
      await killed.kill();
    }
  });
});
