import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { closeToOthers, requireDataDir } from '../../bin/service/private-files.ts';
import { createLog } from '../../core/log.ts';
import { readConfig } from '../../core/settings/config.ts';
import { PATIENT } from '../../core/settings/database-settings.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { refusedStart } from '../../harness/process/refused-start.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';

databases('either');

const NOBODY = 65_534;
const postgres = { dialect: 'postgres', url: '', limits: PATIENT } as const;

/** Root can read every folder. */
function asNobody<Result>(work: () => Result): Result {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('the service’s files', () => {
  let service: ServiceProcess | undefined;
  let env: Record<string, string>;
  let admin: Admin;
  const place = suiteFixture(temporaryFolder);
  const dataDir = () => join(place.path, 'state', 'data');

  const start = async () => {
    service = await startServiceProcess(env);
    return service;
  };
  before(async () => {
    env = { DATA_DIR: dataDir(), DATABASE_URL: await freshDatabase(dataDir()) };
    admin = new Admin({ config: readConfig(env), folder: dataDir() });
  });
  afterEach(async () => {
    await service?.kill();
    service = undefined;
  });

  /** The permissions of everything below the data folder, by path. */
  const rights = async () => {
    const names = ['.', ...(await readdir(dataDir(), { recursive: true })).sort()];
    const found = await Promise.all(
      names.map(async (name) => {
        const stats = await stat(join(dataDir(), name)).catch(() => undefined);
        return stats ? [{ name, isFolder: stats.isDirectory(), mode: stats.mode & 0o777 }] : [];
      }),
    );
    return found.flat();
  };
  const expectPrivate = async () => {
    for (const { name, isFolder, mode } of await rights())
      expect(mode.toString(8), name).to.equal(isFolder ? '700' : '600');
  };
  const finding = async (settings = '') => {
    const more = { PUBLIC_URL: 'http://127.0.0.1:2', SETTINGS_FILE: settings };
    const { stdout } = await admin.run(['doctor', '--json'], more);
    const findings: { check: string; state: string; found: string; advice: string | null }[] = JSON.parse(stdout);
    return findings.find(({ check }) => check === 'files');
  };

  it('are readable by their owner only, whatever the umask: keys, database, documents, mails, credentials, backups', async () => {
    const before = process.umask(0);
    try {
      const { url } = await start();
      const text = await readFile(join(dataDir(), 'demo.env'), 'utf8');
      const value = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(text)?.[1] ?? '';
      const client = new Client(url, value('CLIENT_ID'), value('CLIENT_SECRET'));
      await client.authenticate();
      const tenants = [
        { email: 'somebody@mail.example', is_lead: true },
        { email: 'guest@mail.example', is_lead: false },
      ];
      await client.ok('createApplication', { body: { title: 'Flat', tenants } });
      await until('the invitation was sent', async () => (await rights()).some(({ name }) => name.endsWith('.eml')));
      if (dialect === 'sqlite') {
        const folder = join(dataDir(), 'backups', 'today');
        // Also when the target folder exists.
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await chmod(join(dataDir(), 'backups'), 0o700);
        await admin.run(['db', 'backup', '--to', folder]);
      }
      await admin.run(['audit', 'export', '--to', join(dataDir(), 'audit.jsonl')]);
    } finally {
      process.umask(before);
    }
    const names = (await rights()).map(({ name }) => name);
    expect(names).to.include.members(['keys/token.key', 'keys/encryption.key', 'demo.env', 'audit.jsonl']);
    if (dialect === 'sqlite')
      expect(names).to.include.members(['service.db', 'service.db-wal', 'service.db-shm', 'backups/today/service.db']);
    expect(names.filter((name) => /^documents\/[0-9a-f]{2}\//.test(name))).to.not.deep.equal([]);
    await expectPrivate();
    expect(await finding()).to.include({ state: 'ok' });
  });

  it('that others may read are reported by the doctor, and closed by the next start', async () => {
    for (const { name, isFolder } of await rights()) await chmod(join(dataDir(), name), isFolder ? 0o755 : 0o664);
    const found = await finding();
    expect(found?.state).to.equal('problem');
    expect(found?.found)
      .to.include(dataDir())
      .and.match(/and \d+ more/);
    expect(found?.advice).to.include('chmod');
    await start();
    await expectPrivate();
    expect(await finding()).to.include({ state: 'ok' });
  });

  it('are checked only where the service may look: a disk’s lost+found stops no start', async () => {
    const folder = join(place.path, 'disk');
    const foreign = join(folder, 'lost+found');
    await chmod(place.path, 0o755);
    await mkdir(foreign, { recursive: true });
    await writeFile(join(folder, 'own'), '');
    await chmod(folder, 0o700);
    await chown(folder, NOBODY, NOBODY).catch(() => {});
    await chmod(foreign, process.geteuid?.() === 0 ? 0o700 : 0);
    try {
      expect(asNobody(() => closeToOthers({ dataDir: folder, database: postgres }, createLog('silent')))).to.equal(
        undefined,
      );
    } finally {
      await chmod(foreign, 0o700);
    }
  });

  it('need a writable DATA_DIR: otherwise the service does not start, in live either', async () => {
    const folder = join(place.path, 'of-another');
    await mkdir(folder);
    await chmod(place.path, 0o755);
    await chmod(folder, 0o555);
    for (const path of [folder, join(folder, 'below')])
      expect(() => asNobody(() => requireDataDir(path))).to.throw(
        `DATA_DIR is ${path}, which this account cannot write (EACCES); use a folder that it owns.`,
      );
    const key = () => randomBytes(32).toString('base64');
    const { code, stderr } = await refusedStart('api', {
      ...{ MODE: 'live', MIGRATE: 'true', DATABASE_URL: env['DATABASE_URL'] ?? '', DATA_DIR: '/dev/null/data' },
      ...{
        PUBLIC_URL: 'https://screening.example',
        FRAME_ANCESTORS: "'none'",
        TOKEN_KEY: key(),
        ENCRYPTION_KEY: key(),
      },
      ...{ KYC_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_live_a', STRIPE_WEBHOOK_SECRET: 'whsec_a' },
      ...{ EID_PROVIDER: 'oidc', EID_ISSUER: 'https://eid.example', EID_CLIENT_ID: 'a', EID_CLIENT_SECRET: 'b' },
      ...{ MAIL_PROVIDER: 'smtp', MAIL_FROM: 'lettings@agency.example', SMTP_URL: 'smtp://mail.example' },
    });
    expect([code, stderr]).to.deep.equal([
      1,
      'The service cannot start:\n  - DATA_DIR is /dev/null/data, which this account cannot write (ENOTDIR); use a folder that it owns.\n',
    ]);
  });

  it('do not help when everyone may read the settings, which the doctor reports', async () => {
    const file = join(place.path, 'settings');
    await writeFile(file, '# nothing');
    for (const [mode, state] of [
      [0o644, 'problem'],
      [0o640, 'ok'],
      [0o600, 'ok'],
    ] as const) {
      await chmod(file, mode);
      expect((await finding(file))?.state, mode.toString(8)).to.equal(state);
    }
  });
});
