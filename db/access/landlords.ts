import { NotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { newestFirst } from '../connection/queries/newest-first.ts';
import { retried } from '../connection/transactions.ts';

export interface LandlordRow {
  id: string;
  name: string;
  created_at: string;
}

/** Newest first. */
export function listLandlords(
  db: Database,
  limit: number,
  before?: { createdAt: string; id: string },
): Promise<LandlordRow[]> {
  const behind = before ? db.raw('(created_at, id) < (?, ?)', [before.createdAt, before.id]) : db.raw('true');
  return db('landlords').where(behind).orderBy(newestFirst()).limit(limit);
}

export async function hasLandlords(db: Database): Promise<boolean> {
  return (await db('landlords').first('id')) !== undefined;
}

export function findLandlord(db: Database, id: string): Promise<LandlordRow | undefined> {
  return db('landlords').where({ id }).first();
}

/** Serializes changes to a landlord's workspaces and properties until the transaction ends. @throws NotFound */
export async function lockLandlord(trx: Transaction, id: string): Promise<LandlordRow> {
  const landlord = await trx('landlords').where({ id }).forNoKeyUpdate().first();
  if (!landlord) throw new NotFound('Landlord');
  return landlord;
}

export async function createLandlord(db: Database, name: string, now: Date): Promise<LandlordRow> {
  const landlord = { id: newId(), name, created_at: now.toISOString() };
  await retried(db, () => db('landlords').insert(landlord));
  return landlord;
}

/** Adds a landlord under a fixed id. @returns false when the id is taken */
export async function insertLandlordOnce(trx: Transaction, landlord: LandlordRow): Promise<boolean> {
  const inserted = await trx('landlords').insert(landlord).onConflict('id').ignore().returning('id');
  return inserted.length === 1;
}

/**
 * @returns false when the landlord already had this name
 */
export async function renameLandlord(trx: Transaction, id: string, name: string): Promise<boolean> {
  return (await trx('landlords').where({ id }).whereNot({ name }).update({ name })) === 1;
}
