import { newDeliveryId, newId } from '../../core/ids.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { DeliveryAttemptRow, DeliveryRow } from '../../db/webhooks/deliveries.ts';
import { emitEvent } from '../../jobs/webhooks/emit-event.ts';
import { Receiver } from '../peers/receiver.ts';
import type { Client } from './client.ts';
import type { TestService } from './service.ts';
import { ofTheirKey } from './tenant-of-key.ts';

/** Retries soon: on a busy machine, an endpoint may miss the time limit of an attempt, and the third is only made five minutes later by default. */
export const SOON_AGAIN = { WEBHOOK_RETRIES: '1s,1s,2s,2s,5s,5s,5s,5s,5s,5s' };

/** An endpoint with its webhook. */
export interface Hook {
  id: string;
  receiver: Receiver;
  stop(): Promise<void>;
}

export async function addHook(client: Client, secret?: string): Promise<Hook> {
  const receiver = await Receiver.start();
  const body = secret === undefined ? { url: receiver.url } : { url: receiver.url, secret };
  const { id } = (await client.ok('createWebhook', { body })).data;
  return { id, receiver, stop: () => receiver.stop() };
}

/** A tenant of one of the client's applications. */
export async function addApplicant(test: TestService, client: Client, email: string): Promise<string> {
  const { id } = await test.tenant(email);
  await client.ok('createApplication', { body: { title: 'Deliveries', tenants: [{ email, is_lead: true }] } });
  return id;
}

/** Causes an event of the tenant that their webhooks receive. */
export function emitTestEvent({ service }: TestService, tenantId: string): Promise<void> {
  const { runtime } = service;
  return inTransaction(runtime.db, async (trx) =>
    emitEvent(trx, runtime, await ofTheirKey(trx, tenantId), { event: 'EID_SUCCESS', data: null }, new Date(), {
      cause: { id: newId(), created_at: '' },
    }),
  );
}

type History = Partial<Omit<DeliveryRow, 'id' | 'event_id'>> & {
  webhook_id: string;
  event?: string;
  body?: string | null;
  tries?: Partial<DeliveryAttemptRow>[];
};

/** Inserts a delivery as it would look after some time, delivered unless stated otherwise. @returns its id */
export async function addDelivery(
  { service }: TestService,
  tenantId: string,
  { event = 'EID_SUCCESS', body = '{"event":"EID_SUCCESS","data":null}', tries = [], ...columns }: History,
): Promise<string> {
  const { db } = service.runtime;
  const [id, eventId, moment] = [newDeliveryId(), newId(), new Date().toISOString()];
  const created_at = columns.created_at ?? moment;
  const webhook = await db('webhooks').where({ id: columns.webhook_id }).first('api_key_id');
  await db('events').insert({
    id: eventId,
    ...(await ofTheirKey(db, tenantId, webhook?.api_key_id)),
    event,
    body,
    created_at,
  });
  await db('deliveries').insert({
    id,
    event_id: eventId,
    status: 'delivered',
    attempts: tries.length,
    schedule_from: 0,
    due_at: null,
    created_at,
    finished_at: (columns.status ?? 'delivered') === 'pending' ? null : moment,
    ...columns,
  });
  for (const [index, attempt] of tries.entries())
    await db('delivery_attempts').insert({
      delivery_id: id,
      number: index + 1,
      started_at: moment,
      duration_ms: 12,
      ...attempt,
    });
  return id;
}
