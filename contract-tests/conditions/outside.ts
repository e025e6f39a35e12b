import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import type { ConditionId } from '../../core/conditions/table.ts';
import { readConfig } from '../../core/settings/config.ts';
import { databaseInEncoding, dropDatabase } from '../../harness/database/databases.ts';
import { dialect } from '../../harness/database/dialect.ts';
import { authority } from '../../harness/peers/certificates.ts';
import { startSilence } from '../../harness/peers/silence.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import { smallDisk } from './caused-storage.ts';
import type { Channel } from './situation.ts';
import type { World } from './world.ts';

interface Begun {
  /** The settings of the doctor and of a service of its own. */
  env: Record<string, string>;
  stop?: () => Promise<unknown>;
}

/** What depends on settings, or on a process that cannot look at itself. */
export interface Outside {
  begin(test: World): Promise<Begun>;
  /** A service runs with these settings, and shows it in every channel but these. Without it, none starts, so the doctor alone can say it. */
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

/** A test brings it about, by its path below contract-tests. */
type ByTest = string;

export const outside: Partial<Record<ConditionId, Outside | ByTest>> = {
  settings: settings({ PORT: 'x' }),
  key: { begin: async () => ({ env: { ENCRYPTION_KEY: randomBytes(32).toString('base64') } }) },
  address: settings({ PUBLIC_URL: `http://${NOWHERE}` }),
  ...(dialect === 'postgres'
    ? {
        encoding: inLatin1,
        pooler: silentParty((port) => ({ DATABASE_SESSION_URL: `postgres://a:b@127.0.0.1:${port}/c` })),
        standby: silentParty((port) => ({ DATABASE_REPLICA_URL: `postgres://a:b@127.0.0.1:${port}/c` }), {}),
        wal: 'Postgres has its own',
        files: 'service/private-files',
      }
    : {
        encoding: 'SQLite stores Unicode only',
        pooler: 'SQLite has no pooler',
        standby: 'SQLite has no standby',
        partitions: 'SQLite has no partitions',
      }),
  process: {
    begin: async (test) => {
      const service = await startServiceProcess({ ...new Admin(test).env, OPS_PORT: '0', RUN_WORKERS: 'false' });
      service.signal('SIGSTOP');
      const stop = async () => {
        await service.kill();
        // Its death would be a condition of its own for minutes.
        await test.service.runtime
          .db('processes')
          .where({ address: service.operatorsUrl ?? '' })
          .delete();
      };
      return { env: { OPS_PORT: new URL(service.operatorsUrl ?? '').port }, stop };
    },
  },
  disk: onDisk('size=90m'),
  inodes: onDisk('size=2g,nr_inodes=500'),
  certificates: {
    begin: async () => {
      const { cert, key } = await (await authority('Agency')).issue({ validUntil: 3 });
      const server = createTlsServer({ cert, key }, () => {}).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      return { env: { PUBLIC_URL: `https://localhost:${port}` }, stop: async () => server.close() };
    },
  },
  tls: 'admin/doctor.test.ts',
  sealed: 'upkeep/sealed-results.test.ts',
  clock: 'admin/doctor.test.ts',
  backup: 'admin/doctor.test.ts',
  contract: 'edge/unusable-contract.test.ts',
  bank: 'providers/enable-banking.test.ts',
  contacts: 'admin/landlord-settings.test.ts',
};
