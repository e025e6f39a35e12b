import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { readDemoCredentials } from '../../bin/service/demo-credentials.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { PATIENCE, programEnv } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Client } from '../../harness/service/client.ts';

/** Their lines are more than may wait. */
const REQUESTS = 6_000;
const TOGETHER = 50;

describe('standard output', () => {
  const folder = suiteFixture(temporaryFolder);
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  const start = async (stdout: 'pipe' | number): Promise<{ process: ChildProcess; client: Client }> => {
    const env = { ...PATIENCE, PORT: '0', DATA_DIR: folder.path, DATABASE_URL: await preparedDatabase(folder.path) };
    const program = new URL('../../bin/api.ts', import.meta.url).pathname;
    const process = spawn(globalThis.process.execPath, [program], {
      env: { ...programEnv(), ...env, LOG_LEVEL: 'info' },
      stdio: ['ignore', stdout, 'inherit'],
    });
    child = process;
    const client = await until('it answers', async () => {
      const demo = await readDemoCredentials(folder.path);
      if (!demo) return undefined;
      const found = new Client(demo.BASE_URL.replace('/api/v1', ''), demo.CLIENT_ID, demo.CLIENT_SECRET);
      return found.authenticate().then(
        () => found,
        () => undefined,
      );
    });
    return { process, client };
  };
  const ask = async (client: Client, requests: number) => {
    const statuses = new Set<number>();
    for (let asked = 0; asked < requests; asked += TOGETHER) {
      const calls = Array.from({ length: TOGETHER }, () => client.call('listWorkspaces'));
      for (const { status } of await Promise.all(calls)) statuses.add(status);
    }
    expect([...statuses]).to.deep.equal([200]);
  };
  const stop = async (process: ChildProcess) => {
    const ended = once(process, 'exit');
    process.kill('SIGTERM');
    expect(await ended).to.deep.equal([0, null]);
  };

  it('on a full disk stops neither requests nor SIGTERM', async () => {
    const full = await open('/dev/full', 'w');
    const { process, client } = await start(full.fd);
    await full.close();
    await ask(client, REQUESTS);
    await stop(process);
  });

  it('whose reader has gone stops neither requests nor SIGTERM', async () => {
    const { process, client } = await start('pipe');
    process.stdout?.destroy();
    await ask(client, REQUESTS);
    await stop(process);
  });

  it('whose reader has stopped stops neither requests nor SIGTERM', async () => {
    const { process, client } = await start('pipe');
    await ask(client, REQUESTS);
    await stop(process);
  });

  it('whose reader goes on tells how many lines were lost', async () => {
    const { process, client } = await start('pipe');
    await ask(client, REQUESTS);
    const read: { msg: string; lines?: number }[] = [];
    createInterface({ input: process.stdout ?? expect.fail() }).on(
      'line',
      (line) => line.startsWith('{') && read.push(JSON.parse(line)),
    );
    const told = await until('it was told', () => read.find(({ msg }) => msg.startsWith('lines were lost')));
    const written = read.filter(({ msg }) => msg === 'request').length;
    expect(written + (told.lines ?? 0)).to.be.at.least(REQUESTS);
    await stop(process);
  });
}).timeout(120_000);
