import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Service, startService } from '../../bin/service/service.ts';
import { createLog } from '../../core/log.ts';
import { readConfig } from '../../core/settings/config.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { addTenant } from '../../db/applications/tenants.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { PATIENCE } from '../../harness/process/process.ts';
import { signal, signalWork } from '../../harness/process/signals.ts';
import { Client } from '../../harness/service/client.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

export interface LogLine {
  msg: string;
  level: string;
  correlation_id?: string;
  trace_id?: string;
  account_id?: string;
  status?: number | string;
  /** The number of suppressed lines. */
  lines?: number;
}

/** A service that logs at the most verbose level into memory. */
export interface LoggedService {
  service: Service;
  client: Client;
  /** Every line so far, as written. */
  text(): string;
  lines(): LogLine[];
  /** A tenant with a document that contains the given text. */
  tenantWithDocument(email: string, name: string, documentText: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startLoggedService(env: Record<string, string> = {}): Promise<LoggedService> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-test-'));
  const written: string[] = [];
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: await preparedDatabase(folder),
    SANDBOX_DELAY_MS: '50',
    ...PATIENCE,
    ...env,
  });
  const write = (line: string) => {
    written.push(line);
    signal();
  };
  const service = await startService(config, { log: createLog('trace', { write }) });
  signalWork(service.runtime.work);
  const { db, queue } = service.runtime;
  const landlord = await createLandlord(db, 'Casa Clara', new Date());
  const { apiKey, clientSecret } = await createApiKey(db, landlord.id, 'Alice', new Date());
  return {
    service,
    client: new Client(service.url, apiKey.client_id, clientSecret),
    text: () => written.join(''),
    lines: () => written.map((line): LogLine => JSON.parse(line)),
    async tenantWithDocument(email, name, documentText) {
      const document = { name: `${name}.pdf`, content: Readable.from([sampleDocument([documentText])]) };
      return storingDocuments(service.runtime, [document], async (trx, stored) => {
        const { tenant } = await addTenant(trx, { email, name }, new Date());
        await addDocuments(trx, queue, await ofTheirKey(trx, tenant.id), stored, 'operator', new Date());
        return tenant.id;
      });
    },
    async stop() {
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
