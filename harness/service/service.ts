import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { BuildOptions } from '../../bin/service/build.ts';
import { type Service, startService } from '../../bin/service/service.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { addTenant, type TenantRow } from '../../db/applications/tenants.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';
import { dropDatabase, preparedDatabase } from '../database/databases.ts';
import { suiteFixture, testFixture } from '../mocha/fixtures.ts';
import { rememberingLog } from '../process/failures.ts';
import { PATIENCE } from '../process/process.ts';
import { signalWork } from '../process/signals.ts';
import { throughPooler } from '../process/through-pooler.ts';
import { Client, hangUp } from './client.ts';
import { ofTheirKey } from './tenant-of-key.ts';

/** The fixed cast: Alice owns, Bob has another key of the same landlord, Charlie belongs to another landlord. */
interface Cast {
  alice: Client;
  bob: Client;
  charlie: Client;
}

export interface TestService extends Cast {
  service: Service;
  config: Config;
  folder: string;
  landlords: { ours: string; other: string };
  /** Sets the service's clock, which stands still until it is undefined again. */
  setNow(now: Date | undefined): void;
  /** An account with this address, with or without documents. */
  tenant(email: string, options?: TenantOptions): Promise<TenantRow>;
  stop(): Promise<void>;
}

interface TenantOptions {
  name?: string;
  documents?: number;
  /** Creates an application that they lead. */
  of?: Client;
  /** The key that owns the documents; by default the first that has the person in an application. */
  apiKeyId?: string;
}

/** How long a sandbox verification lasts in tests. */
const SANDBOX_DELAY_MS = '50';

/** A whole service with its own database, and the cast with fresh tokens. */
export async function startTestService(
  env: Record<string, string> = {},
  options: Pick<BuildOptions, 'noteKeyEveryMs'> = {},
): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-test-'));
  const config = readConfig(
    throughPooler({
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: await preparedDatabase(folder),
      SANDBOX_DELAY_MS,
      // Each connection to Postgres is a process that reads its catalogues first.
      DATABASE_POOL_SIZE: '4',
      ...PATIENCE,
      ...env,
    }),
  );
  let frozen: Date | undefined;
  const service = await startService(config, {
    now: () => frozen ?? new Date(),
    log: rememberingLog(),
    ...options,
  });
  signalWork(service.runtime.work);
  const stop = async () => {
    hangUp(service.url);
    await service.close();
    await dropDatabase(config.database);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return {
      service,
      config,
      folder,
      ...(await createCast(service)),
      setNow: (now) => {
        frozen = now;
      },
      tenant: (email, options = {}) => addTestTenant(service, email, options),
      stop,
    };
  } catch (error) {
    // A service left open would keep mocha from exiting.
    await stop();
    throw error;
  }
}

async function createCast({ runtime, url }: Service): Promise<Cast & Pick<TestService, 'landlords'>> {
  const { db } = runtime;
  const ours = await createLandlord(db, 'Casa Clara', new Date());
  const other = await createLandlord(db, 'Otra Casa', new Date());
  const client = async (landlordId: string, name: string) => {
    const { apiKey, clientSecret } = await createApiKey(db, landlordId, name, new Date());
    const created = new Client(url, apiKey.client_id, clientSecret);
    await created.authenticate();
    return created;
  };
  return {
    landlords: { ours: ours.id, other: other.id },
    alice: await client(ours.id, 'Alice'),
    bob: await client(ours.id, 'Bob'),
    charlie: await client(other.id, 'Charlie'),
  };
}

/** Enough words for an analysis to compare, and no figures, which would be the same for every tenant. */
const PAYSLIP_TEXT = 'For January, a sample of the tests, which says nothing of any pay.';

async function addTestTenant(
  { runtime }: Service,
  email: string,
  { name = 'Test Tenant', documents = 0, of, apiKeyId }: TenantOptions,
): Promise<TenantRow> {
  const { db, queue } = runtime;
  if (of)
    await of.ok('createApplication', { body: { title: `Flat for ${email}`, tenants: [{ email, is_lead: true }] } });
  const { tenant } = await inTransaction(db, (trx) => addTenant(trx, { email, name }, new Date()));
  for (let index = 1; index <= documents; index++) {
    const content = Readable.from([sampleDocument([`Payslip ${index}`, email, PAYSLIP_TEXT])]);
    await storingDocuments(runtime, [{ name: `payslip-${index}.pdf`, content }], async (trx, stored) =>
      addDocuments(trx, queue, await ofTheirKey(trx, tenant.id, apiKeyId), stored, 'operator', new Date()),
    );
  }
  return tenant;
}

/** A service for all tests of the enclosing suite. */
export function useService(...given: Parameters<typeof startTestService>): TestService {
  return suiteFixture(() => startTestService(...given));
}

/** A separate service for each test of the enclosing suite. */
export function useServicePerTest(...given: Parameters<typeof startTestService>): TestService {
  return testFixture(() => startTestService(...given));
}
