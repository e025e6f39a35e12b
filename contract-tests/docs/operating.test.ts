import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

describe('the commands of the operating guide', () => {
  it('copy the documents beside Postgres, repeatedly, and back', async () => {
    const guide = await readFile('docs/operating/back-up.md', 'utf8');
    const [backup = '', restore = ''] = guide.match(/^mkdir -p .* && cp -R .*$/gm) ?? [];
    const folder = await mkdtemp(join(tmpdir(), 'screening-operating-'));
    try {
      const run = (command: string, data: string) =>
        execFileSync('sh', ['-c', command], { cwd: folder, env: { ...process.env, DATA_DIR: join(folder, data) } });
      await mkdir(join(folder, 'data', 'documents', 'ab'), { recursive: true });
      for (const name of ['first', 'second']) {
        await writeFile(join(folder, 'data', 'documents', 'ab', name), name);
        run(backup, 'data');
      }
      for (let time = 1; time <= 2; time++) run(restore, 'elsewhere');
      expect(await readdir(join(folder, 'elsewhere', 'documents'))).to.deep.equal(['ab']);
      expect(await readdir(join(folder, 'elsewhere', 'documents', 'ab'))).to.have.members(['first', 'second']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
