import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import { databases } from '../../harness/database/dialect.ts';
import { query, startPostgres } from '../../harness/database/postgres-server.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { authority, type Certificate } from '../../harness/peers/certificates.ts';
import { refusedStart } from '../../harness/process/refused-start.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { ofCertificates } from '../../jobs/conditions/of-certificates.ts';

databases('postgres');

/** A server with a certificate for `localhost`, signed by its own CA. */
async function startTlsPostgres() {
  const server = await startPostgres();
  const [ca, other] = await Promise.all([authority('the CA'), authority('another CA')]);
  await present(server.data, await ca.issue({ name: 'localhost' }));
  await query(server.url, 'alter system set ssl = on');
  await reload(server.url);
  const files = { ca: join(server.data, '..', 'ca.pem'), other: join(server.data, '..', 'other-ca.pem') };
  await writeFile(files.ca, ca.cert);
  await writeFile(files.other, other.cert);
  return { ...server, issuer: ca, files };
}

/** Postgres requires that only the server's user can read the key. */
async function present(data: string, { key, cert }: Certificate): Promise<void> {
  const { uid, gid } = await stat(data);
  for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
    await writeFile(join(data, name), text, { mode: 0o600 });
    await chown(join(data, name), uid, gid);
  }
}

async function reload(url: string): Promise<void> {
  await query(url, 'select pg_reload_conf()');
  await until('TLS is on', async () => (await query(url, 'show ssl'))[0]?.['ssl'] === 'on');
}

describe('TLS to Postgres', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const admin = new Admin(test);
  const server = suiteFixture(() => startTlsPostgres());

  const address = (host: string, parameters: Record<string, string>, database = 'postgres') => {
    const url = new URL(`${server.url}/${database}`);
    url.hostname = host;
    url.search = new URLSearchParams(parameters).toString();
    return url.href;
  };
  const isEncrypted = async (parameters: Record<string, string>) => {
    const { database } = readConfig({ DATABASE_URL: address('localhost', parameters) });
    const db = await open(database);
    try {
      const { rows } = await db.raw('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
      return rows[0].ssl;
    } finally {
      await disconnect(db);
    }
  };
  /** The output of a command. The driver prints a warning for some modes first. */
  const refused = async (host: string, parameters: Record<string, string>) => {
    const { code, stderr } = await admin.run(['landlord', 'list'], { DATABASE_URL: address(host, parameters) });
    expect(code, stderr).to.equal(1);
    return stderr
      .split('\n')
      .filter((line) => line.startsWith('Error: '))
      .join('\n');
  };

  it('works with verify-full and the CA: service and queue connect over TLS only', async () => {
    await query(server.url, 'create database tls');
    const parameters = { sslmode: 'verify-full', sslrootcert: server.files.ca };
    const service = await startTestService({ DATABASE_URL: address('localhost', parameters, 'tls') });
    try {
      await service.alice.ok('listWorkspaces');
      const connections = 'pg_stat_ssl join pg_stat_activity using (pid)';
      const rows = await query(server.url, `select distinct ssl from ${connections} where datname = 'tls'`);
      expect(rows).to.deep.equal([{ ssl: true }]);
    } finally {
      await service.stop();
    }
  });

  it('is not used without sslmode, or with disable', async () => {
    for (const parameters of [{}, { sslmode: 'disable' }]) expect(await isEncrypted(parameters)).to.equal(false);
  });

  it('skips verification with no-verify', async () => {
    expect(await isEncrypted({ sslmode: 'no-verify' })).to.equal(true);
  });

  for (const sslmode of ['verify-full', 'verify-ca', 'require', 'prefer']) {
    it(`is refused with ${sslmode} when another CA signed the certificate, and the message names the fix`, async () => {
      expect(await refused('localhost', { sslmode, sslrootcert: server.files.other })).to.match(
        /certificate of the database .*sslrootcert=<file>/,
      );
      expect(await refused('localhost', { sslmode })).to.match(/certificate of the database .*sslrootcert=<file>/);
    });

    it(`is refused with ${sslmode} when the certificate is for another host, and the message names the fix`, async () => {
      expect(await refused('127.0.0.1', { sslmode, sslrootcert: server.files.ca })).to.match(
        /certificate of the database is for another host; use its host name in DATABASE_URL/,
      );
    });
  }

  it('stops the start of the service with the same message', async () => {
    const DATABASE_URL = address('localhost', { sslmode: 'verify-full', sslrootcert: server.files.other });
    const { code, stderr } = await refusedStart('api', { ...admin.env, DATABASE_URL });
    expect(code).to.equal(1);
    expect(stderr).to.match(
      /^The service cannot start: the certificate of the database [^\n]+sslrootcert=<file>[^\n]+\n$/,
    );
  });

  it('is a condition while the certificate soon expires', async () => {
    const parameters = { sslmode: 'verify-full', sslrootcert: server.files.ca };
    const config = readConfig({ DATABASE_URL: address('localhost', parameters), DATA_DIR: test.folder });
    const never = Promise.resolve(undefined);
    const seen = () => ofCertificates(async () => 'http://localhost', config, never).certificates();
    expect(await seen()).to.include({ state: 'ok' });
    await present(server.data, await server.issuer.issue({ name: 'localhost', validUntil: 3 }));
    await reload(server.url);
    const { found } = await until('it presents the one that expires', async () => {
      const observation = await seen();
      return observation.state === 'problem' && observation;
    });
    expect(found).to.equal('The certificate of Postgres is valid for 2 days.');
  });

  it('is refused when the certificate has expired, the server has no TLS, or the CA file is missing', async () => {
    const { ca } = server.files;
    const verified = { sslmode: 'verify-full', sslrootcert: ca };
    expect(await refused('localhost', { ...verified, sslrootcert: `${ca}.missing` })).to.match(
      /sslrootcert.*ca\.pem\.missing/,
    );
    await present(server.data, await server.issuer.issue({ name: 'localhost', validFrom: -60, validUntil: -30 }));
    await reload(server.url);
    await until('it presents the expired one', async () =>
      /has expired; renew it/.test(await refused('localhost', verified)),
    );
    const { database } = test.config;
    const plain = new URL(database.dialect === 'postgres' ? database.url : expect.fail());
    plain.search = new URLSearchParams(verified).toString();
    expect(await admin.refused(1, ['landlord', 'list'], { DATABASE_URL: plain.href })).to.match(
      /does not offer TLS; .*sslmode/,
    );
  });
});
