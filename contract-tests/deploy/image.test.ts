import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { startServiceProcess, startWorkerProcess } from '../../harness/process/process.ts';
import { steadyFolder } from '../../harness/process/steady-folder.ts';
import { until } from '../../harness/process/until.ts';
import { send } from '../../harness/service/client.ts';

databases('none');

const MIB = 1024 * 1024;
const LIMIT_MIB = 350;

const containerfile = readFileSync('Containerfile', 'utf8');
const manifest: { scripts: Record<string, string>; dependencies: Record<string, string> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

/** Reads a Dockerfile instruction in its JSON form. */
function instruction(name: string): string[] {
  const [, list = '[]'] = new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(containerfile) ?? [];
  return JSON.parse(list);
}

/** The folders of the packages that `npm ci --omit=dev` downloads on this platform. Our own are links to the checkout, its tests included. */
function productionFolders(): string[] {
  const args = ['ls', '--all', '--parseable', '--package-lock-only', '--omit=dev'];
  const printed = execFileSync('npm', args, { encoding: 'utf8' });
  const folders = printed.split('\n').filter((folder) => folder.includes('/node_modules/') && existsSync(folder));
  return folders.filter((folder) => !lstatSync(folder).isSymbolicLink());
}

/** Bytes on disk, without the packages nested inside. */
function diskUse(folder: string): number {
  return globSync('**', { cwd: folder, exclude: (name) => name === 'node_modules' })
    .map((name) => lstatSync(join(folder, name)).blocks * 512)
    .reduce((sum, bytes) => sum + bytes, 0);
}

describe('the container image', () => {
  it('is based on the official image of the Node version that everything else uses', () => {
    expect(containerfile).to.match(new RegExp(`^ARG NODE_IMAGE=node:${manifest.dependencies['node']}-`, 'm'));
    expect(process.version).to.equal(`v${manifest.dependencies['node']}`);
  });

  it('starts the same command as npm start, not as root', () => {
    const started = ['exec', ...instruction('ENTRYPOINT'), ...instruction('CMD')].join(' ');
    // The image has its Node: what npm's scripts check first cannot fail there.
    const script = (name: string) => manifest.scripts[name]?.replace('--import ./scripts/fit-node.mjs ', '');
    expect(started).to.equal(script('start'));
    expect(started.replace('bin/api.ts', 'bin/worker.ts')).to.equal(script('worker'));
    expect(containerfile.slice(containerfile.lastIndexOf('\nFROM '))).to.match(/^USER [1-9]\d*:[1-9]\d*$/m);
  });
});

describe('a production install', () => {
  it(`takes less than ${LIMIT_MIB} MiB without Node`, () => {
    const folders = productionFolders().filter((folder) => !/\/node_modules\/node(\/|$)/.test(folder));
    expect(folders).to.have.length.above(200);
    const sizes = folders.map((folder) => [diskUse(folder) / MIB, relative('', folder)] as const);
    const total = sizes.reduce((sum, [size]) => sum + size, 0);
    const largest = sizes.sort(([one], [other]) => other - one).slice(0, 5);
    const told = largest.map(([size, folder]) => `${folder} ${size.toFixed(0)}`).join(', ');
    expect(total, told).to.be.within(100, LIMIT_MIB);
  });
});

describe('the files copied into the image', () => {
  const folder = suiteFixture(() => steadyFolder('image'));
  const image = () => join(folder.path, 'image');
  const settings = () => ({ DATA_DIR: join(folder.path, 'data'), OPS_PORT: '0' });

  before(() => {
    const lines = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    expect(lines[0]).to.equal('*');
    const left = lines.slice(1).filter((line) => !line.startsWith('!'));
    for (const name of lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))) {
      mkdirSync(dirname(join(image(), name)), { recursive: true });
      cpSync(name, join(image(), name), { recursive: true, filter: (file) => !left.includes(file) });
    }
    // As the Containerfile leaves them: without Node's npm package, and with the image's own copies of the packages.
    const modules = join(image(), 'node_modules');
    mkdirSync(join(modules, '@tenant-screening'), { recursive: true });
    for (const name of readdirSync('node_modules'))
      if (!['node', '@tenant-screening'].includes(name))
        symlinkSync(resolve('node_modules', name), join(modules, name));
    for (const name of ['forensics', 'webhook-tools'])
      symlinkSync(join(image(), 'packages', name), join(modules, '@tenant-screening', name));
  });

  it('are sufficient for the API and its pages', async () => {
    const service = await startServiceProcess(settings(), join(image(), 'bin/api.ts'));
    try {
      for (const path of ['/docs/', '/docs/changelog.html', '/openapi.yaml'])
        expect((await send(service.url, 'GET', path)).status, path).to.equal(200);
      // Not ready while the database takes longer than a second to answer.
      await until('it is ready', async () => (await fetch(`${service.operatorsUrl}/readyz`)).status === 200);
    } finally {
      await service.stop();
    }
  });

  it('are sufficient for a worker and the command line', async () => {
    const worker = await startWorkerProcess(settings(), join(image(), 'bin/worker.ts'));
    await worker.kill();
    const env = { ...process.env, ...settings(), SETTINGS_FILE: '' };
    const printed = execFileSync(process.execPath, ['bin/admin.ts', 'db', 'migrate'], {
      cwd: image(),
      env,
      encoding: 'utf8',
    });
    expect(printed).to.include('up to date');
  });
});
