import { fingerprint, type KeyRing } from '../../core/secrets/key-ring.ts';
import { sealText, textOpenedBy } from '../../core/secrets/secrets.ts';
import type { Database } from './connect.ts';

/** A key that something may be sealed with, as a text that it opens. The oldest row says since when the database is this one. */
export interface EncryptionKeyRow {
  /** `current` for the row of the first start; the key's fingerprint for each key that came later. */
  id: string;
  sealed_check: string;
  created_at: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    encryption_keys: EncryptionKeyRow;
  }
}

/** Of the row that is there from the first start on. */
const FIRST = 'current';

/** Whether each key that something may be sealed with is in the ring; undefined when none was noted yet. */
export async function areNotedKeysIn(db: Database, ring: KeyRing): Promise<boolean | undefined> {
  const checks = await db('encryption_keys').pluck('sealed_check');
  return checks.length === 0 ? undefined : checks.every((check) => textOpenedBy(check, ring) !== undefined);
}

/** Notes that from now on something may be sealed with this key, before anything is. */
export async function noteKey(db: Database, key: Uint8Array, now: Date): Promise<void> {
  const checks = await db('encryption_keys').pluck('sealed_check');
  if (checks.some((check) => isSealedWith(check, key))) return;
  await db('encryption_keys')
    .insert({ id: checks.length === 0 ? FIRST : fingerprint(key), ...checkOf(key), created_at: now.toISOString() })
    .onConflict('id')
    .ignore();
}

/** When the database was first used; undefined before that. */
export async function databaseSince(db: Database): Promise<Date | undefined> {
  const oldest = await db('encryption_keys').orderBy('created_at').first('created_at');
  return oldest && new Date(oldest.created_at);
}

/** The rows of keys that were noted so far. */
export function notedKeys(db: Database): Promise<string[]> {
  return db('encryption_keys').pluck('id');
}

/** Of the keys that were noted by then, only the current one is still needed. */
export async function forgetFormerKeys(db: Database, { current }: KeyRing, noted: readonly string[]): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('encryption_keys').where({ id: FIRST }).update(checkOf(current));
    await trx('encryption_keys').whereIn('id', noted).whereNot({ id: FIRST }).delete();
  });
}

function checkOf(key: Uint8Array): { sealed_check: string } {
  return { sealed_check: sealText('ENCRYPTION_KEY', { current: key }) };
}

function isSealedWith(check: string, key: Uint8Array): boolean {
  return textOpenedBy(check, { current: key, former: [] }) !== undefined;
}
