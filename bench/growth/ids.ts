import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { build } from '../../bin/service/build.ts';
import { newId } from '../../core/ids.ts';
import { readConfig } from '../../core/settings/config.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { insertDeliveries } from '../../db/webhooks/deliveries.ts';
import { insertEvent } from '../../db/webhooks/events.ts';
import { bulkId, dialectOf, inBulk, insertBulk } from '../../harness/database/bulk-rows.ts';
import { settings } from '../api/settings.ts';
import type { Place } from '../databases.ts';
import { type Result, rounded } from '../result.ts';
import { withoutIndexes } from './without-indexes.ts';

const MEASURED = 20_000;
const A_TRANSACTION = 20;
/** The year before, in sequence. */
const FILLED_OVER_MS = 365 * 86_400_000;
/** The expected saving of ordered ids; others have measured a factor of 19. */
const MIN_SAVED = 2;

interface Form {
  name: string;
  id: () => string;
  /** The UUID of the ith existing row, as SQL. */
  filled(amount: number): string;
}

const forms: readonly [Form, Form] = [
  { name: 'random', id: randomUUID, filled: () => 'gen_random_uuid()::text' },
  {
    name: 'by time',
    id: newId,
    filled: (amount) => {
      const hex = `lpad(to_hex(${Date.now() - FILLED_OVER_MS} + i * ${FILLED_OVER_MS}::bigint / ${amount}), 12, '0')`;
      return `substr(${hex}, 1, 8) || '-' || substr(${hex}, 9) || '-7' || substr(gen_random_uuid()::text, 16)`;
    },
  },
];

/** The WAL written for an event and its delivery, after a checkpoint, at this table size. */
export async function measureIds(place: Place, amount: number): Promise<Result> {
  const [random, ordered] = [await walBytes(place, amount, forms[0]), await walBytes(place, amount, forms[1])];
  return {
    title: `${place.name}: log written ahead for an event and its delivery, by the form of their ids`,
    rows: [
      { ids: forms[0].name, deliveries: amount, wal_bytes: Math.round(random) },
      { ids: forms[1].name, deliveries: amount, wal_bytes: Math.round(ordered) },
    ],
    marks: [
      {
        database: place.name,
        promise: 'log of random ids to that of ids by time',
        value: rounded(random / ordered),
        limit: { least: MIN_SAVED },
        unit: 'x',
      },
    ],
    note: `${MEASURED} of each, ${A_TRANSACTION} a transaction, after a checkpoint.`,
  };
}

async function walBytes(place: Place, amount: number, form: Form): Promise<number> {
  const config = readConfig(settings(await place.make(), join(place.folder, 'ids')));
  const { close } = await build({ ...config, logLevel: 'silent' });
  await close();
  const db = await open(config.database);
  try {
    await inBulk(db, (trx) => withoutIndexes(trx, () => fill(trx, amount, form.filled(amount))));
    await db.raw('vacuum analyze events, deliveries');
    await db.raw('checkpoint');
    const before = await position(db);
    for (let done = 0; done < MEASURED; done += A_TRANSACTION) await inTransaction(db, (trx) => add(trx, form.id));
    return ((await position(db)) - before) / MEASURED;
  } finally {
    await disconnect(db);
  }
}

async function fill(db: Database, amount: number, id: string): Promise<void> {
  const { minutesAgo } = dialectOf(db);
  const at = minutesAgo('100');
  const of = { tenant_id: `'${bulkId('tenant', 1)}'`, api_key_id: `'${bulkId('key', 1)}'` };
  await insertBulk(db, 'landlords', 1, { id: `'${bulkId('landlord', 1)}'`, name: `'Landlord'`, created_at: at });
  await insertBulk(db, 'api_keys', 1, {
    id: of.api_key_id,
    client_id: `'${bulkId('other', 1)}'`,
    client_secret_hash: `''`,
    landlord_id: `'${bulkId('landlord', 1)}'`,
    name: `'Key'`,
    created_at: at,
  });
  await insertBulk(db, 'tenants', 1, {
    id: of.tenant_id,
    email: `'person@bulk.example'`,
    comparable_email: `'person@bulk.example'`,
    name: `'Person'`,
    created_at: at,
  });
  await insertBulk(db, 'webhooks', 1, {
    id: `'${bulkId('webhook', 1)}'`,
    api_key_id: of.api_key_id,
    url: `'https://bulk.example/'`,
    status: `'active'`,
    created_at: at,
  });
  await insertBulk(db, 'events', amount, { id, ...of, event: `'EID_SUCCESS'`, created_at: at });
  await insertBulk(db, 'deliveries', amount, {
    id: `'msg_' || replace(${id}, '-', '')`,
    event_id: id,
    webhook_id: `'${bulkId('webhook', 1)}'`,
    status: `'delivered'`,
    attempts: '1',
    schedule_from: '0',
    created_at: at,
  });
}

async function add(trx: Parameters<typeof insertEvent>[0], id: () => string): Promise<void> {
  const at = new Date().toISOString();
  const rows = Array.from({ length: A_TRANSACTION }, () => ({
    event: id(),
    delivery: `msg_${id().replaceAll('-', '')}`,
  }));
  for (const { event } of rows)
    await insertEvent(trx, {
      id: event,
      tenant_id: bulkId('tenant', 1),
      api_key_id: bulkId('key', 1),
      event: 'EID_SUCCESS',
      body: '',
      created_at: at,
    });
  await insertDeliveries(
    trx,
    rows.map(({ event, delivery }) => ({
      id: delivery,
      event_id: event,
      webhook_id: bulkId('webhook', 1),
      api_key_id: bulkId('key', 1),
      status: 'pending' as const,
      attempts: 0,
      schedule_from: 0,
      due_at: at,
      correlation_id: null,
      created_at: at,
    })),
  );
}

async function position(db: Database): Promise<number> {
  const { rows }: { rows: { bytes: string }[] } = await db.raw(`select pg_current_wal_lsn() - '0/0' as bytes`);
  return Number(rows[0]?.bytes);
}
