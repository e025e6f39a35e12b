import type { Knex } from 'knex';
import { idsOf } from '../../core/ids.ts';
import { UNKNOWN_KEY } from '../../core/party.ts';
import type { RetentionSetting } from '../../core/settings/retention-settings.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { countRows } from '../connection/queries/counts.ts';
import type { DeletedDocument } from '../documents/documents.ts';

/** One kind of data that is kept for a limited time. */
export interface RetentionRule {
  name: string;
  setting: RetentionSetting;
  due: Due;
  /** From an index by age alone, so that it costs one step; it includes rows that `due` spares. Absent without such an index. */
  oldest?: (db: Database) => Promise<string | undefined>;
  /** Deletes or empties rows that are due and locked. */
  purge(trx: Transaction, ids: string[], now: Date): Promise<Purged>;
}

/** Finds expired rows, of all API keys or of one: one column `id`, oldest first. */
export type Due = (db: Database, before: string, now: Date, apiKeyId?: string) => Knex.QueryBuilder<Found, Found[]>;

export interface Found {
  id: string;
}

/** What a pass purged, and what remains to be done after the commit. */
export interface Purged {
  rows: number;
  mailIds?: string[];
  documents?: DeletedDocument[];
}

export async function countDue(db: Database, due: Due, before: string, now: Date, apiKeyId?: string): Promise<number> {
  return countRows(due(db, before, now, apiKeyId).clearOrder().clearSelect());
}

/** The age of the oldest row. @param having the condition of a partial index */
export function byAge(table: string, age: string, having?: string): NonNullable<RetentionRule['oldest']> {
  return async (db) => {
    const oldest = db<Record<string, string>>(table).whereNotNull(age).orderBy(age).limit(1);
    if (having !== undefined) oldest.whereRaw(having);
    const [found] = await oldest.select<{ at: string }[]>({ at: age });
    return found?.at;
  };
}

/** Purges up to `limit` rows that are due, also after their locks were awaited. @returns undefined when there are none */
export async function purgeDue(
  trx: Transaction,
  { due, purge }: RetentionRule,
  { before, limit, now, apiKeyId }: { before: string; limit: number; now: Date; apiKeyId?: string | undefined },
): Promise<Purged | undefined> {
  const locked = await due(trx, before, now, apiKeyId).limit(limit).forUpdate();
  if (locked.length === 0) return undefined;
  const still = new Set(idsOf(await due(trx, before, now, apiKeyId).limit(limit)));
  return purge(
    trx,
    idsOf(locked).filter((id) => still.has(id)),
    now,
  );
}

export function rows(db: Database, table: string) {
  return db<Found>(table);
}

/** Those of one API key. Must match the wording of the indexes by key and age. */
export function rowsOfKey(db: Database, table: string, apiKeyId: string | undefined) {
  return apiKeyId === undefined ? rows(db, table) : rows(db, table).whereRaw(`${KEY} = ?`, [apiKeyId]);
}

const KEY = `coalesce(api_key_id, '${UNKNOWN_KEY}')`;

/** Accounts of people who are in no application and have not been since `before`. */
export const dueAccounts: Due = (db, before) =>
  rows(db, 'tenants')
    .where('created_at', '<', before)
    .where((forgotten) => forgotten.whereNull('last_took_part_at').orWhere('last_took_part_at', '<', before))
    .whereNotExists(
      db('participants')
        .where('participants.comparable_email', db.ref('tenants.comparable_email'))
        .where((recent) => recent.whereNull('removed_at').orWhere('removed_at', '>=', before))
        .select(db.raw('1')),
    )
    .orderBy('created_at')
    .select('id');

export async function isAccountDue(db: Database, id: string, before: string, now: Date): Promise<boolean> {
  return (await dueAccounts(db, before, now).where('tenants.id', id).first()) !== undefined;
}
