import type { ChainHead } from '../../core/rules/audit-chain.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';

/** What an encryption key sealed about the log: the last head of its chain, and each archive. */
export interface AuditSealRow {
  /** One row for the log, and one for each archive, by its last position. */
  log: SealedLog;
  sealed_head: string;
  sealed_at: string;
}

export type SealedLog = 'audit' | `archive ${number}`;

const LOG = { log: 'audit' } as const;

export async function findSeal(db: Database): Promise<string | undefined> {
  return (await db('audit_seals').where(LOG).first('sealed_head'))?.sealed_head;
}

/** Replaces what was read before; a no-op when another process has replaced it meanwhile. */
export async function replaceSeal(
  db: Database,
  sealed_head: string,
  former: string | undefined,
  now: Date,
): Promise<void> {
  const row = { sealed_head, sealed_at: now.toISOString() };
  const seals = () => db('audit_seals');
  if (former === undefined)
    await retried(db, () =>
      seals()
        .insert({ ...LOG, ...row })
        .onConflict('log')
        .ignore(),
    );
  else
    await retried(db, () =>
      seals()
        .where({ ...LOG, sealed_head: former })
        .update(row),
    );
}

/** Replaces the seal of an archive, whatever it was. */
export async function sealArchive(
  db: Database | Transaction,
  lastPosition: number,
  sealed_head: string,
  now: Date,
): Promise<void> {
  const row = { sealed_head, sealed_at: now.toISOString() };
  await db('audit_seals')
    .insert({ log: `archive ${lastPosition}`, ...row })
    .onConflict('log')
    .merge(row);
}

/** Whether the log has an entry with this position and this hash. */
export async function isHeadIn(db: Database, { position, hash }: ChainHead): Promise<boolean> {
  return (await db('audit_entries').where({ position, hash }).first('sequence')) !== undefined;
}

/** When the last chained entry was made; undefined without a chain. */
export async function chainedSince(db: Database): Promise<Date | undefined> {
  const last = await db('audit_entries').whereNotNull('position').orderBy('position', 'desc').first('at');
  return last && new Date(last.at);
}
