import { BEGINNING, type ChainHead, chainHash } from '../../core/rules/audit-chain.ts';
import { takeAdvisoryLock } from '../connection/advisory-locks.ts';
import { type Database, dialectOf, type Transaction } from '../connection/database.ts';
import { countRows } from '../connection/queries/counts.ts';
import { rowsOfJson } from '../connection/queries/many-values.ts';
import type { AuditEntryRow } from './audit.ts';

export type PlacedEntry = AuditEntryRow & { position: number };

const MAX_ENTRIES_PER_PAGE = 1_000;

export async function chainHead(db: Database): Promise<ChainHead> {
  const last = await db('audit_entries')
    .whereNotNull('hash')
    .whereNotNull('position')
    .orderBy('position', 'desc')
    .first('position', 'hash');
  if (last?.position == null || last.hash === null) return BEGINNING;
  return { position: last.position, hash: last.hash };
}

/** Counts entries that are not chained yet, up to a limit. */
export async function countWaiting(db: Database, limit = Number.MAX_SAFE_INTEGER): Promise<number> {
  // Must match the predicate of the index `audit_entries_unchained` literally, or SQLite does not use it.
  const waiting = db('audit_entries').whereRaw('hash is null').limit(limit).select('sequence').as('waiting');
  return countRows(db.from(waiting));
}

/** Chains the oldest unchained entries, irreversibly. @returns how many */
export async function placeEntries(trx: Transaction, limit: number): Promise<number> {
  await takeAdvisoryLock(trx, 'auditChain');
  let { position, hash } = await chainHead(trx);
  const waiting = await trx('audit_entries').whereRaw('hash is null').orderBy('sequence').limit(limit);
  const placed = waiting.map((entry) => {
    position += 1;
    hash = chainHash(hash, { ...entry, position });
    return { sequence: entry.sequence, position, hash };
  });
  const [first, last] = [placed[0], placed.at(-1)];
  if (!first || !last) return 0;
  // One statement, because other writers wait meanwhile on SQLite; its text does not depend on the number of entries. The span names
  // their partitions to Postgres.
  const rows = rowsOfJson(dialectOf(trx), { sequence: 'bigint', position: 'bigint', hash: 'text' });
  await trx.raw(
    `with placed (sequence, position, hash) as (${rows})
     update audit_entries set position = placed.position, hash = placed.hash from placed
     where audit_entries.sequence = placed.sequence and audit_entries.sequence between ? and ?`,
    [JSON.stringify(placed), first.sequence, last.sequence],
  );
  return placed.length;
}

/** All chained entries behind a head, in order, page by page, concurrently with writers. */
export async function* placedEntries(db: Database, { position }: ChainHead): AsyncGenerator<PlacedEntry> {
  // A position below 1 is a fault to be found, too.
  for (let after: number | undefined = position || Number.NEGATIVE_INFINITY; after !== undefined; ) {
    const page = await pageAfter(db, after);
    yield* page;
    after = page.at(-1)?.position;
  }
}

async function pageAfter(db: Database, after: number): Promise<PlacedEntry[]> {
  const entries = db('audit_entries').whereNotNull('position').orderBy('position').limit(MAX_ENTRIES_PER_PAGE);
  const rows = await (Number.isFinite(after) ? entries.where('position', '>', after) : entries);
  return rows.flatMap(({ position, ...row }) => (position === null ? [] : [{ ...row, position }]));
}

/** Counts entries with a hash but no position, which only tampering produces. */
export async function countDisplaced(db: Database): Promise<number> {
  return countRows(db('audit_entries').whereNull('position').whereNotNull('hash'));
}
