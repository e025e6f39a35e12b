/**
 * `npm run image`: builds the container image with Docker or Podman, starts the sandbox in it as the guide to the sandbox says, and uses it:
 * site, token, application, verification and analysis. `-- --stand-in` builds on Debian by debootstrap with this machine's Node and npm, for
 * machines that reach no container registry (as root).
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { commandLine } from '../../harness/process/command-line.ts';
import { until } from '../../harness/process/until.ts';

const { values } = commandLine('npm run image [-- --stand-in]', {
  options: { 'stand-in': { type: 'boolean', default: false } },
});
const TOOLS = ['docker', 'podman'];
const IMAGE = 'screening-checked';
const STAND_IN = 'localhost/node-stand-in';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

const tool = TOOLS.find((name) => spawnSync(name, ['info']).status === 0);
if (!tool) {
  console.error(`not checked: this machine has none of ${TOOLS.join(', ')} that answers to "info"`);
  process.exit(1);
}
const call = (...args: string[]): string =>
  execFileSync(tool, args, { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] }).trim();

if (values['stand-in']) buildStandIn();
const base = values['stand-in'] ? ['--build-arg', `NODE_IMAGE=${STAND_IN}`] : [];
call('build', '--file', 'Containerfile', '--tag', IMAGE, ...base, '.');
console.log(`✔ ${tool} builds the image${values['stand-in'] ? ' on a stand-in for its base' : ''}`);

assert.match(call('run', '--rm', '--read-only', '--cap-drop=ALL', IMAGE, 'bin/admin.ts', '--help'), /^Usage: /m);
console.log('✔ the command line runs in it, read-only and without capabilities');

const container = call('run', '--detach', '--rm', '--publish', '127.0.0.1::3000', IMAGE);
try {
  await use(`http://${call('port', container, '3000/tcp').split('\n')[0]}`);
} finally {
  call('stop', container);
}

/** What a stranger does with the sandbox. */
async function use(url: string): Promise<void> {
  await until('the sandbox answers', async () => (await status(`${url}/docs/`)) === 200);
  console.log('✔ the sandbox starts, and serves its guides');

  const demo = parseEnv(call('exec', container, 'cat', '/var/lib/screening/data/demo.env'));
  const basic = Buffer.from(`${demo['CLIENT_ID']}:${demo['CLIENT_SECRET']}`).toString('base64');
  const request = async (method: string, path: string, authorization: string) => {
    const response = await fetch(`${url}/api/v1${path}`, { method, headers: { authorization } });
    assert.equal(response.status, 200, path);
    const { data }: { data: { access_token?: string; participants?: unknown[] } } = JSON.parse(await response.text());
    return data;
  };
  const { access_token: token } = await request('POST', '/authenticate/token', `Basic ${basic}`);
  const get = (path: string) => request('GET', path, `Bearer ${token}`);
  const { participants } = await get(`/applications/${demo['APPLICATION_ID']}`);
  assert.equal(participants?.length, 2);
  await get(`/tenants/initiate-kyc/${demo['VERIFIED_TENANT_ID']}`);
  console.log('✔ its demo credentials get a token, an application and a verification');

  await until('the documents are analysed', async () =>
    call('exec', container, 'node', 'bin/admin.ts', 'forensics', 'list').includes('completed'),
  );
  console.log('✔ a worker in it analyses documents');

  assert.equal(call('exec', container, 'id', '-u'), '1000');
  assert.notEqual(spawnSync(tool ?? '', ['exec', container, 'touch', '/srv/screening/changed']).status, 0);
  console.log('✔ it does not run as root, and cannot change its own code');
}

function status(url: string): Promise<number> {
  return fetch(url).then(
    (response) => response.status,
    () => 0,
  );
}

/** A base image of the same Debian and Node, without a registry. */
function buildStandIn(): void {
  const folder = mkdtempSync(join(tmpdir(), 'screening-base-'));
  try {
    execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder], {
      stdio: 'ignore',
    });
    if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, join(folder, CERTIFICATES));
    const modules = join(folder, 'usr/local/lib/node_modules');
    const programs = join(folder, 'usr/local/bin');
    cpSync(process.execPath, join(programs, 'node'));
    const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
    cpSync(join(npm, '../..'), join(modules, 'npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(programs, 'npm'));
    const trust = `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`;
    const script = 'tar --directory "$1" --create . | "$2" import --change "$3" - "$4"';
    execFileSync('sh', ['-c', script, 'sh', folder, `${tool}`, trust, STAND_IN]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
