import { type ChainFault, type ChainHead, ChainWalk, headText } from '../../core/rules/audit-chain.ts';
import { chainHead, countDisplaced, countWaiting, placedEntries, placeEntries } from '../../db/audit/audit-chain.ts';
import type { Runtime } from '../runtime.ts';

const ENTRIES_A_BATCH = 200;

/**
 * Gives the entries of the audit log that wait their places in the chain, a few at a time beside those who write. Several processes
 * may be at it; an entry whose transaction ends late gets a later place. @returns how many there were
 */
export async function chainAudit({ db }: Pick<Runtime, 'db'>): Promise<number> {
  let chained = 0;
  // Most of the time there is nothing to do, and to look locks nothing.
  while ((await countWaiting(db, 1)) > 0) {
    const placed = await db.transaction((trx) => placeEntries(trx, ENTRIES_A_BATCH));
    if (placed === 0) break;
    chained += placed;
  }
  return chained;
}

/** Tells the log where the chain ends, when that has changed: it is kept there out of reach of whoever changes the database. */
export function tellHead({ db, log }: Pick<Runtime, 'db' | 'log'>): () => Promise<void> {
  let told = headText({ position: 0, hash: '' });
  return async () => {
    const head = await chainHead(db);
    if (head.position === 0 || headText(head) === told) return;
    told = headText(head);
    log.info({ head: told }, 'head of the audit log');
  };
}

export interface AuditVerdict {
  /** How far the chain holds. */
  head: ChainHead;
  fault: ChainFault | undefined;
  /** Entries that have no place yet: their transactions ended just now. */
  waiting: number;
  /** Entries that lost their place, which the service never does to them. */
  displaced: number;
}

/**
 * Follows the whole chain. @param kept a head that was told earlier, which must be in it
 * @param tick hears now and then how many entries were looked at
 */
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
