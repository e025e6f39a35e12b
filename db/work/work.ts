import type { Knex } from 'knex';
import { idsOf } from '../../core/ids.ts';
import { type Database, dialectOf, type Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { retried } from '../connection/transactions.ts';
import { isUnfinished } from './beside-id.ts';

/** A unit of work in the table of its kind. The row is authoritative; the queue only brings it to a worker soon. */
export interface WorkRow {
  id: string;
  status: string;
  /** When it is due, or until when it is leased; null when it is finished (or held, for a delivery). */
  due_at: string | null;
  /** The lease of a worker, or QUEUED; null while it waits. */
  leased_by: string | null;
  /** How often it threw. */
  failures: number;
  /** How often its lease has expired since a worker last ended it: each time, its worker died, hung or could not record the end. */
  expiries: number;
  /** The last error. */
  failure: string | null;
  /** From the request that caused it. */
  correlation_id: string | null;
  created_at: string;
  finished_at: string | null;
}

/** The tables whose rows are work. */
export const workTables = [
  'invites',
  'kyc_verifications',
  'eid_flows',
  'forensic_runs',
  'deliveries',
  'bank_connections',
  'reports',
] as const;
export type WorkTable = (typeof workTables)[number];

/** How far the clocks of two machines may differ before a row waits for the promoter. */
export const CLOCK_DIFFERENCE_MS = 1_000;

/** Leased to the queue. When the queue loses it, the lease expires and the promoter hands the row over again. */
export const QUEUED = 'queue';

/** Due at a given time; null for never. Ends the lease. */
export function dueAt(moment: Date | string | null): Pick<WorkRow, 'due_at' | 'leased_by'> {
  return { due_at: moment instanceof Date ? moment.toISOString() : moment, leased_by: null };
}

function workRows(db: Database, table: WorkTable) {
  return db<WorkRow>(table);
}

export interface ClaimedWork extends Pick<WorkRow, 'id' | 'failures' | 'expiries' | 'correlation_id'> {
  /** For whose API key it is done; null when the key is unknown, as for runs of earlier versions. */
  party: string | null;
  /** Within the API key, what takes turns: an endpoint, for instance. */
  lane: string | null;
}

/** The API key of a row, so that every kind of work has a party. Rows of the previous version do not name it. */
const parties: Record<WorkTable, string> = {
  invites: `coalesce(invites.api_key_id, (select applications.api_key_id from participants
    join applications on applications.id = participants.application_id
    where participants.id = invites.participant_id))`,
  kyc_verifications: 'api_key_id',
  eid_flows: 'api_key_id',
  forensic_runs: 'api_key_id',
  bank_connections: 'api_key_id',
  reports: 'api_key_id',
  deliveries:
    'coalesce(deliveries.api_key_id, (select webhooks.api_key_id from webhooks where webhooks.id = webhook_id))',
};

const lanes: Partial<Record<WorkTable, string>> = { deliveries: 'webhook_id' };

/**
 * Leases rows that are due or that the queue brought. Uses the primary key even with stale statistics, and locks in id order, against
 * deadlocks. @returns what was claimed, in id order
 */
export async function claimWork(
  db: Database,
  table: WorkTable,
  ids: readonly string[],
  lease: Lease,
): Promise<ClaimedWork[]> {
  const claim = dialectOf(db) === 'postgres' ? claimByPlace : claimById;
  const claimed = await claim(db, table, ids, lease);
  return claimed.sort((one, other) => (one.id < other.id ? -1 : 1));
}

export interface Lease {
  dueBefore: string;
  lease: string;
  until: string;
}

function claimById(db: Database, table: WorkTable, ids: readonly string[], { lease, until, dueBefore }: Lease) {
  return retried(db, () =>
    workRows(db, table)
      .whereIn('id', inOrder(db, table, ids).where(isFree(dueBefore)))
      .update({ due_at: until, leased_by: lease })
      .returning<ClaimedWork[]>(['id', 'failures', 'expiries', 'correlation_id', ...partyOf(db, table)]),
  );
}

/**
 * Finds each locked row by its physical place: one page instead of a descent of the index. A row that moved before its lock is claimed by
 * id, in a statement that is retried alone, because the other rows are claimed already.
 */
async function claimByPlace(
  db: Database,
  table: WorkTable,
  ids: readonly string[],
  lease: Lease,
): Promise<ClaimedWork[]> {
  const locked = inOrder(db, table, ids)
    .where(isFree(lease.dueBefore))
    .select(db.raw('ctid as place, tableoid as part'));
  const claimed = workRows(db, table)
    .updateFrom('locked')
    .whereRaw('??.ctid = place and ??.tableoid = part and ??.id = locked.id', [table, table, table])
    .update({ due_at: lease.until, leased_by: lease.lease })
    .returning([`${table}.id`, 'failures', 'expiries', 'correlation_id', ...partyOf(db, table)]);
  const rows = await retried<(ClaimedWork & { has_moved: boolean })[]>(db, () =>
    db
      .withMaterialized('locked', locked)
      .with('claimed', claimed)
      .from('locked')
      .leftJoin('claimed', 'claimed.id', 'locked.id')
      .select('locked.id', 'failures', 'expiries', 'correlation_id', 'party', 'lane')
      .select(db.raw('claimed.id is null as has_moved')),
  );
  const moved = idsOf(rows.filter(({ has_moved }) => has_moved));
  const found = rows.flatMap(({ has_moved, ...row }) => (has_moved ? [] : [row]));
  return moved.length === 0 ? found : [...found, ...(await claimById(db, table, moved, lease))];
}

function isFree(dueBefore: string) {
  return (row: Knex.QueryBuilder) => row.where('leased_by', QUEUED).orWhere('due_at', '<=', dueBefore);
}

function partyOf(db: Database, table: WorkTable) {
  return [db.raw<string>(`${parties[table]} as party`), db.raw<string>(`${lanes[table] ?? 'null'} as lane`)];
}

/** Unfinished rows, to be locked in id order. */
function inOrder(db: Database, table: WorkTable, ids: readonly string[]) {
  return workRows(db, table).whereIn('id', ids).where(isUnfinished).orderBy('id').forNoKeyUpdate().select('id');
}

/** Extends the leases that are still held. @returns their ids */
export async function extendLeases(
  db: Database,
  table: WorkTable,
  lease: string,
  ids: readonly string[],
  until: string,
): Promise<string[]> {
  const held = inOrder(db, table, ids).where({ leased_by: lease });
  const extended = await retried(db, () =>
    workRows(db, table).whereIn('id', held).update({ due_at: until }).returning('id'),
  );
  return idsOf(extended);
}

/** Releases leases that are still held: each row is due at its own time. Does not count as an attempt. */
export async function releaseLeases(
  db: Database,
  table: WorkTable,
  lease: string,
  released: readonly { id: string; dueAt: string }[],
): Promise<void> {
  const held = inOrder(db, table, idsOf(released)).where({ leased_by: lease });
  const due_at = byId(db, released, (row) => [row.id, row.dueAt]);
  await retried(db, () => workRows(db, table).whereIn('id', held).update({ due_at, leased_by: null }));
}

/** A value for each row of one statement. */
export function byId<Row>(db: Database, rows: readonly Row[], pair: (row: Row) => [id: string, value: string | null]) {
  return db.raw<string>(`case id ${rows.map(() => 'when ? then ?').join(' ')} end`, rows.flatMap(pair));
}

type EmptiableSecret<Row, Column extends keyof Row = keyof Row> = Column extends `sealed_${string}`
  ? null extends Row[Column]
    ? Column
    : never
  : never;

/** How a row ends when its work is given up, without a secret that only open work needs. */
type GivenUp<Row extends WorkRow> = Pick<Row, 'status'> & Partial<Row> & Record<EmptiableSecret<Row>, null>;

const givenUpAs: { readonly [Table in WorkTable]: (failure: string | null) => GivenUp<Knex.TableType<Table>> } = {
  invites: () => ({ status: 'failed', sealed_token: null }),
  kyc_verifications: () => ({ status: 'failed', sealed_memory: null }),
  eid_flows: () => ({ status: 'failed', sealed_memory: null }),
  forensic_runs: () => ({ status: 'failed', sealed_claims: null }),
  deliveries: (failure) => ({ status: 'failed', last_error: failure }),
  bank_connections: () => ({
    status: 'failed',
    ...{ ends_as: null, state_hash: null, browser_hash: null, document_id: null },
    ...{ sealed_memory: null, sealed_statement: null },
  }),
  reports: () => ({ status: 'failed', sealed_content: null, sealed_file: null }),
};

/** The columns of work that is given up. */
export function givenUp<Table extends WorkTable>(table: Table, failure: string | null, now: Date) {
  return { ...dueAt(null), failure, finished_at: now.toISOString(), ...givenUpAs[table](failure) };
}

/** The changes to a failed row: rescheduled, or given up. */
export type FailedWork = Pick<WorkRow, 'failures' | 'failure' | 'due_at' | 'leased_by'> & Partial<WorkRow>;

/** Records a failure while the lease is held. */
export async function recordFailure(
  db: Database,
  table: WorkTable,
  { id, lease }: { id: string; lease: string },
  columns: FailedWork,
): Promise<void> {
  await retried(db, () => workRows(db, table).where({ id, leased_by: lease }).where(isUnfinished).update(columns));
}

const due = prepared<{ name: WorkTable }>(
  workTables
    // Not `exists`: without statistics, Postgres expects to find a row soon and reads the whole table for it.
    .map((name) => `select '${name}' as name where (select min(due_at) from ${name}) <= ?`)
    .join(' union all '),
);

/** The tables in which something is due or has an expired lease. */
export async function tablesWithDueWork(db: Database, now: Date): Promise<Set<WorkTable>> {
  const rows = await due(db, ...workTables.map(() => now.toISOString()));
  return new Set(rows.map(({ name }) => name));
}

/** A row that was handed over again, as it was before. */
export type HandedOver = Pick<WorkRow, 'id' | 'leased_by' | 'expiries'> & { api_key_id: string | null };

/** Counts a lease that expired. @param ids of rows that the transaction has locked */
export async function countExpiries(trx: Transaction, table: WorkTable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await workRows(trx, table)
    .whereIn('id', ids)
    .update({ expiries: trx.raw('expiries + 1') });
}

/** @param ids of rows that the transaction has locked */
export async function postponeWork(
  trx: Transaction,
  table: WorkTable,
  ids: readonly string[],
  due: string,
): Promise<void> {
  if (ids.length > 0) await workRows(trx, table).whereIn('id', ids).update(dueAt(due));
}

/** Counts the start of suspect work, in case it does not end. @returns false when the lease was lost */
export async function countSuspectStart(
  db: Database,
  table: WorkTable,
  { id, lease }: { id: string; lease: string },
): Promise<boolean> {
  const counted = await retried(db, () =>
    workRows(db, table)
      .where({ id, leased_by: lease })
      .where(isUnfinished)
      .update({ expiries: db.raw('expiries + 1') }),
  );
  return counted === 1;
}

/** Forgets the expired leases of work that a worker has ended: it is no longer leased to that worker. */
export async function forgetExpiries(
  db: Database,
  table: WorkTable,
  lease: string,
  ids: readonly string[],
): Promise<void> {
  const ended = workRows(db, table)
    .whereIn('id', ids)
    .whereRaw("coalesce(leased_by, '') <> ?", [lease])
    .orderBy('id')
    .forNoKeyUpdate()
    .select('id');
  await retried(db, () => workRows(db, table).whereIn('id', ended).update({ expiries: 0 }));
}
