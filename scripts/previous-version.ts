/**
 * `npm run test:previous -- [test files]`: the released version before this one (db/released.json), taken from the history, runs its own
 * tests on the schema of this version, on the database of TEST_DATABASE. Without files, all of them that concern the service.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import released from '../db/released.json' with { type: 'json' };
import { dialect, isFor } from '../harness/database/dialect.ts';
import { commandLine } from '../harness/process/command-line.ts';
import { linkPackages } from '../harness/process/linked-packages.ts';

/** Folders whose tests concern requests, work and operators, not the schema, the documents or tools. */
const ROOMS =
  '{access,admin,audit,documents,edge,identity,invitations,operations,operators,pages,privacy,queue,service,webhooks}';
/** Tests about the schema itself and about that version's documents. */
const ABOUT_THE_SCHEMA = /admin\/(database|backup)/;
const IMPORT = /(?:from|import\(?) ?'([^']+)'/g;
const { positionals: named } = commandLine('npm run test:previous [-- FILE...]', { allowPositionals: true });
const root = join(import.meta.dirname, '..');
const place = mkdtempSync(join(tmpdir(), 'screening-previous-'));
const folder = join(place, 'version');

try {
  takeFromHistory();
  linkPackages(root, folder);
  const files = named.length > 0 ? named : allFiles();
  installMissing(files);
  process.exitCode = await test(files);
} catch (error) {
  console.error(`Error: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** With this version's migrations instead of its own. */
function takeFromHistory(): void {
  const { commit, version } = released;
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
  } catch {
    throw new Error(`the history of this clone does not go back to ${version} (${commit}); run git fetch --unshallow.`);
  }
  mkdirSync(folder);
  const archive = join(place, 'version.tar');
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: root });
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  rmSync(join(folder, 'db/migrations'), { recursive: true });
  cpSync(join(root, 'db/migrations'), join(folder, 'db/migrations'), { recursive: true });
}

/** Packages that the test files import and this version no longer has, above the folder: the search for a package climbs. */
function installMissing(files: readonly string[]): void {
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  // Tests start the examples, which they do not import.
  const examples = globSync('examples/*.ts', { cwd: folder });
  const imported = importedBy(['harness/mocha/setup.ts', ...examples, ...files].map((file) => join(folder, file)));
  const missing = Object.entries(devDependencies).filter(
    ([name]) => imported.has(name) && !existsSync(join(folder, 'node_modules', name)),
  );
  if (missing.length === 0) return;
  const packages = missing.map(([name, version]) => `${name}@${version}`);
  const options = ['--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...options, ...packages], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The names of the packages that files import, directly or through others. */
function importedBy(files: string[]): Set<string> {
  const packages = new Set<string>();
  // Grows while it is read.
  const seen = new Set(files);
  for (const file of seen)
    for (const [, name = ''] of existsSync(file) ? readFileSync(file, 'utf8').matchAll(IMPORT) : [])
      if (name.startsWith('.')) seen.add(join(dirname(file), name));
      else packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  return packages;
}

function allFiles(): string[] {
  return globSync(`contract-tests/${ROOMS}/*.test.ts`, { cwd: folder })
    .filter((file) => !ABOUT_THE_SCHEMA.test(file) && isFor(join(folder, file), dialect))
    .sort();
}

async function test(files: readonly string[]): Promise<number> {
  console.log(`Version ${released.version} runs ${files.length} of its test files on the schema of this version.`);
  const { TEST_DATABASE_TEMPLATE: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(root, 'node_modules/mocha/bin/mocha.js'), ...files], {
    cwd: folder,
    env: { ...env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}` },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
