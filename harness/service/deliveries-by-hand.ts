import { randomUUID } from 'node:crypto';
import { addTenant } from '../../db/applications/tenants.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { DeliveryRow } from '../../db/webhooks/deliveries.ts';
import type { WebhookRow } from '../../db/webhooks/webhooks.ts';
import { emitEvent } from '../../jobs/webhooks/emit-event.ts';
import type { Client } from './client.ts';
import type { TestService } from './service.ts';
import { ofTheirKey } from './tenant-of-key.ts';
import { workOn } from './work.ts';

const BODY = { event: 'EID_SUCCESS', data: null } as const;

/** Deliveries of a service without workers: each is attempted when the test says so. */
export class DeliveriesByHand {
  readonly #test: TestService;
  #people = 0;

  constructor(test: TestService) {
    this.#test = test;
  }

  /** Emits an event to the client's webhooks. @returns its deliveries */
  async emit(client: Client, now = new Date()): Promise<DeliveryRow[]> {
    const { runtime } = this.#test.service;
    const { db } = runtime;
    const email = `emitted-${this.#people++}@mail.example`;
    await client.ok('createApplication', { body: { title: email, tenants: [{ email, is_lead: true }] } });
    const tenantId = await inTransaction(db, async (trx) => {
      const { tenant } = await addTenant(trx, { email, name: 'Test' }, now);
      await emitEvent(trx, runtime, await ofTheirKey(trx, tenant.id), BODY, now, {
        cause: { id: randomUUID(), created_at: now.toISOString() },
      });
      return tenant.id;
    });
    return db('deliveries').whereIn('event_id', db('events').where({ tenant_id: tenantId }).select('id'));
  }

  /** Claims a delivery as a job would, and waits for its attempt if one is made. */
  async attempt(id: string): Promise<DeliveryRow> {
    await workOn(this.#test.service.runtime, 'deliver-webhook', id);
    return this.delivery(id);
  }

  async delivery(id: string): Promise<DeliveryRow> {
    const row = await this.#test.service.runtime.db('deliveries').where({ id }).first();
    if (!row) throw new Error('There is no such delivery.');
    return row;
  }

  async webhook(id: string): Promise<WebhookRow> {
    const row = await this.#test.service.runtime.db('webhooks').where({ id }).first();
    if (!row) throw new Error('There is no such webhook.');
    return row;
  }
}
