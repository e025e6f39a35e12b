import { idsOf } from '../../core/ids.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { among } from '../connection/queries/many-values.ts';
import { retried } from '../connection/transactions.ts';
import type { DeletedDocument } from './documents.ts';

/** A piece of a file that a person is sending. */
export interface UploadPieceRow {
  id: string;
  /** All pieces of one file. */
  upload_id: string;
  participant_id: string;
  api_key_id: string;
  /** Null until the piece has arrived whole. */
  sha256: string | null;
  /** What it counts for, from its arrival on. */
  size_bytes: number;
  created_at: string;
  /** When its file was completed; the upload then accepts no other completion. */
  finishing_at: string | null;
}

/** In bytes. */
export interface PieceLimits {
  ofPerson: number;
  ofKey: number;
}

/** Reserves room for a piece; the caller has locked the API key. @returns false when the person or the key has too many bytes in unfinished uploads */
export async function reservePiece(
  trx: Transaction,
  piece: Omit<UploadPieceRow, 'sha256' | 'finishing_at'>,
  { ofPerson, ofKey }: PieceLimits,
): Promise<boolean> {
  const { participant_id, api_key_id, size_bytes } = piece;
  const used = async (of: Partial<UploadPieceRow>) => {
    const row = await trx('upload_pieces').where(of).sum({ bytes: 'size_bytes' }).first();
    return Number(row?.bytes ?? 0);
  };
  if ((await used({ participant_id })) + size_bytes > ofPerson) return false;
  if ((await used({ api_key_id })) + size_bytes > ofKey) return false;
  await trx('upload_pieces').insert(piece);
  return true;
}

/** @returns false when the piece is gone: the person was erased, or the upload abandoned */
export async function notePieceDigest(db: Database, id: string, sha256: string): Promise<boolean> {
  return (await retried(db, () => db('upload_pieces').where({ id }).update({ sha256 }))) > 0;
}

export async function hasPiece(db: Database, id: string): Promise<boolean> {
  return (await db('upload_pieces').where({ id }).first('id')) !== undefined;
}

export async function deletePiece(db: Database, id: string): Promise<void> {
  await retried(db, () => db('upload_pieces').where({ id }).delete());
}

/** Lets one caller complete an upload. @returns false when another has, or nothing is left of it */
export async function beginFinishing(db: Database, upload_id: string, now: Date): Promise<boolean> {
  const pieces = () => db('upload_pieces').where({ upload_id }).whereNull('finishing_at');
  return (await retried(db, () => pieces().update({ finishing_at: now.toISOString() }))) > 0;
}

/** After a failure that is not the file's fault: the upload may be completed again. */
export async function endFinishing(db: Database, upload_id: string): Promise<void> {
  await retried(db, () => db('upload_pieces').where({ upload_id }).update({ finishing_at: null }));
}

/** Deletes the rows of an upload. @returns the bytes to remove; empty when another transaction was faster */
export function takeUpload(trx: Transaction, upload_id: string, now: Date): Promise<DeletedDocument[]> {
  return take(trx, [upload_id], 'upload_id', now);
}

export async function takePiecesOf(trx: Transaction, participantIds: readonly string[], now: Date) {
  return participantIds.length === 0 ? [] : take(trx, participantIds, 'participant_id', now);
}

/** Deletes the rows of abandoned uploads. @returns how many, and the bytes to remove */
export async function takeOldPieces(trx: Transaction, before: string, limit: number, now: Date) {
  const ids = await trx('upload_pieces')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .pluck('id');
  return { rows: ids.length, documents: ids.length === 0 ? [] : await take(trx, ids, 'id', now) };
}

/** No document shares the digest of a piece: it is dated ahead, so that the bytes are removed whatever the clock of the store says. */
async function take(
  trx: Transaction,
  values: readonly string[],
  column: 'id' | 'upload_id' | 'participant_id',
  now: Date,
): Promise<DeletedDocument[]> {
  const pieces = trx('upload_pieces').whereIn(column, [...values]);
  const found = await pieces.orderBy('id').forUpdate().select('id', 'sha256');
  await trx('upload_pieces')
    .where(among(trx, 'id', idsOf(found)))
    .delete();
  const createdAt = isoAfter(now, DAY_MS);
  return found.flatMap(({ sha256 }) => (sha256 === null ? [] : [{ sha256, createdAt }]));
}

/** When the oldest piece arrived. */
export async function oldestPiece(db: Database): Promise<string | undefined> {
  return (await db('upload_pieces').orderBy('created_at').first('created_at'))?.created_at;
}
