import { BEGINNING, type ChainHead } from '../../core/rules/audit-chain.ts';
import { DAY_MS } from '../../core/time.ts';
import { takeAdvisoryLock } from '../connection/advisory-locks.ts';
import { type Database, dialectOf, type Transaction } from '../connection/database.ts';
import { dropPartitionsUpTo, lastPositionBefore } from '../connection/partitions/positions.ts';
import { inTransaction } from '../connection/transactions.ts';
import { type PlacedEntry, placedEntries } from './audit-chain.ts';

/** A sealed file that holds entries of the audit log in place of the database. */
export interface AuditArchiveRow {
  last_position: number;
  first_position: number;
  /** The hash of the entry at `last_position`, with which the log continues. */
  last_hash: string;
  file_sha256: string;
  key_fingerprint: string;
  created_at: string;
}

/** Deleted in one statement; other writers wait meanwhile on SQLite. */
const MAX_ROWS_PER_BATCH = 1_000;

/** The oldest first. An operator makes a few a year. */
export function listArchives(db: Database): Promise<AuditArchiveRow[]> {
  return db('audit_archives').orderBy('last_position');
}

/** An archive with its seal, which only an encryption key makes; null without one. */
export type SealedArchive = AuditArchiveRow & { seal: string | null };

/** The oldest first. */
export function listSealedArchives(db: Database): Promise<SealedArchive[]> {
  return db('audit_archives')
    .leftJoin('audit_seals', 'audit_seals.log', db.raw("'archive ' || audit_archives.last_position"))
    .orderBy('last_position')
    .select('audit_archives.*', { seal: 'sealed_head' });
}

export function headOf({ last_position, last_hash }: Pick<AuditArchiveRow, 'last_position' | 'last_hash'>): ChainHead {
  return { position: last_position, hash: last_hash };
}

/** Behind it, the log begins. */
export async function archivedHead(db: Database | Transaction): Promise<ChainHead> {
  const last = await db('audit_archives').orderBy('last_position', 'desc').first();
  return last ? headOf(last) : BEGINNING;
}

/** @returns false when it does not follow the archive before it: another was made meanwhile */
export async function insertArchive(trx: Transaction, row: AuditArchiveRow): Promise<boolean> {
  await takeAdvisoryLock(trx, 'auditChain');
  if ((await archivedHead(trx)).position !== row.first_position - 1) return false;
  await trx('audit_archives').insert(row);
  return true;
}

/**
 * Chained entries behind a head, in order, up to the first one that is too young. On Postgres, these are whole months, because whole
 * partitions are dropped; entries stored in the partition of the previous month are dropped with that partition.
 */
export async function* entriesBefore(db: Database, from: ChainHead, before: Date): AsyncGenerator<PlacedEntry> {
  const isPartitioned = dialectOf(db) === 'postgres';
  const last = isPartitioned ? await lastPositionBefore(db, before) : Number.MAX_SAFE_INTEGER;
  const end = new Date(before.getTime() + (isPartitioned ? DAY_MS : 0)).toISOString();
  for await (const entry of placedEntries(db, from)) {
    if (entry.position > last || entry.at >= end) return;
    yield entry;
  }
}

/** Whether archived entries are still in the log: another process is removing them, or was killed. */
export async function isRemovalLeft(db: Database): Promise<boolean> {
  return (await firstLeft(db, await archivedHead(db))) !== undefined;
}

async function firstLeft(db: Database, { position }: ChainHead): Promise<number | undefined> {
  const first = await db('audit_entries').where('position', '<=', position).orderBy('position').first('position');
  return first?.position ?? undefined;
}

/**
 * Removes what is archived: whole partitions, and then by row what remains. Idempotent; interrupted, it continues the next time.
 * @returns false when a partition stays because a transaction holds it
 */
export async function removeArchived(db: Database): Promise<boolean> {
  const head = await archivedHead(db);
  if (dialectOf(db) === 'postgres' && !(await dropPartitionsUpTo(db, head.position))) return false;
  for (;;) {
    const first = await firstLeft(db, head);
    if (first === undefined) return true;
    const last = Math.min(head.position, first + MAX_ROWS_PER_BATCH - 1);
    await inTransaction(db, (trx) => trx('audit_entries').whereBetween('position', [first, last]).delete());
  }
}
