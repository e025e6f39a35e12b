import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, open, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { programEnv } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import type { Ended } from '../../harness/service/admin-host.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const ENTRY = new URL('../../bin/admin.mjs', import.meta.url).pathname;
const ROOT = new URL('../..', import.meta.url).pathname;

describe('the package’s bin entry', () => {
  let env: Record<string, string>;
  const test = useService();
  before(async () => {
    const { PATH = '', ...others } = programEnv();
    // The system's Node rather than the one in node_modules.
    const machine = join(test.folder, 'machine');
    await mkdir(machine);
    await copyFile(process.execPath, join(machine, 'node'));
    env = { ...others, ...new Admin(test).env, PATH: `${machine}${delimiter}${PATH}` };
  });

  const run = (program: string, args: string[], cwd: string, more: Record<string, string> = {}) =>
    new Promise<Ended>((resolve) => {
      execFile(program, args, { cwd, env: { ...env, ...more } }, (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
        resolve({ code, stdout, stderr });
      });
    });

  it('works from any folder and with any Node version, passes the exit code on, and names itself in messages', async () => {
    const listed = await run(ENTRY, ['landlord', 'list', '--json'], test.folder);
    expect(listed).to.deep.include({ code: 0, stderr: '' });
    expect(JSON.parse(listed.stdout)).to.have.length(2);
    const lost = await run(ENTRY, ['key', 'create', '--landlord', 'none', '--name', 'x'], test.folder);
    expect(lost).to.deep.include({ code: 1, stdout: '' });
    expect(lost.stderr).to.include('list them with screening-admin landlord list');
    expect((await run(ENTRY, ['landlrd'], test.folder)).code).to.equal(2);
    // File names are relative to where the command was typed.
    const missing = await run(ENTRY, ['forensics', 'analyse', 'payslip.pdf'], test.folder);
    expect(missing.stderr).to.include(join(test.folder, 'payslip.pdf'));
  });

  it('works with npx, and then its help says so', async () => {
    const { code, stdout } = await run('npx', ['screening-admin', 'landlord', 'create', '--help'], ROOT);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^Usage: npx screening-admin landlord create/);
    expect(stdout).to.match(/^ {2}npx screening-admin landlord create --name "Casa Clara"$/m);
  });

  for (const [way, command, cwd] of [
    ['itself', [ENTRY], () => test.folder],
    ['npx', ['npx', 'screening-admin'], () => ROOT],
  ] as const)
    it(`stops together with its command when ${way} is asked to stop`, async () => {
      const [program = '', ...entry] = command;
      const args = ['webhook', 'create', '--client-id', test.alice.clientId, '--url', 'http://127.0.0.1/'];
      const pipe = join(test.folder, `${way}.pipe`);
      execFileSync('mkfifo', [pipe]);
      // Nothing closes this input.
      const input = await open(pipe, 'r+');
      const child = spawn(program, [...entry, ...args, '--secret-file', '-'], {
        cwd: cwd(),
        env: { ...env, LOG_LEVEL: 'silent' },
        stdio: [input.fd, 'pipe', 'inherit'],
      });
      const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
      // Waits until the last process that could write has ended.
      const closed = once(child.stdout?.resume() ?? expect.fail(), 'close');
      // Written after the command has read the first part: it waits for the rest of the secret.
      await input.write('x'.repeat(1 << 20));
      child.kill('SIGTERM');
      expect(await ended).to.be.oneOf(['SIGTERM', 143]);
      await closed;
      await input.close();
      expect(await test.service.runtime.db('webhooks').where({ url: 'http://127.0.0.1/' })).to.deep.equal([]);
    });

  it('says what to run when dependencies are missing', async () => {
    const fresh = join(test.folder, 'fresh clone');
    await mkdir(join(fresh, 'bin'), { recursive: true });
    await copyFile(ENTRY, join(fresh, 'bin', 'admin.mjs'));
    await symlink(join(fresh, 'bin', 'admin.mjs'), join(test.folder, 'screening-admin'));
    const ended = await run(join(test.folder, 'screening-admin'), ['--help'], test.folder);
    expect(ended).to.deep.include({ code: 1, stdout: '' });
    expect(ended.stderr).to.match(/not installed\. Run this first:\n {2}npm ci --prefix ".*fresh clone"\n$/);
  });
});
