import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { programEnv, startServiceProcess } from '../../harness/process/process.ts';
import { send } from '../../harness/service/client.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['bin', 'core', 'db', 'docs', 'examples', 'generated', 'handlers', 'http', 'jobs', 'providers', 'site'];
const FILES = ['openapi.yaml', 'package.json'];
const LONGEST_START_MS = 20_000;

interface Ended {
  code: unknown;
  stderr: string;
}

describe('openapi.yaml edited, but not generated', () => {
  let copy: string;
  let env: Record<string, string>;
  before(async () => {
    copy = await mkdtemp(join(tmpdir(), 'stale-contract-'));
    for (const name of [...FOLDERS, ...FILES]) await cp(join(ROOT, name), join(copy, name), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    env = { DATA_DIR: join(copy, 'data'), PORT: '0' };
  });
  after(() => rm(copy, { recursive: true, force: true }));

  const edit = () => appendFile(join(copy, 'openapi.yaml'), '# Edited.\n');

  function run(program: string, ...args: string[]): Promise<Ended> {
    const options = { env: { ...programEnv(), ...env }, timeout: LONGEST_START_MS };
    return new Promise((resolve) => {
      execFile(process.execPath, [join(copy, program), ...args], options, (error, _stdout, stderr) =>
        resolve({ code: error ? error.code : 0, stderr }),
      );
    });
  }

  it('does not change what a running service serves: the document that it enforces', async () => {
    const enforced = await readFile(join(copy, 'openapi.yaml'), 'utf8');
    const service = await startServiceProcess(env, join(copy, 'bin/api.ts'));
    try {
      await edit();
      const served = await send(service.url, 'GET', '/openapi.yaml');
      expect(served.text === enforced, 'the document as it was').to.equal(true);
    } finally {
      await service.stop();
    }
  });

  it('is refused by the start of the service and by commands that check values, with what mends it', async () => {
    await edit();
    const commands = [['bin/api.ts'], ['bin/admin.ts', 'tenant', 'add', '--email', 'eva@mail.example']];
    for (const [program = '', ...args] of commands) {
      const { code, stderr } = await run(program, ...args);
      expect(code, program).to.equal(1);
      expect(stderr, program).to.match(/openapi\.yaml .*generated\/contract\.json.*`npm run generate`/);
      expect(stderr, program).to.not.match(/^ +at /m);
    }
  });
});
