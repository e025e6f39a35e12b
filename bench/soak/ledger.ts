import type { Database } from '../../db/connection/database.ts';
import type { Arrival } from './endpoints.ts';

export interface Ledger {
  events: number;
  deliveries: number;
  attempts_recorded: number;
  attempts_received: number;
  /** Acceptances beyond the first. */
  duplicates: number;
  breaches: string[];
}

/** Whether anything is still in progress. */
export async function isUnfinished(db: Database): Promise<boolean> {
  const flow = await db('kyc_verifications').where({ status: 'pending' }).first('id');
  const delivery = await db('deliveries').where({ status: 'pending' }).first('id');
  return flow !== undefined || delivery !== undefined;
}

/** Compares the database's records with what the endpoints received. */
export async function audit(
  db: Database,
  arrivals: ReadonlyMap<string, Arrival>,
  acknowledged: readonly string[],
): Promise<Ledger> {
  const told = await db('events').select('id', 'tenant_id');
  const expected = await expectedDeliveries(db);
  const deliveries = await db('deliveries').select('*');
  const attempts = await recordedAttempts(db);
  const breaches = [
    ...lostEvents(told, acknowledged),
    ...(await untoldVerifications(db, told)),
    ...unplanned(expected, deliveries),
    ...deliveries.flatMap((delivery) => {
      const { id, status, attempts: counted } = delivery;
      const arrival = arrivals.get(id);
      const kept = attempts.get(id) ?? 0;
      return [
        ...(status === 'delivered' ? [] : [`${id} is ${status}`]),
        ...(arrival?.accepted ? [] : [`${id} was never accepted, it was ${status}`]),
        ...(counted <= (arrival?.attempts ?? 0) ? [] : [`${id} has ${counted} attempts, ${arrival?.attempts} arrived`]),
        ...(kept === counted ? [] : [`${id} has ${counted} attempts, of which ${kept} are kept`]),
      ];
    }),
    ...severalIds(arrivals),
    ...[...arrivals.keys()].filter((id) => !deliveries.some((row) => row.id === id)).map((id) => `${id} is unknown`),
  ];
  const sum = (numbers: number[]) => numbers.reduce((total, next) => total + next, 0);
  const received = [...arrivals.values()];
  return {
    events: told.length,
    deliveries: deliveries.length,
    attempts_recorded: sum(deliveries.map((row) => row.attempts)),
    attempts_received: sum(received.map((arrival) => arrival.attempts)),
    duplicates: sum(received.map(({ accepted }) => Math.max(0, accepted - 1))),
    breaches,
  };
}

function lostEvents(told: { tenant_id: string }[], acknowledged: readonly string[]): string[] {
  const heard = new Set(told.map(({ tenant_id }) => tenant_id));
  return acknowledged.filter((id) => !heard.has(id)).map((id) => `the verification of ${id} was never told`);
}

/** A retried call may have started a second one; then there are two events. */
async function untoldVerifications(db: Database, told: { tenant_id: string }[]): Promise<string[]> {
  const flows = await db('kyc_verifications').select('tenant_id', 'status');
  const unverified = flows.filter(({ status }) => status !== 'verified');
  return [
    ...unverified.map(({ tenant_id, status }) => `the verification of ${tenant_id} is ${status}`),
    ...(flows.length === told.length ? [] : [`${flows.length} verifications made ${told.length} events`]),
  ];
}

/** Each event with each webhook of the keys that know its tenant. */
async function expectedDeliveries(db: Database): Promise<Set<string>> {
  const pairs = await db('events')
    .join('tenants', 'tenants.id', 'events.tenant_id')
    .join('participants', 'participants.comparable_email', 'tenants.comparable_email')
    .join('applications', 'applications.id', 'participants.application_id')
    .join('webhooks', 'webhooks.api_key_id', 'applications.api_key_id')
    .select({ event_id: 'events.id', webhook_id: 'webhooks.id' });
  return new Set(pairs.map(({ event_id, webhook_id }) => `${event_id} to ${webhook_id}`));
}

function unplanned(expected: ReadonlySet<string>, deliveries: { event_id: string; webhook_id: string }[]): string[] {
  const planned = deliveries.map(({ event_id, webhook_id }) => `${event_id} to ${webhook_id}`);
  const once = new Set(planned);
  return [
    ...[...expected].filter((pair) => !once.has(pair)).map((pair) => `event ${pair} has no delivery`),
    ...(once.size === planned.length ? [] : [`${planned.length - once.size} deliveries are there twice`]),
  ];
}

async function recordedAttempts(db: Database): Promise<Map<string, number>> {
  const rows = await db('delivery_attempts').groupBy('delivery_id').select('delivery_id').count({ count: '*' });
  return new Map(rows.map(({ delivery_id, count }) => [String(delivery_id), Number(count)]));
}

/** Each event's body is unique: it contains the tenant and the time. */
function severalIds(arrivals: ReadonlyMap<string, Arrival>): string[] {
  const ids = new Map<string, string[]>();
  for (const [id, { endpoint, body }] of arrivals) {
    const event = `${endpoint} ${body}`;
    ids.set(event, [...(ids.get(event) ?? []), id]);
  }
  return [...ids.values()]
    .filter(({ length }) => length > 1)
    .map((several) => `one event came as ${several.join(', ')}`);
}
