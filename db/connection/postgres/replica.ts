import type { PostgresSettings } from '../../../core/settings/database-settings.ts';
import { connectToCurrent, disconnect } from '../connect.ts';
import type { Database } from '../database.ts';

/** A standby and how current it is. */
export interface Replica {
  db: Database;
  /** When the last change that it has replayed was committed; undefined while there is none. */
  lastChange: Date | undefined;
}

/** The message says what to change. */
export class NoStandby extends Error {
  constructor() {
    super(
      'DATABASE_REPLICA_URL does not lead to a standby: it accepts writes, so it is no copy of the database of DATABASE_URL. ' +
        'Name a standby, or leave it empty to read from DATABASE_URL.',
    );
  }
}

/** Opens the standby with the timeouts of a program that no caller waits for. @throws NoStandby, OlderSchema, NewerSchema */
export async function connectToReplica(settings: PostgresSettings, url: string): Promise<Replica> {
  const db = await connectToCurrent({ ...settings, url, sessionUrl: undefined });
  try {
    const { rows } = await db.raw<{ rows: { is_standby: boolean; last_change: Date | null }[] }>(
      'select pg_is_in_recovery() as is_standby, pg_last_xact_replay_timestamp() as last_change',
    );
    if (!rows[0]?.is_standby) throw new NoStandby();
    return { db, lastChange: rows[0].last_change ?? undefined };
  } catch (error) {
    await disconnect(db);
    throw error;
  }
}
