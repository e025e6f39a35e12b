import { BEGINNING, type ChainHead, chainHash } from '../../core/rules/audit-chain.ts';
import { type Database, dialectOf, rowsOfJson, type Transaction, takeAdvisoryLock } from '../connection/connect.ts';
import type { AuditEntryRow } from './audit.ts';

/** An entry that has its place. */
export type PlacedEntry = AuditEntryRow & { position: number };

const ENTRIES_A_PAGE = 1_000;

/** Where the chain ends. */
export async function chainHead(db: Database): Promise<ChainHead> {
  const last = await db('audit_entries')
    .whereNotNull('hash')
    .whereNotNull('position')
    .orderBy('position', 'desc')
    .first('position', 'hash');
  if (last?.position == null || last.hash === null) return BEGINNING;
  return { position: last.position, hash: last.hash };
}

/** How many entries wait for their place, up to a limit. */
export async function countWaiting(db: Database, limit = Number.MAX_SAFE_INTEGER): Promise<number> {
  // The words of the index `audit_entries_unchained`: SQLite uses it for no others.
  const waiting = db('audit_entries').whereRaw('hash is null').limit(limit).select('sequence').as('waiting');
  const [row] = await db.from(waiting).count({ count: '*' });
  return Number(row?.count);
}

/** Gives the oldest entries that wait their places, for ever. @returns how many they were */
export async function placeEntries(trx: Transaction, limit: number): Promise<number> {
  await takeAdvisoryLock(trx, 'auditChain');
  let { position, hash } = await chainHead(trx);
  const waiting = await trx('audit_entries').whereRaw('hash is null').orderBy('sequence').limit(limit);
  const placed = waiting.map((entry) => {
    position += 1;
    hash = chainHash(hash, { ...entry, position });
    return { sequence: entry.sequence, position, hash };
  });
  if (placed.length === 0) return 0;
  // In one statement: meanwhile, those who write on SQLite wait. Its text is the same for any number of them.
  const rows = rowsOfJson(dialectOf(trx), { sequence: 'bigint', position: 'bigint', hash: 'text' });
  await trx.raw(
    `with placed (sequence, position, hash) as (${rows})
     update audit_entries set position = placed.position, hash = placed.hash from placed
     where audit_entries.sequence = placed.sequence`,
    [JSON.stringify(placed)],
  );
  return placed.length;
}

/** Every entry that has a place, in its order, page by page beside those who write. */
export async function* placedEntries(db: Database): AsyncGenerator<PlacedEntry> {
  for (let after: number | undefined = Number.NEGATIVE_INFINITY; after !== undefined; ) {
    const page = await pageAfter(db, after);
    yield* page;
    after = page.at(-1)?.position;
  }
}

async function pageAfter(db: Database, after: number): Promise<PlacedEntry[]> {
  const entries = db('audit_entries').whereNotNull('position').orderBy('position').limit(ENTRIES_A_PAGE);
  const rows = await (Number.isFinite(after) ? entries.where('position', '>', after) : entries);
  return rows.flatMap(({ position, ...row }) => (position === null ? [] : [{ ...row, position }]));
}

/** How many entries have a hash but no place, which nobody here does to them. */
export async function countDisplaced(db: Database): Promise<number> {
  const [row] = await db('audit_entries').whereNull('position').whereNotNull('hash').count({ count: '*' });
  return Number(row?.count);
}
