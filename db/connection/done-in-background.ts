import { dueByKey } from '../migrations/background.ts';
import type { Database, Transaction } from './database.ts';

const LOOK_MS = 10_000;
/** Keyed by a client's configuration, which transactions share with their database. */
const known = new WeakMap<object, Map<string, { isDone: boolean; until: number }>>();

/** Whether a background migration has ended. Checked every few seconds until true, then never again. */
export async function isDoneInBackground(db: Database | Transaction, name: string): Promise<boolean> {
  const client: object = db.client.config;
  const ofClient = known.get(client) ?? new Map();
  known.set(client, ofClient);
  const seen = ofClient.get(name);
  if (seen && (seen.isDone || performance.now() < seen.until)) return seen.isDone;
  const row = await db('background_migrations').where({ name, state: 'done' }).first('name');
  const isDone = row !== undefined;
  ofClient.set(name, { isDone, until: performance.now() + LOOK_MS });
  return isDone;
}

/** Whether a table has the index of its due work by API key. */
export function isIndexedByKey(db: Database | Transaction, table: string): Promise<boolean> {
  return isDoneInBackground(db, dueByKey(table));
}
