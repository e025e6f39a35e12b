import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import { databases } from '../../harness/database/dialect.ts';
import { query, startPostgres } from '../../harness/database/postgres-server.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { authority } from '../../harness/peers/certificates.ts';
import { refusedStart } from '../../harness/process/refused-start.ts';
import { until } from '../../harness/process/until.ts';

databases('postgres');

/** A server that asks for passwords as servers do by default, with a socket, and TLS where a role demands it. */
async function startStrictPostgres() {
  const sockets = await mkdtemp(join(tmpdir(), 'screening-socket-'));
  await chmod(sockets, 0o777);
  const server = await startPostgres({ flags: [`unix_socket_directories=${sockets}`] });
  const web = createServer((_req, res) => res.end('not Postgres')).listen(0, '127.0.0.1');
  for (const statement of [
    "set password_encryption = 'scram-sha-256'; alter role screening password 'screening'",
    "create role plain login password 'x'",
    "create role encrypted login password 'x'",
    "create role few login password 'x' connection limit 0",
    "create role group_only password 'x'",
    "create role stranger login password 'x'",
    'create database app',
  ])
    await query(server.url, statement);
  const { key, cert } = await (await authority('the CA')).issue({ name: 'localhost' });
  const { uid, gid } = await stat(server.data);
  for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
    await writeFile(join(server.data, name), text, { mode: 0o600 });
    await chown(join(server.data, name), uid, gid);
  }
  const rules = ['hostssl all encrypted', 'host all screening,plain,few,group_only'].map(
    (rule) => `${rule} 127.0.0.1/32 scram-sha-256`,
  );
  await writeFile(join(server.data, 'pg_hba.conf'), `${rules.join('\n')}\nlocal all all scram-sha-256\n`);
  await query(server.url, 'alter system set ssl = on');
  await query(server.url, 'select pg_reload_conf()');
  await until('TLS is on', async () => (await query(server.url, 'show ssl'))[0]?.['ssl'] === 'on');
  const { port: webPort } = web.address() as AddressInfo;
  return {
    host: new URL(server.url).host,
    port: new URL(server.url).port,
    sockets,
    web: `127.0.0.1:${webPort}`,
    async stop() {
      web.close();
      await server.stop();
      await rm(sockets, { recursive: true });
    },
  };
}

describe('a start with a database that cannot be used', () => {
  const server = suiteFixture(() => startStrictPostgres());
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-refused-'));
  });
  after(() => rm(folder, { recursive: true }));

  const start = (DATABASE_URL: string) =>
    refusedStart('api', { DATA_DIR: folder, PORT: '0', RUN_WORKERS: 'false', DATABASE_URL });

  const cases: Record<string, [url: (places: typeof server) => string, message: RegExp]> = {
    'no password': [({ host }) => `postgres://screening@${host}/app`, /has no password; write postgres:/],
    'a wrong password': [({ host }) => `postgres://screening:no@${host}/app`, /refuses the user or password/],
    'no user': [({ host }) => `postgres://${host}/app`, /names no user; write postgres:/],
    'a role that may not log in': [({ host }) => `postgres://group_only:x@${host}/app`, /may not log in; ALTER ROLE/],
    'no such database': [({ host }) => `postgres://screening:screening@${host}/none`, /does not exist; create it/],
    'a server that demands TLS': [({ host }) => `postgres://encrypted:x@${host}/app`, /demands TLS; add sslmode/],
    'TLS switched off where it is demanded': [
      ({ host }) => `postgres://encrypted:x@${host}/app?sslmode=disable`,
      /demands TLS; add sslmode=verify-full/,
    ],
    'a certificate of an unknown CA': [
      ({ host }) => `postgres://encrypted:x@${host}/app?sslmode=require`,
      /unknown CA; name the file of its CA/,
    ],
    'a user who is admitted nowhere': [({ host }) => `postgres://stranger:x@${host}/app`, /demands TLS; add sslmode/],
    'no right to create tables': [({ host }) => `postgres://plain:x@${host}/app`, /GRANT CREATE ON SCHEMA public/],
    'no connection left': [({ host }) => `postgres://few:x@${host}/app`, /no connection left; raise/],
    'a closed port': [() => 'postgres://screening:x@127.0.0.1:1/app', /does not answer; is it running/],
    'an unknown host': [() => 'postgres://screening:x@nowhere.invalid/app', /a host is unknown|no name server answers/],
    'a server that is not Postgres': [({ web }) => `postgres://screening:x@${web}/app`, /is it Postgres, is the port/],
    'TLS to a server that is not Postgres': [
      ({ web }) => `postgres://screening:x@${web}/app?sslmode=verify-full`,
      /is it Postgres, is the port/,
    ],
    'a socket that is missing': [
      () => 'postgres://screening:x@/app?host=/cloudsql/project:region:instance',
      /no Postgres answers at the socket .*; is the folder mounted/,
    ],
    'a socket at another port': [
      ({ sockets }) => `postgres://screening:x@localhost:5999/app?host=${sockets}`,
      /no Postgres answers at the socket/,
    ],
    'a missing certificate file': [
      ({ host }) => `postgres://screening:x@${host}/app?sslmode=verify-full&sslrootcert=/nowhere.pem`,
      /missing; check DATA_DIR, and sslrootcert/,
    ],
  };
  it('is not one over a socket, in the form that Google writes', async () => {
    const { sockets, port } = server;
    const { database } = readConfig({
      DATABASE_URL: `postgres://screening:screening@/app?host=${sockets}&port=${port}`,
    });
    const db = await open(database);
    try {
      const { rows } = await db.raw('select inet_server_addr() is null as by_socket');
      expect(rows).to.deep.equal([{ by_socket: true }]);
    } finally {
      await disconnect(db);
    }
  });

  for (const [what, [url, message]] of Object.entries(cases))
    it(`says in one line what to do: ${what}`, async () => {
      const { code, stderr } = await start(url(server));
      expect(code, stderr).to.equal(1);
      expect(stderr)
        .to.match(/^The service cannot start: [^\n]+\n$/)
        .and.match(message);
    });
});
