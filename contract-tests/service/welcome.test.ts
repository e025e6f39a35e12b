import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { PATIENCE, programEnv, terminalOf } from '../../harness/process/process.ts';
import { eventually, hear } from '../../harness/process/signals.ts';

databases('either');

const PROGRAM = new URL('../../bin/api.ts', import.meta.url).pathname;

describe('the welcome of a sandbox', () => {
  it('fits 80 columns, shows addresses and credentials, and says what to paste', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'screening-welcome-'));
    const database = dialect === 'postgres' ? { DATABASE_URL: await freshDatabase(folder) } : {};
    const env = { ...programEnv(), ...PATIENCE, ...terminalOf(80), ...database, DATA_DIR: 'data', PORT: '0' };
    const child = spawn(process.execPath, [PROGRAM], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    hear(child.stdout, (text) => {
      printed += text;
    });
    try {
      const ended = once(child, 'exit');
      await eventually('the welcome is printed', () => {
        if (child.exitCode !== null) throw new Error(`The program ended: ${printed}`);
        return printed.includes('The log follows.\n');
      });
      const [welcome = ''] = printed.split('The log follows.');
      expect(welcome)
        .to.match(/^ {2}Base address +http:\/\/127\.0\.0\.1:\d+\/api\/v1$/m)
        .and.match(/^ {2}Client secret +sandbox_[\w-]{43}$/m)
        .and.match(/^ {2}\. 'data\/demo\.env'$/m);
      for (const line of welcome.split('\n')) expect(line.length, line).to.be.at.most(80);
      child.kill('SIGTERM');
      expect((await ended)[0]).to.equal(0);
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
