import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';
import { hasStatus } from '../work/beside-id.ts';
import { dueAt, givenUp, type WorkRow } from '../work/work.ts';

export const bankStatuses = [
  'pending',
  'returning',
  'choosing',
  'fetching',
  'fetched',
  'ending',
  'handed',
  'withdrawn',
  'refused',
  'failed',
  'expired',
] as const;

/**
 * `pending`: the person is at their bank; `returning`: they are back, and the consent is being finished; `choosing`: they choose accounts;
 * `fetching`: the accounts are read; `fetched`: the person looks at what was read; `ending`: the consent is still to be ended at the
 * provider; `handed`: a statement is among their documents. The others are ends.
 */
export type BankStatus = (typeof bankStatuses)[number];
export type BankEnd = Extract<BankStatus, 'withdrawn' | 'refused' | 'failed' | 'expired'>;

/** Statuses in which a consent may be open at the provider. */
export const consented: readonly BankStatus[] = ['returning', 'choosing', 'fetching'];

export interface BankConnectionRow extends WorkRow {
  status: BankStatus;
  tenant_id: string;
  api_key_id: string;
  /** Behind whose link it was made. */
  participant_id: string;
  /** The name of the provider that started it. */
  provider: string;
  /** How an `ending` connection ends. */
  ends_as: BankEnd | null;
  /** The bank's name; empty once it was withdrawn. */
  bank: string;
  country: string;
  /** The digest of the state that the bank’s redirect returns, until the return is finished. */
  state_hash: string | null;
  /** The digest of the secret of the browser that set out; only that one may return. */
  browser_hash: string | null;
  /** What continues it, the provider's grant included; null once the consent has ended. */
  sealed_memory: string | null;
  /** What was read, as JSON. */
  sealed_statement: string | null;
  /** The statement among the person's documents. */
  document_id: string | null;
  /** When the person agreed, and to which text. */
  agreed_at: string;
  agreed_to: string;
  expires_at: string;
}

export async function insertBankConnection(trx: Transaction, row: BankConnectionRow): Promise<void> {
  await trx('bank_connections').insert(row);
}

export function findBankConnection(db: Database, id: string): Promise<BankConnectionRow | undefined> {
  return db('bank_connections').where({ id }).first();
}

export function findBankConnectionByState(db: Database, stateHash: string): Promise<BankConnectionRow | undefined> {
  return db('bank_connections').where({ state_hash: stateHash }).first();
}

/** What a person connected for a key, newest first. */
export function listBankConnections(
  db: Database,
  { tenant_id, api_key_id }: TenantOfKey,
): Promise<BankConnectionRow[]> {
  return db('bank_connections').where({ tenant_id, api_key_id }).orderBy('created_at', 'desc').orderBy('id', 'desc');
}

/** What behind a participant's link was connected, newest first; `id` narrows it to one. */
export function findOwnConnections(db: Database, participantId: string, id?: string): Promise<BankConnectionRow[]> {
  return db('bank_connections')
    .where({ participant_id: participantId, ...(id === undefined ? {} : { id }) })
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
}

/** How many connections were begun behind a participant's link since a time. */
export async function countConnectionsSince(trx: Transaction, participantId: string, since: string): Promise<number> {
  const begun = trx('bank_connections').where({ participant_id: participantId }).where('created_at', '>', since);
  return (await begun.pluck('id')).length;
}

export type BankChange = Partial<Omit<BankConnectionRow, 'id' | 'tenant_id' | 'api_key_id'>>;

/** Changes a connection, unless its status has changed since it was read. @returns whether it did */
export async function changeBankConnection(
  db: Database,
  { id, status }: Pick<BankConnectionRow, 'id' | 'status'>,
  change: BankChange,
): Promise<boolean> {
  const changed = await retried(db, () =>
    db('bank_connections')
      .where({ id })
      .where(hasStatus(status))
      .update({ failures: 0, failure: null, ...change }),
  );
  return changed === 1;
}

/** Ends a connection and forgets what only an open one needs. `withdrawn` keeps nothing but the consent itself. */
export function endBankConnection(
  db: Database,
  row: Pick<BankConnectionRow, 'id' | 'status'>,
  end: { status: BankEnd; failure?: string },
  now: Date,
): Promise<boolean> {
  return changeBankConnection(db, row, {
    ...givenUp('bank_connections', end.failure ?? null, now),
    ...(end.status === 'withdrawn' ? { bank: '', country: '' } : {}),
    status: end.status,
  });
}

/** Ends every open connection of a person with a key: one whose consent may be open at the provider becomes due to end it there. */
export async function endBankConnectionsOfKey(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
  end: { status: BankEnd; failure: string },
  now: Date,
): Promise<void> {
  const open = await trx('bank_connections')
    .where({ tenant_id, api_key_id })
    .whereNull('finished_at')
    .select('id', 'status');
  for (const row of open)
    if (consented.includes(row.status))
      await changeBankConnection(trx, row, { status: 'ending', ends_as: end.status, ...dueAt(now) });
    else if (row.status !== 'ending') await endBankConnection(trx, row, end, now);
}

/** The connections whose statement is among the documents go with them. */
export async function forgetStatements(trx: Transaction, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length > 0)
    await trx('bank_connections')
      .whereIn('document_id', [...documentIds])
      .delete();
}
