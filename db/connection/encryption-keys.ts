import { fingerprint, type KeyRing } from '../../core/secrets/key-ring.ts';
import { sealText, textOpenedBy } from '../../core/secrets/secrets.ts';
import type { Database } from './database.ts';
import { inTransaction, retried } from './transactions.ts';

/** A key in use, represented by a text that it decrypts. The oldest row dates the database. */
export interface EncryptionKeyRow {
  /** `current` for the first key; the fingerprint for each later one. */
  id: string;
  sealed_check: string;
  created_at: string;
}

/** The id of the row from the first start. */
const FIRST = 'current';

/** Whether the ring contains every recorded key; undefined when none is recorded. */
export async function areNotedKeysIn(db: Database, ring: KeyRing): Promise<boolean | undefined> {
  const checks = await db('encryption_keys').pluck('sealed_check');
  return checks.length === 0 ? undefined : checks.every((check) => textOpenedBy(check, ring) !== undefined);
}

/** Records a key before anything is encrypted with it. */
export async function noteKey(db: Database, key: Uint8Array, now: Date): Promise<void> {
  const checks = await db('encryption_keys').pluck('sealed_check');
  if (checks.some((check) => textOpenedBy(check, { current: key, former: [] }) !== undefined)) return;
  await retried(db, () =>
    db('encryption_keys')
      .insert({ id: checks.length === 0 ? FIRST : fingerprint(key), ...checkOf(key), created_at: now.toISOString() })
      .onConflict('id')
      .ignore(),
  );
}

/** When the database was first used; undefined before that. */
export async function databaseSince(db: Database): Promise<Date | undefined> {
  const oldest = await db('encryption_keys').orderBy('created_at').first('created_at');
  return oldest && new Date(oldest.created_at);
}

export function notedKeys(db: Database): Promise<string[]> {
  return db('encryption_keys').pluck('id');
}

/** Drops the given keys after re-encryption, all but the current one. */
export async function deleteFormerKeys(db: Database, { current }: KeyRing, noted: readonly string[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx('encryption_keys').where({ id: FIRST }).update(checkOf(current));
    await trx('encryption_keys').whereIn('id', noted).whereNot({ id: FIRST }).delete();
  });
}

function checkOf(key: Uint8Array): { sealed_check: string } {
  return { sealed_check: sealText('ENCRYPTION_KEY', { current: key }) };
}
