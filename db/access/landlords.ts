import { NotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/connect.ts';

export interface LandlordRow {
  id: string;
  name: string;
  created_at: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    landlords: LandlordRow;
  }
}

export function findLandlord(db: Database, id: string): Promise<LandlordRow | undefined> {
  return db('landlords').where({ id }).first();
}

/** Makes whoever changes what a landlord lets take turns until the transaction ends. @throws NotFound */
export async function lockLandlord(trx: Transaction, id: string): Promise<LandlordRow> {
  const landlord = await trx('landlords').where({ id }).forNoKeyUpdate().first();
  if (!landlord) throw new NotFound('Landlord');
  return landlord;
}

export async function createLandlord(db: Database, name: string, now: Date): Promise<LandlordRow> {
  const landlord = { id: newId(), name, created_at: now.toISOString() };
  await db('landlords').insert(landlord);
  return landlord;
}
