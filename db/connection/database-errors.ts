import { codeOf, hasCode } from '../../core/errors.ts';
import { isLate } from '../../core/lost-connections.ts';

/** SQLSTATE of Postgres. */
const LOCK_NOT_AVAILABLE = '55P03';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const INVALID_SQL_STATEMENT_NAME = '26000';
const TOO_MANY_CONNECTIONS = '53300';
const REFUSALS = [LOCK_NOT_AVAILABLE, SERIALIZATION_FAILURE, DEADLOCK_DETECTED, INVALID_SQL_STATEMENT_NAME];

/** The database refused the statement or transaction for a reason that passes, and kept nothing of it. */
export function isRefused(error: unknown): boolean {
  return REFUSALS.includes(codeOf(error)) || isSqliteBusy(error);
}

/**
 * The database lives, but had no time for the statement, or other transactions were in the way for too long. Nothing is kept, so that callers
 * may repeat everything: a statement without an answer is not meant, because it may be a COMMIT that took effect.
 */
export function isOverloaded(error: unknown): boolean {
  return isRefused(error) || isLate(error) || hasCode(error, TOO_MANY_CONNECTIONS);
}

/** An answer of Postgres, not a failure of the connection. Told by its property, because SQLite does not load the driver. */
export function isFromPostgres(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

/** On Postgres, another transaction held a lock for longer than `lock_timeout`. */
export function isLockedOut(error: unknown): boolean {
  return hasCode(error, LOCK_NOT_AVAILABLE);
}

/** The session lacks a statement that the client prepared: bytes were lost on the way, or a pooler or an operator reset the session. */
export function isUnprepared(error: unknown): boolean {
  return hasCode(error, INVALID_SQL_STATEMENT_NAME);
}

/** Another process is writing to the SQLite file. */
export function isSqliteBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}
