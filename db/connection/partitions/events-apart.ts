import { EVENTS_APART } from '../../migrations/background.ts';
import type { Database, Transaction } from '../database.ts';

const LOOK_MS = 10_000;
/** Keyed by a client's configuration, which transactions share with their database. */
const known = new WeakMap<object, { isApart: boolean; until: number }>();

/**
 * Whether event ids begin with their time and bodies are stored separately. True once no process of the previous version, which could read
 * neither, is running. Checked every few seconds until true, then never again.
 */
export async function areEventsApart(db: Database | Transaction): Promise<boolean> {
  const client: object = db.client.config;
  const seen = known.get(client);
  if (seen && (seen.isApart || performance.now() < seen.until)) return seen.isApart;
  const row = await db('background_migrations').where({ name: EVENTS_APART, state: 'done' }).first('name');
  known.set(client, { isApart: row !== undefined, until: performance.now() + LOOK_MS });
  return row !== undefined;
}
