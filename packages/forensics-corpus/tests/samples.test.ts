import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { programEnv } from '../../../harness/process/process.ts';

describe('npm run samples', () => {
  it('writes genuine and changed documents and says what was changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'screening-samples-'));
    try {
      const program = new URL('../bin/samples.ts', import.meta.url).pathname;
      const told = execFileSync(process.execPath, [program, folder], { env: programEnv(), encoding: 'utf8' });
      const lines = told.trimEnd().split('\n');
      expect(lines.map((line) => line.split('  ')[0]).sort()).to.deep.equal(
        (await readdir(folder)).map((name) => join(folder, name)).sort(),
      );
      const words = lines.map((line) => /-(genuine|value)-?[a-z]*\.(?:pdf|jpeg|png) /.exec(line)?.[1]);
      expect(words).to.deep.equal([...Array(3).fill('genuine'), ...Array(4).fill('value')]);
      expect(lines.filter((line) => line.endsWith('  genuine'))).to.have.length(3);
      expect(lines.filter((line) => / → /.test(line))).to.have.length(4);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
