import { newId } from '../../core/ids.ts';
import { sealText } from '../../core/secrets/secrets.ts';
import type { Config } from '../../core/settings/config.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { insertWebhook } from '../../db/webhooks/webhooks.ts';
import { bulkId, dialectOf, inBulk, insertBulk } from '../../harness/database/bulk-rows.ts';
import { SECRET } from './endpoints.ts';
import type { Caller, Person } from './visits.ts';

const FIRST_KEYS = 20;
/** By visits, not by time: the service remembers a bounded number of keys, which a slow machine would fill with fewer requests. */
const VISITS_A_KEY = 40;

/** The callers that exist before the load begins, and the keys created during it. */
export class Neighbourhood {
  readonly property = { workspaceId: newId(), propertyId: newId() };
  private readonly db: Database;
  private readonly landlordId: string;
  private readonly callers: Caller[] = [];
  private calls = 0;
  private people = 0;

  private constructor(db: Database, landlordId: string) {
    this.db = db;
    this.landlordId = landlordId;
  }

  /** @param urls endpoints of webhooks, which the first keys share */
  static async settle(config: Config, urls: readonly string[], people: number): Promise<Neighbourhood> {
    const db = await connect(config.database);
    const landlord = await createLandlord(db, 'Soak', new Date());
    const settled = new Neighbourhood(db, landlord.id);
    const sealedSecret = sealText(SECRET, config.keys.encryption);
    for (let index = 0; index < FIRST_KEYS; index++) {
      const apiKeyId = await settled.addKey();
      const url = urls[index % urls.length] ?? '';
      await insertWebhook(db, { apiKeyId, url, sealedSecret }, new Date());
    }
    await settled.addProperty();
    await addPeople(db, people);
    return settled;
  }

  /** Retires an older key too, so that the service has keys to forget. */
  async addKey(): Promise<string> {
    const { apiKey, clientSecret } = await createApiKey(this.db, this.landlordId, 'Soak', new Date());
    this.callers.push({ clientId: apiKey.client_id, clientSecret });
    if (this.callers.length > 2 * FIRST_KEYS) this.callers.splice(FIRST_KEYS, 1);
    return apiKey.id;
  }

  readonly nextCaller = (): Caller => {
    const caller = this.callers[this.calls++ % this.callers.length];
    if (!caller) throw new Error('No one calls.');
    return caller;
  };

  readonly nextPerson = (): Person => {
    const number = ++this.people;
    if (number % VISITS_A_KEY === 0) void this.addKey();
    return { tenantId: bulkId('tenant', number), email: addressOf(String(number)) };
  };

  /** Deliveries that were made, and those that failed for good. */
  async countDeliveries(): Promise<Record<string, number>> {
    const rows = await this.db('deliveries').groupBy('status').select('status').count({ count: '*' });
    return Object.fromEntries(rows.map(({ status, count }) => [String(status), Number(count)]));
  }

  leave(): Promise<void> {
    return disconnect(this.db);
  }

  private async addProperty(): Promise<void> {
    const { workspaceId, propertyId } = this.property;
    const workspace = { workspace_id: workspaceId, landlord_id: this.landlordId, workspace_name: 'Soak' };
    const [made] = await this.db('workspaces')
      .insert({ ...workspace, created_at: new Date().toISOString() })
      .returning('id');
    await this.db('properties').insert({ property_id: propertyId, workspace_internal_id: made?.id ?? 0 });
  }
}

const addressOf = (number: string) => `soak-${number}+kyc-verified@mail.example`;

async function addPeople(db: Database, people: number): Promise<void> {
  const { id, minutesAgo } = dialectOf(db);
  const address = `'${addressOf("' || i || '")}'`;
  await inBulk(db, (trx) =>
    insertBulk(trx, 'tenants', people, {
      id: id('tenant', 'i'),
      email: address,
      comparable_email: address,
      name: `'Soak'`,
      created_at: minutesAgo('0'),
    }),
  );
}
