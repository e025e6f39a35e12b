import { codeOf, hasCode } from '../../core/errors.ts';

/** SQLSTATE of Postgres. */
const LOCK_NOT_AVAILABLE = '55P03';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const RACES = [LOCK_NOT_AVAILABLE, SERIALIZATION_FAILURE, DEADLOCK_DETECTED];

/** Another transaction was in the way, and nothing of the statement or transaction was kept. */
export function isRefused(error: unknown): boolean {
  return RACES.includes(codeOf(error)) || isSqliteBusy(error);
}

/** On Postgres, another transaction held a lock for longer than `lock_timeout`. */
export function isLockedOut(error: unknown): boolean {
  return hasCode(error, LOCK_NOT_AVAILABLE);
}

/** Another process is writing to the SQLite file. */
export function isSqliteBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}
