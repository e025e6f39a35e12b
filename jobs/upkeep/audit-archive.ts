import { access } from 'node:fs/promises';
import { type ChainHead, ChainWalk, exportLine, headText } from '../../core/rules/audit-chain.ts';
import { DAY_MS } from '../../core/time.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import { archivedHead, entriesBefore, insertArchive, removeArchived } from '../../db/audit/audit-archives.ts';
import { placedEntries } from '../../db/audit/audit-chain.ts';
import { sealArchive } from '../../db/audit/audit-seal.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import { sealedExport, UnreadableExport, verifyExport } from './audit-file.ts';
import { faultText } from './audit-verification.ts';
import { archiveSeal } from './audit-witnesses.ts';
import { chainAudit } from './chain-audit.ts';
import { contentOf, keepFolderOf } from './copied-file.ts';

/** Entries of this age stay in the log, where operators look them up. */
export const STAY_DAYS = 90;

/** Nothing was archived. The message says why. */
export class NotArchived extends Error {}

export interface Archiving {
  file: string;
  /** Entries from before are archived. */
  before: Date;
  by: Actor;
  /** Writes the file and flushes it; a file with its name is there whole, or not at all. */
  write(content: AsyncIterable<Buffer>): Promise<void>;
  tick?: (done: number) => void;
}

export interface Archived {
  from: ChainHead;
  head: ChainHead;
  sha256: string;
  key: string;
  /** False when a transaction held entries: the next run removes them. */
  isRemoved: boolean;
}

type Service = Pick<Runtime, 'db' | 'now'> & { keys: Pick<Runtime['keys'], 'encryption'> };

/**
 * Moves the oldest entries of the audit log into a sealed file. Killed anywhere, it is repeated:
 * 1. Remove what an earlier archive holds.
 * 2. Verify the entries in the log, up to the first that stays.
 * 3. Write the file, unless it is there already.
 * 4. Read the file back: it must hold the same chain.
 * 5. Record the archive, from which on the triggers let these entries be deleted.
 * 6. Chain the entry about the archive, so that the log keeps an end of the chain, and remove the archived entries.
 * @returns undefined when nothing is old enough
 * @throws NotArchived, UnreadableExport, and the errors of the file system
 */
export async function archiveAudit(service: Service, archiving: Archiving): Promise<Archived | undefined> {
  const { db, keys, now } = service;
  const { before, by } = archiving;
  if (before.getTime() > now().getTime() - STAY_DAYS * DAY_MS)
    throw new NotArchived(`the last ${STAY_DAYS} days stay in the log: name an earlier date`);
  if (!(await finishRemoval(service))) throw new NotArchived(HELD);
  const from = await archivedHead(db);
  const head = await verifiedHead(service, from, archiving);
  if (head.position === from.position) return undefined;
  const { sha256, key } = await inFile(service, { ...archiving, from, head });
  const row = { first_position: from.position + 1, last_position: head.position, last_hash: head.hash };
  await inTransaction(db, async (trx) => {
    const created_at = now().toISOString();
    if (!(await insertArchive(trx, { ...row, file_sha256: sha256, key_fingerprint: key, created_at })))
      throw new NotArchived('another archive was made meanwhile');
    const seal = archiveSeal({ ...row, file_sha256: sha256 }, keys.encryption);
    await sealArchive(trx, row.last_position, seal, now());
    await recordAudit(trx, by, 'database.archive-audit', headText(head), now());
  });
  return { from, head, sha256, key, isRemoved: await finishRemoval(service) };
}

const HELD = 'another transaction reads the log, whose archived entries are to be removed first: try again later';

async function finishRemoval({ db }: Service): Promise<boolean> {
  await chainAudit({ db });
  return removeArchived(db);
}

async function verifiedHead({ db }: Service, from: ChainHead, { before, tick }: Archiving): Promise<ChainHead> {
  const walk = new ChainWalk(from);
  let done = 0;
  for await (const entry of entriesBefore(db, from, before)) {
    if (!walk.take(entry, entry.hash)) break;
    tick?.(++done);
  }
  const { head, fault } = walk.end();
  if (fault) throw new NotArchived(`the audit log does not hold: ${faultText(fault)}`);
  return head;
}

type Span = Archiving & { from: ChainHead; head: ChainHead };

/** The existing file, or else a new file, once it is known to hold a span. */
async function inFile({ db, keys }: Service, span: Span): Promise<{ sha256: string; key: string }> {
  const { file, from, head, write } = span;
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere) await write(sealedExport(linesOf(placedEntries(db, from), head), keys.encryption));
  const found = await verifyExport(file, keys.encryption, [from, head]);
  const holds = found.from.position === from.position && found.head.position >= head.position;
  if (found.key === undefined) throw new UnreadableExport('is not sealed');
  if (!holds)
    throw new UnreadableExport(
      `does not hold the positions ${from.position + 1} to ${head.position}${found.fault ? `: ${faultText(found.fault)}` : ''}`,
    );
  await keepFolderOf(file);
  return { sha256: (await contentOf(file)).sha256, key: found.key };
}

async function* linesOf(entries: ReturnType<typeof placedEntries>, head: ChainHead): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    if (entry.position > head.position) return;
    yield Buffer.from(`${exportLine(entry, entry.hash)}\n`);
  }
}
