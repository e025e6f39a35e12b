import { EVENTS_APART } from '../../migrations/background.ts';
import type { Database, Transaction } from '../database.ts';
import { isDoneInBackground } from '../done-in-background.ts';

/**
 * Whether event ids begin with their time and bodies are stored separately. True once no process of the previous version, which could read
 * neither, is running.
 */
export function areEventsApart(db: Database | Transaction): Promise<boolean> {
  return isDoneInBackground(db, EVENTS_APART);
}
