import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ConditionId } from '../../core/conditions/table.ts';
import { dialect } from '../../harness/database/dialect.ts';
import { authority } from '../../harness/peers/certificates.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import type { TestService } from '../../harness/service/service.ts';

interface Begun {
  /** The settings of the doctor. */
  env: Record<string, string>;
  stop?: () => Promise<unknown>;
}

/** What depends on settings, or on a process that cannot look at itself. */
export interface Outside {
  begin(test: TestService): Promise<Begun>;
}

/** A port on which nothing listens. */
const NOWHERE = '127.0.0.1:2';

/** Accepts connections and says nothing. */
async function silent(): Promise<{ port: number; stop: () => Promise<unknown> }> {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, stop: async () => server.close() };
}

const silentParty = (settings: (port: number) => Record<string, string>): Outside => ({
  begin: async () => {
    const { port, stop } = await silent();
    return { env: settings(port), stop };
  },
});

const settings = (env: Record<string, string>): Outside => ({ begin: async () => ({ env }) });

/** A test brings it about, by its path below contract-tests. */
type ByTest = string;

export const outside: Partial<Record<ConditionId, Outside | ByTest>> = {
  settings: settings({ PORT: 'x' }),
  key: { begin: async () => ({ env: { ENCRYPTION_KEY: randomBytes(32).toString('base64') } }) },
  address: settings({ PUBLIC_URL: `http://${NOWHERE}` }),
  ...(dialect === 'postgres'
    ? {
        encoding: 'database/encoding.test.ts',
        pooler: silentParty((port) => ({ DATABASE_SESSION_URL: `postgres://a:b@127.0.0.1:${port}/c` })),
        standby: silentParty((port) => ({ DATABASE_REPLICA_URL: `postgres://a:b@127.0.0.1:${port}/c` })),
      }
    : {
        encoding: 'SQLite stores Unicode only',
        pooler: 'SQLite has no pooler',
        standby: 'SQLite has no standby',
        partitions: 'SQLite has no partitions',
      }),
  ...(dialect === 'postgres' ? { wal: 'Postgres has its own', files: 'service/private-files' } : {}),
  mail: silentParty((port) => ({
    MAIL_PROVIDER: 'smtp',
    MAIL_FROM: 'a@agency.example',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
  })),
  kyc: silentParty((port) => ({
    KYC_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_BASE: `http://127.0.0.1:${port}`,
  })),
  eid: silentParty((port) => ({
    EID_PROVIDER: 'oidc',
    EID_ISSUER: `http://127.0.0.1:${port}`,
    EID_CLIENT_ID: 'a',
    EID_CLIENT_SECRET: 'b',
  })),
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
  tls: 'admin/doctor.test.ts',
  sealed: 'upkeep/sealed-results.test.ts',
  clock: 'admin/doctor.test.ts',
  backup: 'admin/doctor.test.ts',
  contract: 'edge/unusable-contract.test.ts',
  disk: 'conditions/observers.test.ts',
  inodes: 'conditions/observers.test.ts',
  certificates: {
    begin: async () => {
      const { cert, key } = await (await authority('Agency')).issue({ validUntil: 3 });
      const server = createTlsServer({ cert, key }, () => {}).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      return { env: { PUBLIC_URL: `https://localhost:${port}` }, stop: async () => server.close() };
    },
  },
  bank: 'providers/enable-banking.test.ts',
  contacts: 'admin/landlord-settings.test.ts',
};
