import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { programEnv } from '../../harness/process/process.ts';
import { eventually, hearLines } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { send } from '../../harness/service/client.ts';

databases('either');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const THROWING = import.meta.resolve('../../harness/process/throwing.ts');

interface Line {
  msg?: string;
  pid?: number;
  url?: string;
  err?: { stack: string };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(pid ?? expect.fail('no pid')), signal);
  } catch {
    // The process has ended.
  }
}

describe('a signal or an uncaught error', () => {
  const folder = suiteFixture(temporaryFolder);
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) signalGroup(child, 'SIGKILL');
  });

  /** Starts a program, and resolves once it listens or processes work. */
  const start = async (command: string, args: string[], settings: Record<string, string> = {}) => {
    const env = { ...programEnv(), DATA_DIR: folder.path, DATABASE_URL: await freshDatabase(folder.path), PORT: '0' };
    const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
    // Its own process group, as a terminal creates for each command.
    const child = spawn(command, args, { cwd: ROOT, env: { ...env, ...settings }, stdio, detached: true });
    children.push(child);
    // Unlike at its exit, everything that it printed has been read.
    const closed = once(child, 'close');
    const lines: Line[] = [];
    hearLines(child.stdout, (text) => {
      if (text.startsWith('{')) lines.push(JSON.parse(text));
    });
    const ready = await eventually('it started', () =>
      lines.find(({ msg }) => msg === 'listening' || msg === 'working'),
    );
    return { child, lines, ready, closed };
  };
  const isGone = (pid: number | undefined) => {
    try {
      process.kill(pid ?? expect.fail('no pid'), 0);
      return false;
    } catch {
      return true;
    }
  };

  const ways = ['npm start', 'npm run worker', 'npx node bin/api.ts', 'npx node bin/worker.ts'];
  for (const way of ways)
    it(`reaches the program behind ${way}, which drains and leaves no process behind`, async () => {
      const [command = '', ...args] = way.split(' ');
      const { child, lines, ready, closed } = await start(command, args);
      child.kill('SIGTERM');
      await until('the program was gone', () => isGone(ready.pid));
      await closed;
      expect(lines.map(({ msg }) => msg)).to.include('stopped');
    });

  it('counts once when a terminal sends it to npm and the program, and npm forwards it', async () => {
    const { child, lines, ready, closed } = await start('npm', ['start']);
    const { hostname, port } = new URL(ready.url ?? '');
    // Keeps the program draining for a while.
    const silent = connect(Number(port), hostname);
    await once(silent, 'connect');
    signalGroup(child, 'SIGINT');
    await closed;
    await until('the program was gone', () => isGone(ready.pid));
    expect(lines.at(-1)?.msg).to.equal('stopped');
    silent.destroy();
  });

  for (const [signal, text] of [
    ['SIGUSR2', 'thrown on purpose'],
    ['SIGPWR', 'rejected on purpose'],
  ] as const)
    it(`is logged, drains the program and ends it with exit code 1: ${text}`, async () => {
      const NODE_OPTIONS = `--import ${THROWING}`;
      const { child, lines, ready, closed } = await start(process.execPath, ['bin/api.ts'], { NODE_OPTIONS });
      expect((await send(ready.url ?? '', 'GET', '/api/v1/property-management/workspaces')).status).to.equal(401);
      child.kill(signal);
      expect(await closed).to.deep.equal([1, null]);
      expect(lines.find(({ msg }) => msg === 'uncaught error')?.err?.stack).to.include(text);
      expect(lines.at(-1)?.msg).to.equal('stopped');
    });
});
