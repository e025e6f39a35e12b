import { idsOf, newId } from '../../core/ids.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';
import type { DeletedDocument } from './documents.ts';

/**
 * Bytes being stored or removed. The row keeps a removal from deleting bytes that are being stored, and lets an interrupted removal be
 * retried.
 */
export interface DocumentMoveRow {
  id: string;
  sha256: string;
  direction: 'arriving' | 'leaving';
  created_at: string;
  /** When an arrival is taken to have failed, or a removal is retried. */
  due_at: string;
}

const MAX_ROWS_PER_STATEMENT = 500;

/** Bytes that are to be removed unless a row refers to them. */
export interface OwedRemoval extends DeletedDocument {
  id: string;
}

/** Committed before the bytes are stored, and ended with their row. @returns the id of the arrival */
export async function beginArrival(db: Database, sha256: string, now: Date): Promise<string> {
  const arrival = { id: newId(), created_at: now.toISOString(), due_at: isoAfter(now, DAY_MS) };
  await retried(db, () => db('document_moves').insert({ ...arrival, sha256, direction: 'arriving' }));
  return arrival.id;
}

export async function endMoves(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await retried(db, () =>
      db('document_moves')
        .whereIn('id', [...ids])
        .delete(),
    );
}

/** Few: each is a document being stored or removed just now. */
async function movesOf(db: Database, sha256: string, now: Date) {
  const moves = await db('document_moves').where({ sha256 });
  const isInFlight = ({ direction, due_at }: DocumentMoveRow) => direction === 'arriving' && due_at > now.toISOString();
  return { arrivals: moves.filter(isInFlight), ended: moves.filter((move) => !isInFlight(move)) };
}

export async function isArriving(db: Database, sha256: string, now: Date): Promise<boolean> {
  return (await movesOf(db, sha256, now)).arrivals.length > 0;
}

/** In the transaction that deletes the rows: the removal outlives a crash, and a store that is unavailable. */
export async function oweRemovals(trx: Transaction, documents: readonly DeletedDocument[], now: Date): Promise<void> {
  const due_at = now.toISOString();
  const rows = documents.map(({ sha256, createdAt }): DocumentMoveRow => {
    return { id: newId(), sha256, direction: 'leaving', created_at: createdAt, due_at };
  });
  await trx.batchInsert('document_moves', rows, MAX_ROWS_PER_STATEMENT);
}

/** The owed removals of the bytes, and their arrivals that never ended. */
export async function findMovesOf(db: Database, sha256: string, now: Date): Promise<string[]> {
  return idsOf((await movesOf(db, sha256, now)).ended);
}

export async function postponeMoves(db: Database, ids: readonly string[], until: string): Promise<void> {
  if (ids.length > 0)
    await retried(db, () =>
      db('document_moves')
        .whereIn('id', [...ids])
        .update({ due_at: until }),
    );
}

/** Longest due first. */
export function findDueRemovals(db: Database, now: Date, limit: number): Promise<OwedRemoval[]> {
  return db('document_moves')
    .where('due_at', '<=', now.toISOString())
    .orderBy('due_at')
    .limit(limit)
    .select({ id: 'id', sha256: 'sha256', createdAt: 'created_at' });
}
