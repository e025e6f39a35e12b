import { type ChainFault, type ChainHead, ChainWalk, headText } from '../../core/rules/audit-chain.ts';
import { chainHead, countDisplaced, countWaiting, placedEntries, placeEntries } from '../../db/audit/audit-chain.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';

const ENTRIES_A_BATCH = 200;

/**
 * Appends new entries of the audit log to its hash chain, in small batches beside writers. Safe in several processes at once; an
 * entry whose transaction commits late gets a later position.
 * @returns how many entries were appended
 */
export async function chainAudit({ db }: Pick<Runtime, 'db'>): Promise<number> {
  let chained = 0;
  // The check takes no lock, and mostly finds nothing.
  while ((await countWaiting(db, 1)) > 0) {
    const placed = await inTransaction(db, (trx) => placeEntries(trx, ENTRIES_A_BATCH));
    if (placed === 0) break;
    chained += placed;
  }
  return chained;
}

/** Logs the head of the chain when it has changed: the log is out of reach of an attacker who can change the database. */
export function logHead({ db, log }: Pick<Runtime, 'db' | 'log'>): () => Promise<void> {
  let logged = headText({ position: 0, hash: '' });
  return async () => {
    const head = await chainHead(db);
    if (head.position === 0 || headText(head) === logged) return;
    logged = headText(head);
    log.info({ head: logged }, 'head of the audit log');
  };
}

export interface AuditVerdict {
  /** How far the chain holds. */
  head: ChainHead;
  fault: ChainFault | undefined;
  /** Entries without a position yet, from transactions that committed just now. */
  waiting: number;
  /** Entries that lost their position, which the service never causes. */
  displaced: number;
}

/** @param kept a head logged earlier, which must be in the chain @param tick takes how many were verified */
export async function verifyChain(
  { db }: Pick<Runtime, 'db'>,
  kept: ChainHead | undefined,
  tick: (done: number) => void = () => {},
): Promise<AuditVerdict> {
  const walk = new ChainWalk(kept);
  let done = 0;
  for await (const entry of placedEntries(db)) {
    if (!walk.take(entry, entry.hash)) break;
    tick(++done);
  }
  return { ...walk.end(), waiting: await countWaiting(db), displaced: await countDisplaced(db) };
}
