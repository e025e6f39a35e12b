import { setTimeout as wait } from 'node:timers/promises';
import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { addTenant } from '../../db/applications/tenants.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { insertWebhook } from '../../db/webhooks/webhooks.ts';
import { Client, type RawAnswer } from '../../harness/service/client.ts';
import { count } from './fleet.ts';

interface Integrator {
  clientId: string;
  clientSecret: string;
  token?: string;
}

const PAUSE_MS = 50;
const MAX_TRIES = 2_000;

/** They cause events over HTTP, and retry broken calls. */
export class Integrators {
  /** The tenants whose verification was acknowledged. */
  readonly acknowledged: string[] = [];
  /** How often calls broke or were refused, by response. */
  readonly broken = new Map<string, number>();
  private readonly all: Integrator[] = [];
  private readonly db: Database;
  private readonly urls: () => string[];

  private constructor(db: Database, urls: () => string[]) {
    this.db = db;
    this.urls = urls;
  }

  /** One per address except the last, which the first has as a second webhook. */
  static async arrive(
    db: Database,
    endpoints: string[],
    sealedSecret: string,
    urls: () => string[],
  ): Promise<Integrators> {
    const integrators = new Integrators(db, urls);
    const now = new Date();
    const landlord = await createLandlord(db, 'Soak', now);
    const keyIds: string[] = [];
    for (let index = 0; index < endpoints.length - 1; index++) {
      const { apiKey, clientSecret } = await createApiKey(db, landlord.id, `Integrator ${index}`, now);
      keyIds.push(apiKey.id);
      integrators.all.push({ clientId: apiKey.client_id, clientSecret });
    }
    for (const [index, url] of endpoints.entries())
      await insertWebhook(db, { apiKeyId: keyIds[index % keyIds.length] ?? '', url, sealedSecret }, now);
    return integrators;
  }

  /** Verifies a tenant of their own, which causes an event. */
  async cause(number: number): Promise<void> {
    const integrator = this.all[number % this.all.length];
    if (!integrator) throw new Error('There are no integrators.');
    const email = `soak-${number}+kyc-verified@mail.example`;
    const { tenant } = await inTransaction(this.db, (trx) => addTenant(trx, { email, name: 'Soak' }, new Date()));
    const body = { title: email, tenants: [{ email, is_lead: true }] };
    await this.insist(integrator, (client) => client.call('createApplication', { body }));
    await this.insist(integrator, (client) => client.call('initiateKyc', { params: { tenantId: tenant.id } }));
    this.acknowledged.push(tenant.id);
  }

  /** Retries, on any process, until the answer is 200. */
  private async insist(integrator: Integrator, call: (client: Client) => Promise<RawAnswer>): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const urls = this.urls();
      const url = urls[Math.floor(Math.random() * urls.length)];
      if (url && (await this.tryOnce(integrator, url, call))) return;
      await wait(PAUSE_MS);
    }
    throw new Error(`A call did not succeed in ${MAX_TRIES} tries.`);
  }

  private async tryOnce(
    integrator: Integrator,
    url: string,
    call: (client: Client) => Promise<RawAnswer>,
  ): Promise<boolean> {
    const client = new Client(url, integrator.clientId, integrator.clientSecret);
    try {
      client.token = integrator.token ?? (await client.authenticate());
      integrator.token = client.token;
      const { status } = await call(client);
      if (status !== 200) count(this.broken, `answered ${status}`);
      return status === 200;
    } catch (error) {
      // The process ended in the middle of it; anything else is a fault.
      if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
      if (error.code === 'ERR_ASSERTION') throw error;
      count(this.broken, error.code);
      return false;
    }
  }
}
