import type { Database } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';

/** The service's own key for reports. */
export interface SigningKeyRow {
  id: string;
  /** PKCS #8 in PEM. */
  sealed_key: string;
  /** PEM. */
  certificate: string;
  created_at: string;
}

/** There is one. */
export const OWN = 'own';

export function findSigningKey(db: Database): Promise<SigningKeyRow | undefined> {
  return db('signing_keys').where({ id: OWN }).first();
}

/** Keeps the first of several processes. */
export async function keepSigningKey(db: Database, row: Omit<SigningKeyRow, 'id'>): Promise<void> {
  await retried(db, () =>
    db('signing_keys')
      .insert({ id: OWN, ...row })
      .onConflict('id')
      .ignore(),
  );
}
