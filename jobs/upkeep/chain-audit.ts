import { type ChainFault, type ChainHead, ChainWalk, headText } from '../../core/rules/audit-chain.ts';
import { archivedHead, listArchives } from '../../db/audit/audit-archives.ts';
import { chainHead, countDisplaced, countWaiting, placedEntries, placeEntries } from '../../db/audit/audit-chain.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';

const MAX_ENTRIES_PER_BATCH = 200;

/**
 * Appends new entries of the audit log to its hash chain, in small batches beside writers. Safe in several processes at once; an
 * entry whose transaction commits late gets a later position.
 * @returns how many entries were appended
 */
export async function chainAudit({ db }: Pick<Runtime, 'db'>): Promise<number> {
  let chained = 0;
  // The check takes no lock, and mostly finds nothing.
  while ((await countWaiting(db, 1)) > 0) {
    const placed = await inTransaction(db, (trx) => placeEntries(trx, MAX_ENTRIES_PER_BATCH));
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
  /** The position up to which entries are in archives; the log begins behind it. */
  archived: number;
  /** How far the chain holds. */
  head: ChainHead;
  fault: ChainFault | undefined;
  /** Entries without a position yet, from transactions that committed just now. */
  waiting: number;
  /** Entries that lost their position, which the service never causes. */
  displaced: number;
}

/** A head is of an entry that is in an archive, not in the log. The message says in which one. */
export class ArchivedHead extends Error {}

/** @throws ArchivedHead */
export async function expectInLog(db: Database, { position }: ChainHead): Promise<void> {
  if (position >= (await archivedHead(db)).position) return;
  const archive = (await listArchives(db)).find(({ last_position }) => position <= last_position);
  if (!archive) return;
  const { first_position, last_position, file_sha256 } = archive;
  throw new ArchivedHead(
    `position ${position} is in the archive of the positions ${first_position} to ${last_position}, whose file has the SHA-256 ${file_sha256}: verify it with that file, by audit verify --file`,
  );
}

/**
 * @param kept heads logged earlier, which must be in the chain @param tick takes how many were verified
 * @throws ArchivedHead
 */
export async function verifyChain(
  { db }: Pick<Runtime, 'db'>,
  kept: readonly ChainHead[] = [],
  tick: (done: number) => void = () => {},
): Promise<AuditVerdict> {
  for (;;) {
    const from = await archivedHead(db);
    for (const head of kept) await expectInLog(db, head);
    const walk = new ChainWalk(from, kept);
    let done = 0;
    for await (const entry of placedEntries(db, from)) {
      if (!walk.take(entry, entry.hash)) break;
      tick(++done);
    }
    const { head, fault } = walk.end();
    // What was archived meanwhile is missing without a fault.
    if (fault && (await archivedHead(db)).position !== from.position) continue;
    const isCut = kept.some(({ position }) => position > head.position);
    const cut: ChainFault | undefined = isCut ? { position: head.position + 1, reason: 'cut' } : undefined;
    const [waiting, displaced] = [await countWaiting(db), await countDisplaced(db)];
    return { archived: from.position, head, fault: fault ?? cut, waiting, displaced };
  }
}
