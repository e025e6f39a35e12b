import type { X509Certificate } from 'node:crypto';
import type { DatabaseLimits } from '../../../core/settings/database-settings.ts';
import { PipelinedClient } from './client.ts';

/** What the server presents to a new connection: one of the pool may have seen an earlier certificate. Undefined without TLS. */
export async function serverCertificate(url: string, limits: DatabaseLimits): Promise<X509Certificate | undefined> {
  const client = new PipelinedClient(url, limits, false);
  try {
    await client.connect();
    return client.serverCertificate;
  } finally {
    await client.end();
  }
}
