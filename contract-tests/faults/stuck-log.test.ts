import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readDemoCredentials } from '../../bin/service/demo/demo-credentials.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { PATIENCE, programEnv } from '../../harness/process/process.ts';
import { freePort } from '../../harness/process/running-server.ts';
import { eventually, hearLines } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { Client } from '../../harness/service/client.ts';

databases('either', 'nightly');

/** Requests whose log lines exceed the capacity of a pipe. */
const REQUESTS = 1_500;
/** Requests whose log lines exceed the limit on buffered lines. */
const MANY = 6_000;
const TOGETHER = 50;

describe('standard output', () => {
  const folder = suiteFixture(temporaryFolder);
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  const spawnProgram = async (name: string, stdout: 'pipe' | number, more: Record<string, string> = {}) => {
    const env = { ...PATIENCE, PORT: '0', DATA_DIR: folder.path, DATABASE_URL: await preparedDatabase(folder.path) };
    const program = new URL(`../../bin/${name}.ts`, import.meta.url).pathname;
    const process = spawn(globalThis.process.execPath, [program], {
      env: { ...programEnv(), ...env, LOG_LEVEL: 'info', ...more },
      stdio: ['ignore', stdout, 'inherit'],
    });
    child = process;
    return process;
  };
  const start = async (stdout: 'pipe' | number): Promise<{ process: ChildProcess; client: Client }> => {
    const process = await spawnProgram('api', stdout);
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

  it('on a full disk blocks neither requests nor SIGTERM', async () => {
    const full = await open('/dev/full', 'w');
    const { process, client } = await start(full.fd);
    await full.close();
    await ask(client, REQUESTS);
    await stop(process);
  });

  it('with a closed reader blocks neither requests nor SIGTERM', async () => {
    const { process, client } = await start('pipe');
    process.stdout?.destroy();
    await ask(client, REQUESTS);
    await stop(process);
  });

  it('with a stopped reader blocks neither requests nor SIGTERM', async () => {
    const { process, client } = await start('pipe');
    await ask(client, REQUESTS);
    await stop(process);
  });

  // Node connects child processes through a socket, a shell through a pipe.
  it('through a shell’s pipe with a stopped reader blocks neither requests nor SIGTERM', async () => {
    const path = join(folder.path, 'pipe');
    execFileSync('mkfifo', [path]);
    const pipe = await open(path, 'r+');
    const { process, client } = await start(pipe.fd);
    await ask(client, REQUESTS);
    await stop(process);
    await pipe.close();
  });

  it('on a full disk or with a stopped reader blocks no worker', async () => {
    const full = await open('/dev/full', 'w');
    for (const stdout of [full.fd, 'pipe'] as const) {
      const port = await freePort();
      const process = await spawnProgram('worker', stdout, { OPS_PORT: String(port), LOG_LEVEL: 'trace' });
      const answer = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok);
      await until('it is ready', () => answer().catch(() => false));
      await stop(process);
    }
    await full.close();
  });

  it('reports how many lines were lost once its reader continues', async () => {
    const { process, client } = await start('pipe');
    await ask(client, MANY);
    const read: { msg: string; lines?: number }[] = [];
    hearLines(process.stdout, (line) => line.startsWith('{') && read.push(JSON.parse(line)));
    const told = await eventually('it was logged', () => read.find(({ msg }) => msg.startsWith('log lines dropped')));
    const written = read.filter(({ msg }) => msg === 'request').length;
    expect(written + (told.lines ?? 0)).to.be.at.least(MANY);
    await stop(process);
  });
});
