import { correlationId } from '../../core/correlation.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import type { ShortTransaction } from '../connection/short-transaction.ts';

/** Who did what to which resource. `hash` and `position` are null until the entry is chained. */
export interface AuditEntryRow {
  sequence: number;
  at: string;
  actor_kind: 'api_key' | 'member' | 'operator' | 'person' | 'service';
  /** The id of an API key, member or participant, the name of an operator, or `service`. */
  actor: string;
  /** The resource kind and the operation, such as `application.create`. */
  action: string;
  resource_id: string;
  correlation_id: string | null;
  position: number | null;
  hash: string | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Resource =
  | 'landlord'
  | 'member'
  | 'passkey'
  | 'key'
  | 'workspace'
  | 'property'
  | 'tenant'
  | 'application'
  | 'participant'
  | 'invite'
  | 'document'
  | 'webhook'
  | 'delivery'
  | 'event'
  | 'forensic'
  | 'kyc'
  | 'eid'
  | 'bank'
  | 'payment'
  | 'report'
  | 'encryption'
  | 'console-account'
  | 'database'
  | 'work';

export type AuditAction = `${Resource}.${string}`;

export interface Actor {
  kind: AuditEntryRow['actor_kind'];
  /** An id, never personal data. */
  id: string;
}

/** The actor of automatic work. */
export const SERVICE: Actor = { kind: 'service', id: 'service' };

const ENTRY = 'insert into audit_entries (at, actor_kind, actor, action, resource_id, correlation_id)';
const insertedEntry = prepared(`${ENTRY} values (?, ?, ?, ?, ?, ?)`);
const ofApplication = (action: AuditAction) =>
  `${ENTRY} select ?, ?, ?, '${action}', id, ? from applications where id = ?`;
const insertedCreation = prepared(ofApplication('application.create'));
const insertedFirstLink = prepared(
  `${ofApplication('application.link-property')} and property_internal_id is not null`,
);

/** Records who did what to which resource, in the same transaction. Contains our own ids only, no personal data. */
export async function recordAudit(
  trx: Transaction | ShortTransaction,
  actor: Actor,
  action: AuditAction,
  resourceId: string,
  now: Date,
): Promise<void> {
  await insertedEntry(trx, now.toISOString(), actor.kind, actor.id, action, resourceId, ours(correlationId()));
}

/** Records that an application was created, unless it was not inserted: the caller does not wait to know. */
export async function recordCreation(
  trx: ShortTransaction,
  actor: Actor,
  applicationId: string,
  now: Date,
): Promise<void> {
  await insertedCreation(trx, now.toISOString(), actor.kind, actor.id, ours(correlationId()), applicationId);
}

/** Records that a new application was linked to a property, unless it was not inserted, or the property is gone. */
export async function recordFirstLink(
  trx: ShortTransaction,
  actor: Actor,
  applicationId: string,
  now: Date,
): Promise<void> {
  await insertedFirstLink(trx, now.toISOString(), actor.kind, actor.id, ours(correlationId()), applicationId);
}

/** Callers choose correlation ids freely, and may put personal data into them: only UUIDs enter the permanent log. */
function ours(id: string | undefined): string | null {
  return id !== undefined && UUID.test(id) ? id : null;
}

export function findAuditEntry(db: Database, sequence: number): Promise<AuditEntryRow | undefined> {
  return db('audit_entries').where({ sequence }).first();
}

/** When the last backup was made by our command, or recorded. */
export async function latestBackupAt(db: Database): Promise<string | undefined> {
  // Must match the predicate of the index `audit_entries_backups` literally, or SQLite does not use it.
  const backups = db('audit_entries').whereRaw("action = 'database.backup'");
  return (await backups.orderBy('sequence', 'desc').first('at'))?.at;
}

export async function latestEntryAt(db: Database): Promise<string | undefined> {
  return (await db('audit_entries').orderBy('sequence', 'desc').first('at'))?.at;
}
