import { execFile } from 'node:child_process';
import { appendFile, cp, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { digestOf } from '../../core/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { copiedTree } from '../../harness/process/copied-tree.ts';
import { programEnv, startServiceProcess } from '../../harness/process/process.ts';
import { send } from '../../harness/service/client.ts';

databases('none');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const [YAML, GENERATED] = ['openapi.yaml', 'generated/contract.json'];
/** Only ends a program that hangs: each start of the copy compiles it again. */
const MAX_START_MS = 120_000;

const FIX = /Deploy openapi\.yaml and generated\/ from the same commit\..*`npm ci --include=dev && npm run generate`/;

interface Ended {
  code: unknown;
  stdout: string;
  stderr: string;
}

describe('an unusable contract', () => {
  const tree = suiteFixture(copiedTree);
  let copy: string;
  let env: Record<string, string>;
  before(async () => {
    copy = tree.root;
    env = { DATA_DIR: join(copy, 'data'), PORT: '0' };
  });

  beforeEach(async () => {
    for (const name of [YAML, GENERATED]) await cp(join(ROOT, name), join(copy, name));
  });

  const edit = () => appendFile(join(copy, YAML), '# Edited.\n');

  function run(program: string, ...args: string[]): Promise<Ended> {
    const options = { env: { ...programEnv(), ...env }, timeout: MAX_START_MS };
    return new Promise((resolve) => {
      execFile(process.execPath, [join(copy, program), ...args], options, (error, stdout, stderr) =>
        resolve({ code: error ? error.code : 0, stdout, stderr }),
      );
    });
  }

  it('edited under a running service: it serves the document that it enforces', async () => {
    const enforced = await readFile(join(copy, YAML), 'utf8');
    const service = await startServiceProcess(env, join(copy, 'bin/api.ts'));
    try {
      await edit();
      const served = await send(service.url, 'GET', '/openapi.yaml');
      expect(served.text === enforced, 'the document as it was').to.equal(true);
    } finally {
      await service.stop();
    }
  });

  const damages: Record<string, { damage: () => Promise<void>; fault: RegExp }> = {
    'because it was edited, but not generated': {
      damage: edit,
      fault: /openapi\.yaml was edited, but generated\/contract\.json was not generated from it\./,
    },
    'because openapi.yaml is missing': {
      damage: () => rm(join(copy, YAML)),
      fault: /openapi\.yaml cannot be read: ENOENT: no such file/,
    },
    'because generated/contract.json is cut short': {
      damage: () => truncate(join(copy, GENERATED), 1_000),
      fault: /generated\/contract\.json cannot be read: .*JSON/,
    },
  };

  for (const [why, { damage, fault }] of Object.entries(damages)) {
    it(`${why}: is refused by starts and by commands that check values, with the fix`, async () => {
      await damage();
      const commands = [['bin/api.ts'], ['bin/admin.ts', 'tenant', 'add', '--email', 'eva@mail.example']];
      for (const [program = '', ...args] of commands) {
        const { code, stderr } = await run(program, ...args);
        expect(code, program).to.equal(1);
        expect(stderr, program).to.match(fault).and.match(FIX);
        expect(stderr, program).to.not.match(/^ +at /m);
      }
    });

    it(`${why}: is found by the doctor`, async () => {
      await damage();
      const { code, stdout } = await run('bin/admin.ts', 'doctor', '--json');
      expect(code).to.equal(1);
      const findings: { check: string; state: string; found: string; advice: string }[] = JSON.parse(stdout);
      const finding = findings.find(({ check }) => check === 'contract') ?? expect.fail();
      expect(finding.state).to.equal('problem');
      expect(finding.found).to.match(fault).and.not.match(FIX);
      expect(finding.advice).to.match(FIX);
    });
  }

  it('edited: the command that the fix names generates from the edited document', async () => {
    await edit();
    const { code, stderr } = await run('scripts/generate/generate.ts');
    expect(code, stderr).to.equal(0);
    const { digest }: { digest: string } = JSON.parse(await readFile(join(copy, GENERATED), 'utf8'));
    expect(digest).to.equal(digestOf(await readFile(join(copy, YAML))));
  });
});
