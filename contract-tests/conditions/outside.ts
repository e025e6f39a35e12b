import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import type { Service } from '../../bin/service/service.ts';
import type { ConditionId } from '../../core/conditions/table.ts';
import { readConfig } from '../../core/settings/config.ts';
import { recordAt } from '../../harness/database/audit-months.ts';
import { databaseInEncoding, dropDatabase } from '../../harness/database/databases.ts';
import { dialect } from '../../harness/database/dialect.ts';
import { authority } from '../../harness/peers/certificates.ts';
import { startSilence } from '../../harness/peers/silence.ts';
import { copiedTree } from '../../harness/process/copied-tree.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import { CONSOLE } from '../console/operators.ts';
import { smallDisk } from './caused-storage.ts';
import { type Channel, MINUTE_MS, ONLY_A_WARNING } from './situation.ts';
import type { World } from './world.ts';

/** A service that looks at itself. */
export type Looker = { service: Pick<Service, 'runtime' | 'operatorsUrl'> };

interface Begun {
  /** The settings of the doctor and of a service of its own. */
  env: Record<string, string>;
  /** The tree of the programs, when they are not this one's. */
  root?: string;
  /** A process that runs already; by default, a service of its own starts with these settings. */
  runs?: Looker;
  /** Ends it while the service runs. Otherwise, other settings do. */
  end?(service: Looker, admin: Admin): Promise<unknown>;
  stop?(): Promise<unknown>;
}

/** What depends on settings, or on a process that cannot look at itself. */
export interface Outside {
  begin(test: World): Promise<Begun>;
  /** A service runs with these settings, and shows it in every channel but these. Without it, its start is refused, so the doctor alone can say it. */
  serves?: Partial<Record<Channel, string>>;
}

/** A port on which nothing listens. */
const NOWHERE = '127.0.0.1:2';

const silentParty = (settings: (port: number) => Record<string, string>, serves?: Outside['serves']): Outside => ({
  begin: async () => {
    const { port, stop } = await startSilence();
    return { env: settings(port), stop };
  },
  ...(serves ? { serves } : {}),
});

const settings = (env: Record<string, string>, serves?: Outside['serves']): Outside => ({
  begin: async () => ({ env }),
  ...(serves ? { serves } : {}),
});

/** The files of the service on a disk of their own. */
const onDisk = (options: string): Outside => ({
  begin: async ({ folder }) => {
    const disk = join(folder, 'disk');
    const stop = await smallDisk(disk, options);
    return { env: { DATA_DIR: disk }, stop };
  },
  serves: {},
});

const inLatin1: Outside = {
  begin: async () => {
    const url = await databaseInEncoding('LATIN1');
    return { env: { DATABASE_URL: url }, stop: () => dropDatabase(readConfig({ DATABASE_URL: url }).database) };
  },
};

/** A further process with other settings, on the same database. */
async function beside(test: World, env: Record<string, string>): Promise<Begun> {
  const all = { ...new Admin(test).env, ...test.settings, ...CONSOLE, RUN_WORKERS: 'false', ...env };
  const { operatorsUrl, stop } = await startServiceProcess(all);
  return { env, runs: { service: { runtime: test.service.runtime, operatorsUrl } }, stop: () => stop('SIGINT') };
}

/** The settings of a live service on the same database, which only needs to start. */
const live = ({ folder }: World) => ({
  TOKEN_KEY: keyIn(folder, 'token'),
  ENCRYPTION_KEY: keyIn(folder, 'encryption'),

  ...{ MODE: 'live', MIGRATE: 'true', PUBLIC_URL: 'https://localhost:2', FRAME_ANCESTORS: "'none'" },
  ...{ KYC_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_live_a', STRIPE_WEBHOOK_SECRET: 'whsec_a' },
  STRIPE_API_BASE: `https://${NOWHERE}`,
  ...{ EID_PROVIDER: 'oidc', EID_ISSUER: `https://${NOWHERE}`, EID_CLIENT_ID: 'a', EID_CLIENT_SECRET: 'b' },
  ...{
    MAIL_PROVIDER: 'smtp',
    MAIL_FROM: 'lettings@agency.example',
    SMTP_URL: `smtp://${NOWHERE}`,
    BANK_PROVIDER: 'none',
  },
});

/** The sandbox keeps keys that it made. */
function keyIn(folder: string, name: string): string {
  return readFileSync(join(folder, 'keys', `${name}.key`), 'utf8').trim();
}

/** The database of another machine: this one's Postgres, at an address that is not the machine's own. */
const remoteDatabase: Outside = {
  begin: async (test) => {
    const remote = new URL(new Admin(test).env['DATABASE_URL'] ?? '');
    const { port, hostname } = remote;
    const ours = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const { address } =
      ours.find(({ family, internal }) => family === 'IPv4' && !internal) ?? expect.fail('no network');
    const sockets = new Set<Socket>();
    const relay = createServer((socket) => {
      const onward = connect(Number(port), hostname);
      for (const one of [socket, onward]) sockets.add(one.on('error', () => {}));
      socket.pipe(onward).pipe(socket);
    });
    await once(relay.listen(0, address), 'listening');
    const relayed = relay.address() as AddressInfo;
    remote.host = `${address}:${relayed.port}`;
    const begun = await beside(test, { ...live(test), DATABASE_URL: remote.href });
    const stop = async () => {
      await begun.stop?.();
      for (const socket of sockets) socket.destroy();
      relay.close();
    };
    return { ...begun, stop };
  },
  serves: ONLY_A_WARNING,
};

/** A machine whose clock is behind that of the other processes, which write the audit log meanwhile. */
const clockBehind: Outside = {
  begin: async (test) => {
    const shift = new URL('../../harness/process/shifted-clock.ts', import.meta.url).pathname;
    await recordAt(test.service.runtime.db, 'one', new Date());
    return beside(test, { CLOCK_OFF_MS: String(-MINUTE_MS), NODE_OPTIONS: `--import=${shift}` });
  },
  serves: {},
};

/** Every landlord of a service, given a contact. */
async function giveContacts({ service }: Looker, admin: Admin): Promise<void> {
  for (const id of await service.runtime.db('landlords').pluck('id'))
    await admin.text('landlord', 'settings', id, '--contact-mail', 'rent@casa-clara.example');
}

/** Why the database of this run does not have the condition. */
type Absent = string;

export const outside: Partial<Record<ConditionId, Outside | Absent>> = {
  settings: settings({ PORT: 'x' }),
  key: settings({ ENCRYPTION_KEY: randomBytes(32).toString('base64') }),
  address: { begin: (test) => beside(test, { PUBLIC_URL: `http://${NOWHERE}` }), serves: ONLY_A_WARNING },
  ...(dialect === 'postgres'
    ? {
        encoding: inLatin1,
        pooler: silentParty((port) => ({ DATABASE_SESSION_URL: `postgres://a:b@127.0.0.1:${port}/c` })),
        standby: silentParty((port) => ({ DATABASE_REPLICA_URL: `postgres://a:b@127.0.0.1:${port}/c` }), {}),
        tls: remoteDatabase,
        wal: 'Postgres has its own',
      }
    : {
        encoding: 'SQLite stores Unicode only',
        pooler: 'SQLite has no pooler',
        standby: 'SQLite has no standby',
        tls: 'SQLite is a file of this machine',
        partitions: 'SQLite has no partitions',
      }),
  process: {
    begin: async (test) => {
      const service = await startServiceProcess({ ...new Admin(test).env, OPS_PORT: '0', RUN_WORKERS: 'false' });
      const { operatorsUrl } = service;
      service.signal('SIGSTOP');
      const stop = async () => {
        await service.kill();
        // Its death would be a condition of its own for minutes.
        await test.service.runtime
          .db('processes')
          .where({ address: operatorsUrl ?? '' })
          .delete();
      };
      return {
        env: { OPS_PORT: new URL(operatorsUrl ?? '').port },
        runs: { service: { runtime: test.service.runtime, operatorsUrl } },
        end: async () => service.signal('SIGCONT'),
        stop,
      };
    },
    serves: { console: 'it is frozen itself', gauge: 'it is frozen itself' },
  },
  disk: onDisk('size=90m'),
  inodes: onDisk('size=2g,nr_inodes=500'),
  certificates: {
    begin: async (test) => {
      const { cert, key } = await (await authority('Agency')).issue({ validUntil: 3 });
      const server = createTlsServer({ cert, key }, () => {}).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const begun = await beside(test, { PUBLIC_URL: `https://localhost:${port}` });
      const stop = async () => {
        await begun.stop?.();
        server.close();
      };
      return { ...begun, stop };
    },
    serves: {},
  },
  clock: clockBehind,
  // No backup was ever made of it.
  backup: {
    begin: async (test) => ({
      ...(await beside(test, live(test))),
      end: (_, admin) => admin.text('db', 'note-backup'),
    }),
    serves: {},
  },
  contacts: {
    begin: async (test) => ({ ...(await beside(test, live(test))), end: giveContacts }),
    serves: ONLY_A_WARNING,
  },
  contract: {
    begin: async () => {
      const { root, stop } = await copiedTree();
      await appendFile(join(root, 'openapi.yaml'), '# Edited.\n');
      return { env: {}, root, stop };
    },
  },
};
