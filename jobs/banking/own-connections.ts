import { NotFound } from '../../core/errors.ts';
import type { BankAccount, BankStatement } from '../../core/rules/bank-statement.ts';
import { ifOpened } from '../../core/secrets/secrets.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import {
  type BankConnectionRow,
  changeBankConnection,
  consented,
  endBankConnection,
  findOwnConnections,
} from '../../db/banking/bank-connections.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { type DeletedDocument, hasDocuments } from '../../db/documents/documents.ts';
import { endRunOfKey, forgetResultsSince } from '../../db/documents/forensic-runs.ts';
import { dueAt } from '../../db/work/work.ts';
import { startForensic } from '../documents/start-forensic.ts';
import { removeBytes } from '../documents/tidy-documents.ts';
import { lockUploader, removeGiven, type Uploader } from '../documents/uploads.ts';
import type { Runtime } from '../runtime.ts';
import { endWith } from './connections.ts';
import { openMemory, openStatement, sealMemory } from './memory.ts';

/** What a person sees of their connections. */
export interface OwnConnection {
  row: BankConnectionRow;
  /** While they choose. */
  accounts: BankAccount[];
  /** What was read. */
  statement: BankStatement | undefined;
}

export interface OwnConnections {
  /** The newest, unless it was handed in. */
  latest: OwnConnection | undefined;
  /** Newest first. */
  handedIn: OwnConnection[];
}

export async function findConnections(
  runtime: Pick<Runtime, 'db' | 'keys'>,
  { participantId }: Uploader,
): Promise<OwnConnections> {
  const rows = await findOwnConnections(runtime.db, participantId);
  const shown = (row: BankConnectionRow): OwnConnection => ({
    row,
    accounts: ifOpened(() => openMemory(row, runtime))?.accounts ?? [],
    statement: ifOpened(() => openStatement(row, runtime)),
  });
  const [latest] = rows;
  return {
    latest: latest && latest.status !== 'handed' ? shown(latest) : undefined,
    handedIn: rows.filter(({ status }) => status === 'handed').map(shown),
  };
}

/** @throws NotFound for an unknown or foreign connection */
async function findOwn(trx: Transaction, { participantId }: Uploader, id: string): Promise<BankConnectionRow> {
  const [row] = await findOwnConnections(trx, participantId, id);
  if (!row) throw new NotFound('Connection');
  return row;
}

/** Reads the chosen accounts, in the background. A no-op unless the person is choosing. @returns false when no account was chosen @throws NotFound */
export function chooseAccounts(
  runtime: Pick<Runtime, 'db' | 'queue' | 'keys' | 'now'>,
  who: Uploader,
  id: string,
  accountIds: readonly string[],
): Promise<boolean> {
  return inTransaction(runtime.db, async (trx) => {
    await lockUploader(trx, who);
    const row = await findOwn(trx, who, id);
    const memory = openMemory(row, runtime);
    if (row.status !== 'choosing' || !memory) return true;
    const chosen = (memory.accounts ?? []).map((account) => account.id).filter((one) => accountIds.includes(one));
    if (chosen.length === 0) return false;
    const sealed_memory = sealMemory({ ...memory, chosen }, runtime);
    const change = { status: 'fetching' as const, sealed_memory, ...dueAt(runtime.now()) };
    if (await changeBankConnection(trx, row, change)) await runtime.queue.send(trx, 'fetch-bank', [id]);
    return true;
  });
}

/**
 * Withdraws the consent: it ends at the provider, what was read is forgotten, and a statement is removed from the documents. What was sent
 * to the landlord before stays with them. A no-op for what is over. @throws NotFound
 */
export async function withdraw(
  runtime: Pick<Runtime, 'db' | 'queue' | 'providers' | 'keys' | 'now' | 'log'>,
  who: Uploader,
  id: string,
): Promise<void> {
  const removed = await inTransaction(runtime.db, async (trx) => {
    await lockUploader(trx, who);
    const row = await findOwn(trx, who, id);
    const now = runtime.now();
    if (row.status === 'ending' || (row.finished_at !== null && row.status !== 'handed')) return undefined;
    await recordAudit(trx, { kind: 'person', id: who.participantId }, 'bank.withdraw', id, now);
    // Without the grant, the consent ends at the provider once it expires.
    const memory = ifOpened(() => openMemory(row, runtime));
    if (consented.includes(row.status) && memory) {
      await endWith(trx, runtime, row, memory, 'withdrawn', now);
      return undefined;
    }
    const gone = row.document_id === null ? undefined : await removeStatement(trx, runtime, who, row, now);
    await endBankConnection(trx, row, { status: 'withdrawn' }, now);
    return gone;
  });
  if (removed) await removeBytes(runtime, [removed]);
}

/** Results that quote the statement go with it; what is left of the documents is analysed again. */
async function removeStatement(
  trx: Transaction,
  { queue }: Pick<Runtime, 'queue'>,
  who: Uploader,
  { tenant_id, api_key_id, document_id, finished_at }: BankConnectionRow,
  now: Date,
): Promise<DeletedDocument | undefined> {
  const of = { tenant_id, api_key_id };
  const gone = await removeGiven(trx, of, who, { id: document_id ?? '', source: 'bank' }, now);
  await endRunOfKey(trx, of, 'The person withdrew their bank statement.', now);
  await forgetResultsSince(trx, of, finished_at ?? '');
  if (await hasDocuments(trx, of)) await startForensic(trx, queue, of, now, { isUrgent: true });
  return gone;
}
